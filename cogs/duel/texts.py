"""The texts of duels: the challenge, who has played, how it ended, and how both played each deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cogs.coach.stats_text import called
from cogs.today.texts import total_of
from cogs.words import N_, _, apart, counted, listed, mention, ngettext, ranks, robot, share, signed, when, written
from data import Duelist, DuelResult, StoredDuel
from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.round import BlackjackRound
from engine.games.cards import Card
from engine.games.computer import Level
from engine.sets.answers import ACTIONS
from engine.sets.deals import SEAT
from engine.sets.duels import UNPLAYED, DuelState, Ending, decided_by, net
from engine.sets.programme import UNIT
from engine.sets.tries import Try, deal_again

#: The names of the levels of computer players.
LEVELS: Final[Mapping[Level, str]] = {
    Level.AMATEUR: N_("Amateur"),
    Level.INTERMEDIATE: N_("Intermediate"),
    Level.EXPERT: N_("Expert"),
    Level.PERFECT: N_("Perfect"),
}
#: The sentences about what a player did with a hand, by the action.
_DID: Final[Mapping[str, str]] = {
    HIT: N_("{name} hit {hand}"),
    STAND: N_("{name} stood on {hand}"),
    DOUBLE: N_("{name} doubled {hand}"),
    SPLIT: N_("{name} split {hand}"),
    SWAP: N_("{name} swapped {hand}"),
    SURRENDER: N_("{name} surrendered {hand}"),
    INSURE: N_("{name} insured {hand}"),
    DECLINE: N_("{name} refused insurance with {hand}"),
}
#: The number of digits of a promise that a message shows.
_DIGITS: Final = 16
#: The number of deals on a page of *All hands*.
PAGE: Final = 5


def name_of(duel: StoredDuel, side: int) -> str:
    """Return a player's name: a mention, the level of a computer player, or `a former player`."""
    who = duel.sides[side]
    if who.member is None:
        return robot(_(LEVELS[Level(duel.level or "")]))
    return mention(who.user) if who.user is not None else _("a former player")


def terms(duel: StoredDuel) -> str:
    """Return the terms of a duel: `10 hands of vegas, the same cards, 50 chips each`, or `for fun` without stakes."""
    hands = ngettext("{count} hand of {rules}", "{count} hands of {rules}", duel.hands, rules=duel.rules_name)
    if duel.offered and (duel.stake or duel.accepted_at is None):
        return _("{hands}, the same cards, {chips} each", hands=hands, chips=counted(duel.offered))
    return _("{hands}, the same cards, for fun", hands=hands)


def rule() -> str:
    """Return the rule of duels in one sentence, in bold."""
    return f"**{plain_rule()}**"


def plain_rule() -> str:
    return _("The better decisions win, not the luckier cards.")


def sealed(duel: StoredDuel) -> str:
    """Return the line that shows the first digits of the promise of the cards."""
    return _("The cards were sealed before the challenge: `{tip}`", tip=duel.tip[:_DIGITS])


def heading(duel: StoredDuel) -> str:
    """Return the heading of a duel that is not over."""
    names = {"one": name_of(duel, 0), "other": name_of(duel, 1)}
    if duel.state is DuelState.CHALLENGED:
        return _("{one} challenges {other}", **names)
    return title(duel)


def standing(duel: StoredDuel) -> str:
    """Return the line with what is public of a duel that is not over.

    For a challenge, that is when it expires; for a running duel, who has begun, who is done, and when it ends.
    """
    if duel.state is DuelState.CHALLENGED:
        return _("Expires {moment}", moment=when(duel.deadline))
    sides = [_progress(duel, place, side) for place, side in enumerate(duel.sides) if side.member is not None]
    return listed([*sides, _("ends {moment}", moment=when(duel.deadline))])


def _progress(duel: StoredDuel, place: int, side: Duelist) -> str:
    name = name_of(duel, place)
    if side.done:
        return _("{name} is done", name=name)
    return _("{name} is playing", name=name) if side.began else _("{name} has not started", name=name)


def title(duel: StoredDuel) -> str:
    """Return the heading that names both players of a duel."""
    return _("{one} against {other}", one=name_of(duel, 0), other=name_of(duel, 1))


# -- the end -----------------------------------------------------------------------------------------------------------


def unplayed(duel: StoredDuel) -> str:
    """Return the text for a challenge or a duel that came to nothing. It never gives the reason."""
    if duel.accepted_at is None:
        return _("This challenge is over. Nothing was played, and no chips are at stake.")
    return _and_stakes(_("This duel is over without a result."), duel)


def ended(result: DuelResult) -> list[str]:
    """Return the lines that say how a duel ended: only one unless both have played.

    If both have, the lines are about the winner, the mistakes, the cards and, if one play decided the duel, that play.
    If the cards decided a duel against a perfect computer player, a last line says why.
    """
    duel = result.duel
    assert duel.ending is not None
    if duel.ending in UNPLAYED:
        return [unplayed(duel)]
    winner = winner_of(result)
    if duel.ending is Ending.ONE_BEGAN:
        names = {"winner": _won(duel, winner or 0), "other": name_of(duel, 1 - (winner or 0))}
        return [_("**{winner}**, because {other} never began.", **names)]
    lines = [
        _and_stakes(_("**A draw.**"), duel) if winner is None else f"**{_won(duel, winner)}.**",
        _mistakes(result),
        _cards(result),
        _decided(result),
    ]
    if duel.ending is Ending.NETS and duel.level == Level.PERFECT:
        lines.append(_("Nobody decides better than *perfect*: here only the cards win, and that is luck."))
    return [line for line in lines if line]


def points(result: DuelResult) -> list[str]:
    """Return the sentences about the season points that a duel brought.

    There are none if it brought no points: for example, the same two had already accepted another duel on that day.
    """
    brought = [ngettext("{count} point", "{count} points", each) if each else "" for each in result.points]
    if all(brought):
        return [_("Each gets {points} for the season.", points=brought[0])]
    names = [name_of(result.duel, side) for side in (0, 1)]
    each = zip(names, brought, strict=True)
    return [_("{name} gets {points} for the season.", name=name, points=told) for name, told in each if told]


def winner_of(result: DuelResult) -> int | None:
    """Return the side (0 or 1) that won, also if it is a computer player; None for a draw or without a result."""
    duel, (one, other) = result.duel, result.tries
    if duel.winner is not None:
        return int(duel.winner != duel.sides[0].member)
    lost = duel.level is not None and duel.ending in (Ending.DECISIONS, Ending.NETS)
    return 1 if lost and one is not None and other is not None else None


def _and_stakes(told: str, duel: StoredDuel) -> str:
    """Return this sentence and, for a duel with stakes, a second one that says that the stakes are back."""
    back = _("Stakes are back.") if duel.stake else ""
    return f"{told} {back}".rstrip()


def _won(duel: StoredDuel, winner: int) -> str:
    name = name_of(duel, winner)
    if not duel.stake:
        return _("{name} wins", name=name)
    return _("{name} wins {chips}", name=name, chips=counted(2 * duel.stake))


def _mistakes(result: DuelResult) -> str:
    one, other = both(result)
    names = {"one": name_of(result.duel, 0), "other": name_of(result.duel, 1)}
    if one.losses == other.losses == 0:
        return _("Neither made a mistake.")
    return _(
        "Mistakes cost {one} {first}, {other} {second} of a bet.",
        **names,
        first=share(one.losses / UNIT),
        second=share(other.losses / UNIT),
    )


def _cards(result: DuelResult) -> str:
    """Return the sentence that says who had the better cards, or that they were equally good.

    It explains how a player can win more chips and still lose the duel.
    """
    nets = [net(found) for found in both(result)]
    if nets[0] == nets[1]:
        return _("The cards were equally good to both: {net}.", net=signed(nets[0]))
    better = int(nets[1] > nets[0])
    return _(
        "{name} had the better cards: {more} against {less}.",
        name=name_of(result.duel, better),
        more=signed(nets[better]),
        less=signed(nets[1 - better]),
    )


class DecidingPlay(NamedTuple):
    """The play that decided a duel."""

    number: int  # the deal's, from 1
    loser: int  # the side that made it and lost
    action: str
    round: BlackjackRound  # the round before this play

    @property
    def hand(self) -> int:
        return self.round.acting[1] if self.round.acting else 0

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(self.round.hands[SEAT][self.hand].cards)


def decision(result: DuelResult) -> DecidingPlay | None:
    """Return the play that decided a duel, or None if the duel was not decided by a play."""
    winner = winner_of(result)
    if result.duel.ending is not Ending.DECISIONS or winner is None:
        return None
    tries, loser = both(result), 1 - winner
    place = decided_by(tries[winner], tries[loser])
    if place is None:
        return None
    worst = tries[loser].grades[place].worst
    round = deal_again(result.deals.prepared, result.deals.shoes, place, worst.path)
    return DecidingPlay(place + 1, loser, ACTIONS[worst.letter], round)


def _decided(result: DuelResult) -> str:
    found = decision(result)
    if found is None:
        return ""
    hand = total_of(found.round, found.hand)
    did = _(_DID[found.action], name=name_of(result.duel, found.loser), hand=hand)
    return _(
        "Decided by hand {number}: {did} against {up}.", number=found.number, did=did, up=ranks([found.round.up_card])
    )


def both(result: DuelResult) -> tuple[Try, Try]:
    """Return the tries of a duel that both have played: first the challenger's, then that of the challenged."""
    one, other = result.tries
    assert one is not None
    assert other is not None
    return one, other


# -- all deals ---------------------------------------------------------------------------------------------------------


def deals(result: DuelResult, page: int) -> Iterator[str]:
    """Yield a text for each deal on a page (from 0): its first cards, and how each player who played it did."""
    last = min((page + 1) * PAGE, len(result.deals.prepared.deals))
    for place in range(page * PAGE, last):
        round = deal_again(result.deals.prepared, result.deals.shoes, place, "")
        lines = [_("**Hand {number}** · {situation}", number=place + 1, situation=_situation(round))]
        lines += [_way(result, side, found, place) for side, found in enumerate(result.tries) if found is not None]
        yield "\n".join(lines)


def _situation(round: BlackjackRound) -> str:
    hand, up = round.hands[SEAT][0].cards, round.up_card
    return _("{hand} against {up}", hand=written(hand), up=written([up]))


def _way(result: DuelResult, side: int, found: Try, place: int) -> str:
    grade = found.grades[place]
    played = apart(called(ACTIONS[decision.letter]) for decision in grade.decisions) or "–"
    cost = _("gave away {share}", share=share(grade.loss / UNIT)) if grade.loss else _("played right")
    return listed([name_of(result.duel, side), played, signed(found.net(place)), cost])


def pages(result: DuelResult) -> int:
    """Return the number of pages of a duel's deals."""
    return -(-len(result.deals.prepared.deals) // PAGE)
