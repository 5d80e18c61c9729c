"""/baccarat: a coup with the whole channel, and everything that people see of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.options import OneOf, Suggested
from cogs.pictures.baccarat import BaccaratPicture, render
from cogs.table import people, rule_fields, rule_sets
from cogs.table.keys import (
    AGAIN,
    CARDS,
    DEAL,
    HALF,
    LEAVE,
    TWICE,
    ButtonStyle,
    alone,
    can_stake,
    in_rows,
    times,
)
from cogs.table.opening import INVITE, Bet, TableRequest, sit_down
from cogs.table.page import ALT_LIMIT, TEXT_LIMIT, Cap, Key, Lines, Page, Picture
from cogs.table.presentation import BuiltIn, Presentation
from cogs.words import N_, READER, _, cards, chips, decimal, decks, mono, ngettext, number, signed, written
from engine.games.baccarat import GAME, BaccaratHand, BaccaratRules, BaccaratView, Spot
from engine.games.contract import Cents, Stakes
from engine.tables.snapshot import GameSnapshot, Sitter, TablePhase
from engine.tables.state import FreedFor

#: A table of this game as everybody may see it.
BaccaratTable: TypeAlias = GameSnapshot[BaccaratRules, BaccaratView]

#: The key of each spot, which asks for the stake on it.
_SPOTS: Final[Mapping[str, Cap]] = {
    Spot.PLAYER.value: Cap(Spot.PLAYER.value, N_("Player"), ButtonStyle.primary),
    Spot.BANKER.value: Cap(Spot.BANKER.value, N_("Banker"), ButtonStyle.primary),
    Spot.TIE.value: Cap(Spot.TIE.value, N_("Tie"), ButtonStyle.secondary),
}

#: The letters that casinos write on the road, the list of past results. Where the spots' names do not fit, lines of
#: stakes have these letters too.
_LETTERS: Final[Mapping[str, str]] = {Spot.PLAYER.value: "P", Spot.BANKER.value: "B", Spot.TIE.value: "T"}

#: The most characters for the lines of the page: Discord's limit, less an allowance for all else in the message.
_ROOM: Final = TEXT_LIMIT - 800


def page_of(snapshot: BaccaratTable) -> Page:
    return Page(
        accent=people.accent(snapshot),
        title=_("**Baccarat** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks(snapshot.rules.decks)),
        headline=_headline(snapshot),
        groups=_groups(snapshot),
        footer=(*_road(snapshot), *people.small_print(snapshot)),
        rows=_rows(snapshot),
        picture=_picture(snapshot),
    )


def _headline(snapshot: BaccaratTable) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if people.is_calling(snapshot):
        return people.betting_headline()
    return people.result_headline(snapshot)


def _result(view: BaccaratView) -> str:
    totals = {"player": view.player.total, "banker": view.banker.total}
    return _(_RESULTS[view.result, view.natural], **totals)


#: The results, by winner and by whether a natural ended the coup.
_RESULTS: Final[Mapping[tuple[Spot, bool], str]] = {
    (Spot.PLAYER, False): N_("Player wins, {player} to {banker}"),
    (Spot.PLAYER, True): N_("Player wins with a natural, {player} to {banker}"),
    (Spot.BANKER, False): N_("Banker wins, {banker} to {player}"),
    (Spot.BANKER, True): N_("Banker wins with a natural, {banker} to {player}"),
    (Spot.TIE, False): N_("A tie, {player} to {banker}"),
    (Spot.TIE, True): N_("A tie of naturals, {player} to {banker}"),
}


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: BaccaratTable) -> tuple[Lines, ...]:
    """Return the lines about the coup, and the lines about the people, which end with the deadline.

    If the lines about the people are too long, they name spots by letters. If that is not enough, the last lines are
    replaced by their number.
    """
    coup, room = _coup(snapshot), _ROOM
    for names in (None, _LETTERS):
        lines = tuple(_lines(snapshot, names))
        if _length(lines) <= room:
            break
    shown = lines
    while _length(shown) > room:
        shown = shown[:-1]
    more = len(lines) - len(shown)
    if more:
        shown = (*shown, ngettext("and {count} more", "and {count} more", more))
    return coup, (*shown, *people.clock(snapshot))


def _length(lines: Lines) -> int:
    return sum(len(line) + 1 for line in lines)


def _coup(snapshot: BaccaratTable) -> Lines:
    """Return the lines about both hands and the result.

    Once somebody has staked on the next coup, return only the line with the last result; for a new table, the line that
    says what one can bet on.
    """
    view: BaccaratView | None = snapshot.view
    if view is None:
        return (_offered_bets(snapshot.rules),)
    if people.is_calling(snapshot):
        return (_("Last round · {result}", result=_result(view)),)
    return (
        _("Player · {hand}", hand=_hand(view.player)),
        _("Banker · {hand}", hand=_hand(view.banker)),
        _("-# {result}", result=_coup_text(snapshot)),
    )


def _coup_text(snapshot: BaccaratTable) -> str:
    """Return the result of a coup, with the commission if Banker wins, and with the bets that are returned at a tie."""
    view = snapshot.dealt
    rules = snapshot.rules
    if view.result is Spot.TIE:
        return _("{result}: bets on Player and Banker are returned", result=_result(view))
    if view.result is Spot.BANKER and rules.commission:
        return _("{result}, less {commission}% commission", result=_result(view), commission=rules.commission)
    return _result(view)


def _offered_bets(rules: BaccaratRules) -> str:
    """Return the line about the bets that a new table offers."""
    values = {"commission": rules.commission, "odds": rules.tie_pays}
    if rules.commission:
        text = N_("-# Which hand will be closer to 9? Both pay 1:1, Banker less {commission}%, a tie {odds}:1.")
    else:
        text = N_("-# Which hand will be closer to 9? Both pay 1:1, a tie {odds}:1.")
    return _(text, **values)


def _hand(hand: BaccaratHand) -> str:
    return _("{cards} **{total}**", cards=written(hand.cards), total=hand.total)


def _lines(snapshot: BaccaratTable, letters: Mapping[str, str] | None) -> Iterator[str]:
    """Yield one line for each person: their stake on the next coup, else their result of the last one.

    Somebody with neither is shown as waiting. Once anybody has staked on the next coup, people who left have no line.
    `letters` are written in place of the spots' names.
    """
    calling, single = people.is_calling(snapshot), len(snapshot.sitters) == 1
    for sitter in snapshot.sitters:
        if sitter.staked:
            yield _staked_line(sitter, _stakes(sitter.staked, letters), alone=single)
        elif sitter.seat is None:
            yield people.waiting_line(sitter, alone=single)
        elif not calling:
            ended = snapshot.dealt.seats[sitter.seat]
            told = _stakes({line.what: line.staked for line in ended}, letters)
            yield people.settled_line(snapshot, sitter, told, sum(line.net for line in ended), alone=single)
        elif sitter.member is not None:
            yield _last_line(snapshot, sitter)


def _staked_line(sitter: Sitter, stakes: str, *, alone: bool) -> str:
    values = {"head": people.name(sitter, numbered=not alone), "stakes": stakes}
    if sitter.leaving:
        return _("{head} · {stakes} · leaving", **values)
    return _("{head} · {stakes} · {left}", **values, left=people.left(sitter))


def _last_line(snapshot: BaccaratTable, sitter: Sitter) -> str:
    """Return the line of somebody who was in the last coup and has not staked since: its result, and their balance."""
    assert sitter.seat is not None
    net = sum(line.net for line in snapshot.dealt.seats[sitter.seat])
    values = {"head": people.name(sitter, numbered=True), "net": signed(net), "balance": people.balance(sitter)}
    return _("{head} · last round **{net}** · {balance}", **values)


def _stakes(stakes: Stakes, letters: Mapping[str, str] | None) -> str:
    lying = [spot for spot in _SPOTS if spot in stakes]
    return ", ".join(
        _("{spot} {stake}", spot=letters[spot] if letters else _(_SPOTS[spot].label), stake=chips(stakes[spot]))
        for spot in lying
    )


def _road(snapshot: BaccaratTable) -> Lines:
    if not snapshot.road:
        return ()
    return (_("Last results {beads}", beads=mono(" ".join(_LETTERS[spot] for spot in snapshot.road))),)


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: BaccaratTable) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    number, lone = snapshot.to_come, alone(snapshot)
    here = [sitter for sitter in snapshot.sitters if sitter.member is not None]
    staked = any(sitter.staked for sitter in here)
    spots = tuple(Key(cap, number) for cap in _SPOTS.values())
    leave = (Key(LEAVE, number),)
    if lone is not None and lone.last_stakes and not staked:
        return spots, *in_rows(_next_coup(snapshot, lone)), leave
    again = any(sitter.last_stakes and not sitter.staked for sitter in here)
    return spots, (Key(AGAIN, number, enabled=again), Key(CARDS, number, enabled=staked)), leave


def _next_coup(snapshot: BaccaratTable, lone: Sitter) -> tuple[Key, ...]:
    """Return the keys with which a lone player stakes the same again, twice or half of it, and gets cards at once."""
    number, last = snapshot.to_come, lone.last_stakes or {}
    return (
        Key(DEAL, number, amount=chips(sum(last.values())), enabled=can_stake(snapshot, lone, last)),
        Key(TWICE, number, enabled=can_stake(snapshot, lone, times(last, 2))),
        Key(HALF, number, enabled=can_stake(snapshot, lone, times(last, 1 / 2))),
    )


# -- the picture -------------------------------------------------------------------------------------------------------


def _picture(snapshot: BaccaratTable) -> Picture | None:
    """Return the picture of the last coup or, once somebody has staked on the next one, of those stakes without cards.

    Readers who want no pictures get None.
    """
    if not READER.get().pictures:
        return None
    view = None if people.is_calling(snapshot) else snapshot.view
    lying = _lying(snapshot)
    stakes = tuple((Spot(spot), cents) for spot, cents in lying.items())
    road = tuple(Spot(spot) for spot in snapshot.road)
    names = tuple((Spot(spot), _(cap.label)) for spot, cap in _SPOTS.items())
    shown = BaccaratPicture(view, stakes, road, names, four_colours=READER.get().four_colours, decimal=decimal())
    return Picture(shown, partial(render, shown), _alt(snapshot, view, lying))


def _lying(snapshot: BaccaratTable) -> dict[str, Cents]:
    """Return the sum of the stakes on each spot that has any.

    They are the stakes on the next coup once anybody has staked on it, else those on the last one.
    """
    lying: Counter[str] = Counter()
    if people.is_calling(snapshot):
        for sitter in snapshot.sitters:
            lying.update(dict(sitter.staked or {}))
    else:
        for line in (line for lines in snapshot.dealt.seats for line in lines):
            lying[line.what] += line.staked
    return {spot: lying[spot] for spot in _SPOTS if lying[spot]}


def _alt(snapshot: BaccaratTable, view: BaccaratView | None, lying: Mapping[str, Cents]) -> str:
    told = list(_alt_coup(view))
    told += [_("{stake} on {spot}.", stake=chips(cents), spot=_(_SPOTS[spot].label)) for spot, cents in lying.items()]
    if snapshot.road:
        told.append(_("Results so far: {results}.", results=", ".join(_(_SPOTS[spot].label) for spot in snapshot.road)))
    return " ".join(told)[:ALT_LIMIT]


def _alt_coup(view: BaccaratView | None) -> Iterator[str]:
    if view is None:
        yield _("A baccarat table, no cards yet.")
        return
    yield _("Player: {cards}, {total}.", cards=cards(view.player.cards), total=view.player.total)
    yield _("Banker: {cards}, {total}.", cards=cards(view.banker.cards), total=view.banker.total)
    yield _("{result}.", result=_result(view))


# -- the rules in words ------------------------------------------------------------------------------------------------

_NATURALS: Final = {
    True: N_("a natural: on either side, it ends the round"),
    False: N_("ends nothing: the other side may still draw"),
}

_RULES: Final = (
    rule_fields.DECKS,
    rule_fields.said(N_("Values"), N_("ace 1, tens and pictures 0; only the last digit of the sum counts")),
    rule_fields.flag(
        "naturals",
        N_("Naturals end the round"),
        "",
        lambda rules: _(_NATURALS[rules.naturals]),
        heading=N_("8 or 9 in two cards"),
    ),
    rule_fields.said(N_("Third card"), N_("Player draws below 6; Banker by the usual drawing table")),
    rule_fields.said(N_("Player"), N_("pays 1:1")),
    rule_fields.number(
        "commission",
        N_("Banker's commission, %"),
        range(11),
        number,
        lambda rules: _("pays 1:1, less a commission of {commission}%", commission=rules.commission),
        heading=N_("Banker"),
    ),
    rule_fields.number(
        "tie_pays",
        N_("Tie pays, to 1"),
        range(5, 10),
        number,
        lambda rules: _("pays {odds}:1; bets on Player and Banker are then returned", odds=rules.tie_pays),
        heading=N_("Tie"),
    ),
)

PRESENTATION: Final = Presentation(
    help=N_("A round of baccarat, open to the whole channel"),
    page_of=page_of,
    caps=tuple(_SPOTS.values()),
    keys_text=N_(
        "**Baccarat**\n**Player**, **Banker**, **Tie**: bet on the hand that will come closer to 9, or on a draw"
    ),
    rules=_RULES,
    sets={
        "punto-banco": BuiltIn(N_("the casino game: 8 or 9 in two cards ends the round"), 0.010579, "banker"),
        "ctrl-alt-bet": BuiltIn(
            N_("8 or 9 in two cards ends nothing: the other side may still draw"), -0.019152, "tie"
        ),
    },
    first_hand=N_(
        "👋 **Your first round here!** Bet on the hand that comes closer to 9: **Player** and **Banker** pay 1:1, "
        "**Tie** pays more. You can press several of them; **Deal** brings the cards. Good luck!"
    ),
    stranger=N_("You're not in this game yet. Press **Player**, **Banker** or **Tie** to bet."),
)


# -- the command -------------------------------------------------------------------------------------------------------

_ON: Final = [app_commands.Choice(name=cap.label, value=spot) for spot, cap in _SPOTS.items()]


#: The name of a rule set.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME.name))]
#: The fate of seats that nobody takes in time, for a table by invitation. There are no computer players at baccarat.
InviteOption: TypeAlias = app_commands.Transform[FreedFor, OneOf([FreedFor.EVERYBODY], INVITE.__getitem__)]


class BaccaratCommand(commands.Cog):
    """The command /baccarat."""

    @app_commands.command(description=PRESENTATION.help)
    @app_commands.describe(
        bet="Chips to stake: a number, half or all",
        on="What to stake them on",
        rules="The rule set of a new table",
        invite="A new table for people you choose",
    )
    @app_commands.choices(on=_ON)
    @app_commands.guild_only()
    async def baccarat(
        self,
        interaction: Interaction,
        bet: Bet | None = None,
        on: str | None = None,
        rules: RulesOption | None = None,
        invite: InviteOption | None = None,
    ) -> None:
        """Sit down at the channel's baccarat table, or open one."""
        await sit_down(interaction, TableRequest(GAME.name, rules, bet, spot=on, freed_for=invite))


async def setup(bot: Casino) -> None:
    await bot.add_cog(BaccaratCommand())
