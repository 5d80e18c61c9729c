"""A tournament with the same cards for all, step by step and straight on the bank. Every one has the same deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from data import Bank
from data.base.sets import StoredField, StoredTry
from engine.fairness.chain import seed_of, table_root, tip_of
from engine.fairness.sets import same_name
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP
from engine.sets.duels import LINK, RUNS_FOR
from engine.tables.places import tournament_place
from engine.tables.values import Chain, Member
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.ports import FieldDeals
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms
from tests.data.dealer import GUILD, HandClock, press
from tests.data.pairs import HANDS, deals_of, presses

ROOT = bytes(range(32, 64))
BUY_IN = 150


class Crowd:
    """One tournament with the same cards, and those who play it."""

    def __init__(self, bank: Bank, clock: HandClock) -> None:
        self.bank, self.clock = bank, clock

    @property
    def id(self) -> int:
        return self.position.state.id

    async def open(self, organiser: Member, buy_in: int = BUY_IN) -> Crowd:
        """Post a promise and open the sign-up."""
        tournament = Tournament(TournamentTerms(1_000 * CHIP, buy_in * CHIP, hands=HANDS))
        starts = self.clock.now() + 3_600
        state = TournamentState(
            press(), organiser.guild, 70, organiser.id, "vegas", VEGAS.as_json(), starts, tournament.record()
        )
        chain = Chain(state.id, tournament_place(state.id), state.guild, 70, ROOT, tip_of(ROOT))
        await self.bank.chains.begin(chain)
        await self.bank.chains.promised(chain.id, 33)
        self.position = TournamentPosition.of(replace(state, tip=chain.tip, promise=33))
        await self.do(lambda draft: None)
        return self

    async def do(self, alter: Callable[[TournamentDraft], None], cause: str = "") -> None:
        draft = TournamentDraft(self.position, self.clock.now())
        alter(draft)
        await self.bank.tournaments.commit(draft.change(cause or f"cup/{self.id}/{self.position.state.version}"))
        self.position = draft.position()

    async def sign_up(self, *members: Member) -> None:
        for member in members:
            await self.do(lambda draft, member=member: draft.join(member, press()))  # type: ignore[misc]

    async def deal(self) -> StoredField:
        """Close the sign-up, and deal."""
        await self.do(TournamentDraft.close_sign_up)
        ends = self.clock.now() + RUNS_FOR
        await self.do(lambda draft: draft.deal(self.deals(), ends))
        return await self.bank.fields.known(self.id)

    @staticmethod
    def deals() -> FieldDeals:
        """The deals that follow from the root of every crowd."""
        root = table_root(ROOT, 1, 0, 0)
        return FieldDeals(root, deals_of(seed_of(root, LINK), same_name(tip_of(root))))

    async def play(self, user: int, letters: Sequence[str]) -> StoredTry:
        """Play on with these presses."""
        field = await self.bank.fields.known(self.id)
        stored = await self.bank.fields.begin(field, user)
        for action in letters:
            after = stored.on(field.deals).pressed(action, field.deals.shoes)
            stored = await self.bank.tries.press(stored, after)
        return stored

    async def play_out(self, user: int, *, worst: bool = False) -> StoredTry:
        """Play all deals as well as can be, or as badly."""
        field = await self.bank.fields.known(self.id)
        return await self.play(user, presses(field.deals, worst=worst))

    async def compare(self) -> None:
        """End it, as the director does once nothing is left to wait for."""
        scores = await self.bank.fields.scores(self.id)
        await self.do(lambda draft: draft.played(scores))

    async def announced(self) -> None:
        """Show the root, and leave nothing to do."""
        chain = await self.bank.chains.in_use(tournament_place(self.id))
        if chain is not None:
            await self.bank.chains.end(chain.id, "the tournament is over")
        await self.do(TournamentDraft.end_announced)

    @property
    def phase(self) -> TournamentPhase:
        return self.position.tournament.phase


async def some(bank: Bank, clock: HandClock, people: int, buy_in: int = BUY_IN, guild: int = GUILD) -> Crowd:
    """A crowd that has signed up, with Discord ids from 1, and may play now."""
    members = [await bank.members.sign_in(guild, user) for user in range(1, people + 1)]
    crowd = await Crowd(bank, clock).open(members[0], buy_in)
    await crowd.sign_up(*members)
    await crowd.deal()
    return crowd


async def one_of_each(bank: Bank, clock: HandClock, guild: int) -> None:
    """A server with the same cards played for chips and bound, and others that are still played."""
    played = await some(bank, clock, 5, 20, guild)
    for user in (1, 2, 3, 4):
        await played.play_out(user, worst=user > 2)
    clock.time += RUNS_FOR
    await played.compare()
    await played.announced()
    clock.time += 7_200
    while await bank.leaves.bind():
        pass
    goes_on = await some(bank, clock, 4, 10, guild)
    await goes_on.play_out(1)
    await goes_on.play(2, presses((await bank.fields.known(goes_on.id)).deals)[:3])
