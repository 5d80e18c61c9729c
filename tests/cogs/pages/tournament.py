"""Every message of a tournament, from its sign-up to its podium."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from discord import ui

from cogs.pictures.bars import render_podium, render_standings
from cogs.table.page import Picture
from cogs.tournament import field_pages, pages
from cogs.tournament.entries import ConfirmKey, TournamentPlan
from cogs.tournament.playing import deals_view, places_page
from data import Champion, DealtSet, FieldResult, StoredField
from engine.elimination.elimination import Elimination, Placing
from engine.elimination.standings import view as view_of_table
from engine.elimination.terms import Terms
from engine.fairness.chain import tip_of
from engine.fairness.lots import Lots
from engine.fairness.sets import stream
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP
from engine.sets.answers import ACTIONS, worked_out
from engine.sets.choosing import chosen_freely
from engine.sets.duels import terms_of
from engine.sets.prepared import Prepared
from engine.sets.programme import UNIT
from engine.sets.shares import counted
from engine.sets.tries import NEXT, Try, begun
from engine.tournament.draft import TournamentPosition
from engine.tournament.field import Score
from engine.tournament.ports import FieldStanding
from engine.tournament.state import Every, TournamentState, WhyCancelled
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms
from engine.tournament.view import TournamentView, view

STARTS: Final = 1_800_003_600.0
SEED: Final = bytes(range(32))
TIP: Final = tip_of(SEED)


def tournament(people: int, buy_in: int = 100) -> Tournament:
    made = Tournament(TournamentTerms(1_000 * CHIP, buy_in * CHIP))
    for number in range(1, people + 1):
        made.join(f"m{number}")
    return made


def seen(made: Tournament, tables: Mapping[int, Any] | None = None, **more: Any) -> TournamentView:
    users = {f"m{number}": 100 + number for number in range(1, 30)}
    keys = {*made.best, *(who.key for table in made.tables for who in table)} - set(users)
    computers = {key: f"Computer {key[-3:]}" for key in keys}
    state = TournamentState(
        9, 1, 2, 100, "original", {}, STARTS, made.record(), wall="2027-01-15 09:00", users=users, names=computers,
        **({"message": 11, "tip": TIP, "promise": 33, "entrants": 44 if made.tables else None} | more),
    )  # fmt: skip
    return view(TournamentPosition(state, made), tables or {})


def started(people: int, buy_in: int = 100) -> Tournament:
    made = tournament(people, buy_in)
    made.close()
    made.draw_from(SEED, "33", "44")
    made.start()
    return made


def play_stage(made: Tournament) -> None:
    for number in made.running:
        best = sorted(made.tables[number], key=lambda who: (not who.person, who.key))
        ends = zip(best, (None, 9, 6, 3), strict=True)
        made.finished(
            number, [Placing(who.key, fell, 1_000 * CHIP * (4 - at), 500 * CHIP) for at, (who, fell) in enumerate(ends)]
        )


def playing() -> TournamentView:
    """Five people at two tables; at the first one somebody leads."""
    made = started(5)
    table = Elimination(Terms(made.terms.budget, lone=False), made.tables[0], Lots(SEED))
    while table.asked is not None:
        table.stake(table.asked, table.smallest(table.asked))
    table.played([100 * CHIP, -50 * CHIP, 0, 0])
    return seen(made, {0: view_of_table(table)}, channels={"0": 55, "1": 2})


def with_a_richer_one_out() -> TournamentView:
    """At the first table the poorest is out, with more chips than somebody has at the second."""
    made, tables = started(5), dict[int, Any]()
    for number, nets in enumerate(([(0, 0, 0, -100), (0, 0, 0, 0), (0, 0, 0, 0)], [(0, 0, 0, -100), (0, 0, 0, -100)])):
        table = Elimination(Terms(made.terms.budget, lone=False), made.tables[number], Lots(SEED))
        for each in nets:
            while table.asked is not None:
                table.stake(table.asked, table.smallest(table.asked))
            table.played([net * CHIP for net in each])
        tables[number] = view_of_table(table)
    return seen(made, tables, channels={"0": 55, "1": 2})


def in_the_final() -> TournamentView:
    made = started(5)
    play_stage(made)
    return seen(made)


def over(people: int, buy_in: int = 100) -> TournamentView:
    made = started(people, buy_in)
    while made.phase is TournamentPhase.PLAYING:
        play_stage(made)
    return seen(made, root=SEED.hex())


def cancelled(why: WhyCancelled, people: int = 2) -> TournamentView:
    made = tournament(people)
    made.cancel()
    return seen(made, why=why, root=SEED.hex())


def closed() -> TournamentView:
    made = tournament(3)
    made.close()
    return seen(made)


# -- the same cards for all --------------------------------------------------------------------------------------------

#: What mistakes cost the best people, and what they won; those behind them lose more each.
SCORES: Final = ((0, 150), (110_000, -350), (1_310_000, -700), (2_120_000, -750))
#: As many deals as fill more than a page.
DEALS: Final = 6


def same_cards_begun(people: int, buy_in: int = 100) -> Tournament:
    made = Tournament(TournamentTerms(1_000 * CHIP, buy_in * CHIP, hands=DEALS))
    for number in range(1, people + 1):
        made.join(f"m{number}")
    made.close()
    made.deal()
    return made


def same_cards_in_play() -> TournamentView:
    """One of nine is done, two play, and of the six others not all are named."""
    shown = FieldStanding(9, done=((101,), 1), playing=((102, 103), 2), waiting=((104, 105), 6))
    return replace(seen(same_cards_begun(9), ends=STARTS + 86_400), field=shown)


def same_cards(people: int, equals: int = 1, absent: int = 0, buy_in: int = 100) -> TournamentView:
    """Return the end of the same cards, in which the first people are equals, and the absent never began."""
    made = same_cards_begun(people + absent, buy_in)
    behind = ((UNIT * (3 + more), -800 - 100 * more) for more in range(people))
    scores = [*SCORES[:1] * equals, *SCORES[1:], *behind][:people]
    made.played([Score(f"m{number}", *score) for number, score in enumerate(scores, 1)])
    return seen(made, root=SEED.hex())


@cache
def dealt() -> DealtSet:
    terms = terms_of("vegas", VEGAS)
    shoes = stream(SEED, "same/9", terms.rules.decks)
    deals = chosen_freely(terms, shoes, DEALS)
    prepared = Prepared(terms, deals, tuple(worked_out(terms.rules, shoes(deal.number)) for deal in deals))
    return DealtSet(
        id=1, dealt_as="same/9", prepared=prepared, tip=TIP, link=1, seed=SEED, opens=STARTS, closes=STARTS + 86_400.0
    )


def tried(*, worst: bool = False) -> Try:
    """Return a way through the deals, by the best of all decisions or by the worst."""
    shoes, choose = dealt().shoes, min if worst else max
    found = begun(dealt().prepared, shoes)
    while not found.over:
        worths = found.prepared.answers[found.place][found.letters[-1]] if not found.round.over else {}
        found = found.pressed(ACTIONS[choose(worths, key=worths.__getitem__)] if worths else NEXT, shoes)
    return found


def all_hands(own: Try | None, page: int = 0) -> ui.LayoutView:
    counts = counted([(tried().steps, 11), (tried(worst=True).steps, 3)])
    return deals_view(FieldResult(StoredField(9, 1, over=True, deals=dealt()), counts, 14, own, SEED), page)


def of_the_first_release(people: int, *, cancelled: bool = False, **more: Any) -> TournamentView:
    made = Tournament(TournamentTerms(1_000 * CHIP, 100 * CHIP), SEED, version=1)
    for number in range(1, people + 1):
        made.join(f"m{number}")
    if cancelled:
        made.cancel()
    return seen(made, **more)


SIGN_UP: Final = seen(tournament(3))
WEEKLY: Final = seen(tournament(1, buy_in=0), every=Every.WEEKLY, zone="Europe/Paris")
PLAN: Final = TournamentPlan(int(STARTS), Every.WEEKLY, 1_000, 100, "expert", "original")


def scenes() -> dict[str, ui.LayoutView]:
    """Return the scenes in the language that is spoken."""
    return {
        "the plan is asked about": pages.preview("…", ConfirmKey.of(PLAN), free=False),
        "a plan without a buy-in is asked about": pages.preview("…", ConfirmKey.of(PLAN), free=True),
        "planned": pages.planned(SIGN_UP),
        "sign-up, nobody yet": pages.sign_up(seen(tournament(0))),
        "sign-up, three are in": pages.sign_up(SIGN_UP),
        "sign-up, free and weekly": pages.sign_up(WEEKLY),
        "sign-up, more than there is room for": pages.sign_up(seen(tournament(29))),
        "reminder": pages.reminder(SIGN_UP),
        "moved to another hour": pages.moved(seen(tournament(3), moved_from=STARTS - 7_200)),
        "sign-up is closed": pages.sign_up(closed()),
        "sign-up of a tournament of the first release": pages.sign_up(of_the_first_release(2)),
        "sign-up while it is played": pages.sign_up(playing()),
        "sign-up when it is over": pages.sign_up(over(5)),
        "standings": pages.standings(playing()),
        "standings, one is out": pages.standings(with_a_richer_one_out()),
        "standings, more than there is room for": pages.standings(seen(started(18))),
        "standings in the final": pages.standings(in_the_final()),
        "podium, three prizes": pages.podium(over(5), gone=()),
        "podium, the second has left the server": pages.podium(over(5), gone={102}),
        "podium, one prize": pages.podium(over(2), gone=()),
        "podium, the next one is planned": pages.podium(over(3), gone=(), following=WEEKLY),
        "podium, no prize": pages.podium(over(2, buy_in=0), gone=()),
        "same cards, sign-up while it is played": pages.sign_up(same_cards_in_play()),
        "same cards, the board while it is played": field_pages.board(same_cards_in_play()),
        "same cards, the end": field_pages.podium(same_cards(5), gone=()),
        "same cards, two share the title": field_pages.podium(same_cards(5, equals=2), gone=()),
        "same cards, more share the title than a heading names": field_pages.podium(same_cards(6, equals=4), gone=()),
        "same cards, more people than a message names": field_pages.podium(same_cards(18), gone={101}),
        "same cards, fewer than four": field_pages.podium(same_cards(3), gone=(), following=WEEKLY),
        "same cards, nobody played": field_pages.podium(same_cards(0, absent=2), gone=()),
        "same cards, a free one": field_pages.podium(same_cards(4, buy_in=0), gone=()),
        "same cards, the board at the end": field_pages.board(same_cards(5)),
        "same cards, all places": places_page(same_cards(18), 1, 102),
        "same cards, all hands": all_hands(tried(worst=True)),
        "same cards, all hands, the last page for somebody else": all_hands(None, 1),
        **{f"cancelled: {why.value}": pages.cancelled(cancelled(why)) for why in WhyCancelled},
        "cancelled, its sign-up never got a message": pages.cancelled(
            seen(tournament(0), why=WhyCancelled.CHANNEL_GONE, root=SEED.hex(), message=None)
        ),
        "cancelled, of the first release": pages.cancelled(
            of_the_first_release(2, cancelled=True, why=WhyCancelled.RESTORED, message=None)
        ),
        "cancelled, the sign-up says so": pages.sign_up(cancelled(WhyCancelled.MANAGER)),
        "the list": pages.listed([SIGN_UP, seen(tournament(2), message=None), WEEKLY, playing()]),
        "the list, more than there is room for": pages.listed([SIGN_UP] * 22),
        "the list, empty": pages.listed([]),
        "the list, empty, for a manager": pages.listed([], manages=True),
        "titles": pages.champions([Champion(101, 2, 1), Champion(102, 0, 5, 1)]),
        "no titles": pages.champions([]),
    }


def pictures() -> dict[str, Picture]:
    """Return the pictures with the names that are known."""
    nine = replace(seen(started(9)), lines=seen(started(9)).lines[:9])
    return {
        "standings": Picture("", partial(render_standings, pages.standings_picture(playing())), ""),
        "standings in two columns": Picture("", partial(render_standings, pages.standings_picture(nine)), ""),
        "podium": Picture("", partial(render_podium, pages.podium_picture(over(5))), ""),
    }
