"""The keys of duels, on the challenge and on the private pages, and the pages that they lead to."""

from __future__ import annotations

from typing import Any, ClassVar

from discord import ButtonStyle, SelectOption, ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands, misplaced
from cogs.answers.forms import Form, FormValues
from cogs.answers.here import ages_of, here, member_of
from cogs.answers.panel import BRASS, FELT, Rows, panel
from cogs.answers.preferences import preferences, reader_of
from cogs.answers.press import choice
from cogs.answers.reply import Reply
from cogs.care.sittings import note
from cogs.duel import asking, texts
from cogs.duel.asking import GAME, ChallengeRequest, challenge, not_for_chips
from cogs.duel.door import DUEL, OfADuel
from cogs.duel.picture import PictureKey
from cogs.duel.posting import edit, is_private, send
from cogs.table import rule_sets
from cogs.table.motion import expect_pause, show
from cogs.table.opening import refuse_unrestricted_channel
from cogs.today import timed
from cogs.today.hand import PageWithFiles
from cogs.today.motion import moments
from cogs.today.texts import sign_of
from cogs.words import _, counted, mention, number, reading, safe, when
from cogs.words.refusals import Sorry
from cogs.words.typed import whole_number
from data import DealtSet, MustKeep, StoredDuel, TooFewHands
from engine.games.contract import CHIP
from engine.sets.duels import UNPLAYED, USUAL, DuelState

# -- the message that everybody sees -----------------------------------------------------------------------------------


def challenge_view(duel: StoredDuel) -> ui.LayoutView:
    """Return the message of a challenge, or of a duel that is not over."""
    what = f"{texts.terms(duel)}. {texts.rule()}"
    rows = challenge_rows(duel) if duel.state is DuelState.CHALLENGED else [[DuelHandsKey.of(duel, _("Play my hands"))]]
    return panel(texts.heading(duel), what, texts.standing(duel), small=[texts.sealed(duel)], rows=rows, colour=FELT)


def challenge_rows(duel: StoredDuel) -> Rows:
    """Return the keys of an open challenge."""
    fun = AcceptKey.button(_("For fun"), duel=duel.id, fun=1)
    accept = AcceptKey.button(_("Accept"), style=ButtonStyle.success, duel=duel.id, fun=1)
    if duel.offered:
        label = _("Accept {chips}", chips=number(duel.offered // CHIP))
        accept = AcceptKey.button(label, style=ButtonStyle.success, duel=duel.id, fun=0)
    no, back = (RefuseKey.button(label, duel=duel.id, how=how) for label, how in ((_("No"), "n"), (_("Withdraw"), "w")))
    return [[accept, *([fun] if duel.offered else []), no, back]]


def ended_rows(duel: StoredDuel) -> Rows:
    """Return the keys below the message that says how a duel ended, or none if it was not played."""
    if duel.ending in UNPLAYED:
        return []
    picture = PictureKey.button(_("Picture"), duel=duel.id)
    return [
        [
            DealsKey.button(_("All hands"), style=ButtonStyle.primary, duel=duel.id, page=0),
            *([picture] if all(side.began or side.member is None for side in duel.sides) else []),
            AgainKey.button(_("Again"), duel=duel.id),
        ]
    ]


class AcceptKey(OfADuel, template=rf"duel:accept:{DUEL}:(?P<fun>[01])"):
    """The key that accepts a challenge, for its stake or for fun."""

    fun: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, side = await self.found(interaction)
        if side == 0:
            raise Sorry(_("That button is for {other}.", other=texts.name_of(duel, 1)))
        member, for_fun = await member_of(interaction), str(self.fun) == "1"
        accept = interaction.client.bank.challenges.accept
        try:
            duel = await accept(self.duel, member, ages_of(interaction), for_fun=for_fun)
        except (MustKeep, TooFewHands) as error:
            raise not_for_chips(error) from error
        await shown_after(interaction, reply, duel)


class RefuseKey(OfADuel, template=rf"duel:refuse:{DUEL}:(?P<how>[nw])"):
    """The key that declines a challenge, or withdraws one's own. After declining, one can also silence the other."""

    how: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, side = await self.found(interaction)
        if side != "wn".index(self.how):
            raise Sorry(_("That button is for {other}.", other=texts.name_of(duel, 1 - side)))
        ended = await interaction.client.bank.challenges.refuse(self.duel, duel.sides[side].member or 0)
        await shown_after(interaction, reply, ended)
        if self.how == "n":
            name = texts.name_of(duel, 0)
            silence = SilenceKey.button(_("Never again"), duel=self.duel)
            text = _("If you want no more challenges from {name}, say so here. They are not told.", name=name)
            view = panel(_("Declined"), text, rows=[[silence]])
            await reply.add(view, private=True)


class SilenceKey(OfADuel, template=rf"duel:silence:{DUEL}"):
    """The key that stops all challenges and invitations from the other player. That player does not learn of it."""

    stands: ClassVar[Stands] = Stands.PRIVATELY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, side = await self.found(interaction)
        other = duel.sides[1 - side].user
        if other is None:
            raise Sorry(_("That person is no longer known here. Nothing was changed."))
        await interaction.client.bank.wishes.silence(interaction.user.id, other)
        text = _(
            "{name} can't invite you to duels or tables any more, and is not told. You can undo that in `/settings`.",
            name=texts.name_of(duel, 0),
        )
        await reply.redraw(panel(_("Declined"), text))


# -- playing -----------------------------------------------------------------------------------------------------------


class DuelHandsKey(OfADuel, template=rf"duel:play:{DUEL}"):
    """The key that begins the presser's own hands or goes on with them.

    After the last one it shows how the duel stands, and in the end its result.
    """

    @classmethod
    def of(cls, duel: StoredDuel, label: str) -> DuelHandsKey:
        return cls.button(label, style=ButtonStyle.primary, duel=duel.id)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, _side = await self.found(interaction)
        view, files = await opened(interaction, duel)
        await (reply.redraw(view, files) if is_private(interaction) else reply.show(view, files))
        now = await interaction.client.bank.duels.known(duel.id)
        if now.version != duel.version:
            await drawn(interaction.client, now)


class DuelActKey(OfADuel, template=rf"duel:act:{DUEL}:(?P<version>\d{{1,6}}):(?P<action>[a-z]{{1,12}}|/)"):
    """The key for an action in a hand, or for going on to the next hand.

    A press is stored before it is shown, and an old one changes nothing.
    """

    stands: ClassVar[Stands] = Stands.PRIVATELY

    version: int
    action: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, _side = await self.found(interaction)
        bank, user = interaction.client.bank, interaction.user.id
        stored = await bank.duels.find(duel, user)
        if duel.over or stored is None:
            view, files = await opened(interaction, duel)
            await reply.redraw(view, files)
            return
        deals = await bank.duels.deals(duel)
        after = await timed.press(bank, stored, deals, self.version, self.action, lambda: bank.duels.find(duel, user))
        view, files = await _page(duel, deals, after)
        await reply.redraw(view, files)
        if after.stored.finished_at is not None and stored.finished_at is None:
            await bank.duels.end(duel.id)
            await drawn(interaction.client, await bank.duels.known(duel.id))
        await note(interaction, reply)


async def opened(interaction: Interaction, duel: StoredDuel) -> PageWithFiles:
    """Begin the presser's hands or go on with them, and return the page of the hand to play.

    If the presser is done, return how the duel stands, and end it if the other one is done too; if the last hand has
    just stood because its time ran out, return that hand. If the duel is over, return how it ended. Raises Sorry for a
    challenge that is not accepted yet.
    """
    bank = interaction.client.bank
    if duel.over:
        return PageWithFiles(await result_view(interaction.client, duel))
    if duel.state is DuelState.CHALLENGED:
        raise Sorry(_("This challenge has not been accepted yet."))
    stored = await bank.duels.begin(duel, interaction.user.id)
    deals = await bank.duels.deals(duel)
    seen = await timed.look(bank, stored, deals)
    if seen.stored.finished_at is not None:
        await bank.duels.end(duel.id)
        if seen.in_time:
            now = await bank.duels.known(duel.id)
            return PageWithFiles(await result_view(interaction.client, now) if now.over else _done(now))
    return await _page(duel, deals, seen)


async def _page(duel: StoredDuel, deals: DealtSet, played: timed.TimedTry) -> PageWithFiles:
    def key(label: str, action: str) -> ui.Item[Any]:
        version = played.stored.version
        return DuelActKey.button(label, style=ButtonStyle.primary, duel=duel.id, version=version, action=action)

    return await timed.page(played, deals, key, DuelHandsKey.of(duel, _("How it stands")))


def _done(duel: StoredDuel) -> ui.LayoutView:
    told = _("You are done. The result is posted as soon as both of you are.")
    return panel(texts.heading(duel), told, texts.standing(duel))


# -- afterwards --------------------------------------------------------------------------------------------------------


async def result_view(bot: Casino, duel: StoredDuel) -> ui.LayoutView:
    """Return the message that says how a duel ended."""
    result = await bot.bank.duels.result(duel)
    return panel(
        texts.title(duel),
        "\n".join(texts.ended(result)),
        small=texts.points(result),
        rows=ended_rows(duel),
        colour=BRASS,
    )


class DealsKey(OfADuel, template=rf"duel:deals:{DUEL}:(?P<page>\d{{1,2}})"):
    """The key that shows all deals of a duel that is over, each with how both have played it."""

    page: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, side = await self.found(interaction)
        result = await interaction.client.bank.duels.result(duel)
        pages = texts.pages(result)
        page = min(self.page, pages - 1)
        keys: list[ui.Item[Any]] = [
            DealsKey.button(label, enabled=0 <= to < pages, duel=self.duel, page=max(to, 0))
            for label, to in ((_("Back"), page - 1), (_("Next"), page + 1))
        ]
        small = [_("Seed {seed}, of the promise {tip}.", seed=f"`{result.seed.hex()}`", tip=f"`{duel.tip}`")]
        rows: Rows = [keys] if pages > 1 else []
        if result.tries[side] is not None:
            rows.append([DuelMotionMenu.of(duel, page)])
        view = panel(texts.title(duel), *texts.deals(result, page), small=small, rows=rows, divided=True)
        await (reply.redraw(view, []) if is_private(interaction) else reply.show(view))


class DuelMotionMenu(OfADuel, template=rf"duel:motion:{DUEL}:(?P<page>\d{{1,2}})"):
    """The menu of the presser's own hands on a page; the chosen one is shown in motion."""

    stands: ClassVar[Stands] = Stands.PRIVATELY

    page: int

    @classmethod
    def of(cls, duel: StoredDuel, page: int) -> DuelMotionMenu:
        places = range(page * texts.PAGE, min((page + 1) * texts.PAGE, duel.hands))
        options = [SelectOption(label=_("Hand {number}", number=place + 1), value=str(place)) for place in places]
        custom_id = cls.carries.of(duel=duel.id, page=page)
        return cls(ui.Select(custom_id=custom_id, options=options, placeholder=_("Animation")))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, side = await self.found(interaction)
        result, chosen = await interaction.client.bank.duels.result(duel), choice(interaction)
        found = result.tries[side]
        if found is None or chosen not in map(str, range(len(found.letters))):
            raise misplaced()
        expect_pause(interaction)
        place = int(chosen)
        heading = _("Hand {number} {sign}", number=place + 1, sign=sign_of(found, place))
        back = DealsKey.button(_("Back"), duel=self.duel, page=self.page)
        await show(interaction, reply, heading, moments(found, result.deals.shoes, place), [[back]])


class AgainKey(OfADuel, template=rf"duel:again:{DUEL}"):
    """The key that asks for another duel with the same opponent, stake, number of hands and rules.

    If managers have changed the rule set since, its present rules are taken (R12.1).
    """

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        duel, side = await self.found(interaction)
        name, other = duel.rules_name, duel.sides[1 - side]
        if duel.level is None:
            if other.user is None:
                raise asking.stranger()
            await asking.met(interaction, other.user)
        rules = await rule_sets.find(interaction, GAME, name)
        chips = duel.stake // CHIP
        await made(interaction, reply, asking.wanted(name, rules, other.user, duel.level, chips, duel.hands))


class DuelForm(Form, template=r"duel:to:(?P<to>\d{1,20})"):
    """The form that asks for the stake of a duel, after a right click on somebody."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    to: int

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        typed = answers.get("chips", "").strip()
        chips = whole_number(typed) if typed else 0
        if chips is None:
            raise Sorry(_("**{text}** isn't a number of chips.", text=safe(typed)))
        asking.refuse_no_opponent(interaction, await asking.met(interaction, self.to))
        name = rule_sets.default(GAME)
        rules = await rule_sets.find(interaction, GAME, name)
        await made(interaction, reply, asking.wanted(name, rules, self.to, None, chips, USUAL))


# -- a new one ---------------------------------------------------------------------------------------------------------


async def made(interaction: Interaction, reply: Reply, asked: ChallengeRequest) -> None:
    """Make a challenge and post it, calling the other person; or open the first hand against a computer player."""
    refuse_unrestricted_channel(interaction)
    duel = await challenge(interaction, asked)
    if duel.level is not None:
        view, files = await opened(interaction, duel)
        await reply.show(view, files)
        return
    stake = _("The bank keeps {chips} for it until then.", chips=counted(duel.offered)) if duel.offered else ""
    text = _("{name} has a day to answer. `/duel` shows your duels.", name=texts.name_of(duel, 1))
    await reply.show(panel(_("Challenge sent"), " ".join(filter(None, (text, stake)))))
    await posted(interaction, reply, duel)


async def posted(interaction: Interaction, reply: Reply, duel: StoredDuel) -> None:
    """Post a challenge in the server's language, calling the other person, and store which message it is."""
    with reading(await reader_of(interaction.client, duel.guild)):
        view = challenge_view(duel)
    called = [duel.sides[1].user] if duel.sides[1].user is not None else []
    await interaction.client.bank.challenges.posted(duel.id, await reply.add(view, called=called))


async def shown_after(interaction: Interaction, reply: Reply, duel: StoredDuel) -> None:
    """Show that a challenge was accepted or refused, on its own message and on the one whose key was pressed."""
    if is_private(interaction):
        await reply.redraw(await open_ones(interaction))
        await drawn(interaction.client, duel)
        return
    with reading(await reader_of(interaction.client, duel.guild)):
        view = closed_view(duel) if duel.over else challenge_view(duel)
    await reply.redraw(view)
    if duel.over:
        await interaction.client.bank.duels.mark_posted(duel.id)


async def drawn(bot: Casino, duel: StoredDuel) -> None:
    """Bring the message of a duel up to date. For a duel that is over, only the first call does anything.

    If that duel was played, the same call posts its result, which calls both players. A duel against a computer player
    has no message.
    """
    if duel.level is not None:
        return
    with reading(await reader_of(bot, duel.guild)):
        if not duel.over:
            await edit(bot, duel, challenge_view(duel))
            return
        result = None if duel.ending in UNPLAYED else await result_view(bot, duel)
        if not await bot.bank.duels.mark_posted(duel.id):
            return
        if result is not None:
            await send(bot, duel, result, [side.user for side in duel.sides if side.user is not None])
        await edit(bot, duel, closed_view(duel))


async def called(bot: Casino, number: int) -> None:
    """Call the players of a duel who are not done and want calls. For each duel this posts at most one message."""
    duel = await bot.bank.duels.known(number)
    users = [side.user for side in duel.sides if side.user is not None and not side.done]
    wishing = [user for user in users if (await preferences(bot.bank, duel.guild, user)).calls]
    if await bot.bank.duels.called(number) and wishing:
        with reading(await reader_of(bot, duel.guild)):
            names, moment = " ".join(map(mention, wishing)), when(duel.deadline)
            text = _(
                "{names} Your duel ends {moment}. Hands that aren't played by then stand.", names=names, moment=moment
            )
            view = panel(texts.title(duel), text, rows=[[DuelHandsKey.of(duel, _("Play my hands"))]])
        await send(bot, duel, view, wishing)


def closed_view(duel: StoredDuel) -> ui.LayoutView:
    """Return the message of a challenge as it stays once its duel is over.

    If the duel has no result, the message says so, but never why. A result has a message of its own.
    """
    text = texts.unplayed(duel) if duel.ending in UNPLAYED else _("This duel is over.")
    return panel(texts.title(duel), texts.terms(duel), text)


# -- one's open ones ---------------------------------------------------------------------------------------------------


async def open_ones(interaction: Interaction) -> ui.LayoutView:
    """Return the page of the presser's duels on this server that are not over."""
    found = await interaction.client.bank.duels.open_of(interaction.user.id)
    blocks: list[str | ui.ActionRow[Any]] = []
    for duel in (each for each in found if each.guild == here(interaction).guild):
        lines = [f"**{texts.heading(duel)}**", texts.terms(duel), texts.standing(duel)]
        blocks.append("\n".join(lines))
        blocks += [ui.ActionRow(*row) for row in _own_rows(duel, duel.side_of(interaction.user.id))]
    nothing = _(
        "You have no open duel here. Choose a member in `/duel` to challenge them, or a level to begin at once."
    )
    return panel(_("Your duels"), *(blocks or [nothing]), small=[texts.plain_rule()])


def _own_rows(duel: StoredDuel, side: int | None) -> Rows:
    """Return the keys of an open duel for the player on this side: 0 is the challenger; 1 or None is the other."""
    if duel.state is DuelState.CHALLENGED:
        (row,) = challenge_rows(duel)
        return [row[-1:] if side == 0 else row[:-1]]
    return [[DuelHandsKey.of(duel, _("Play"))]]
