"""Breaks and limits: the page behind `/settings`, its keys and its forms. Only the person ever sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.forms import Form, FormValues
from cogs.answers.panel import panel
from cogs.answers.press import Press, choice
from cogs.answers.reply import Reply
from cogs.care.away import call_no_more
from cogs.words import N_, _, chips, counted, exactly, number, safe, when
from cogs.words.refusals import Sorry, ends
from cogs.words.typed import whole_number
from data import NEVER, Challenges, Length, Limit, LimitKind, Rest, Resting, TooSoon, Wishes
from engine.games.contract import CHIP

WHAT: Final[Mapping[Rest, str]] = {
    Rest.CHIPS: N_("from chips"),
    Rest.EVERYTHING: N_("from everything"),
}
LENGTHS: Final[Mapping[Length, str]] = {
    Length.DAY: N_("A day"),
    Length.WEEK: N_("A week"),
    Length.MONTH: N_("A month"),
    Length.HALF_A_YEAR: N_("Six months"),
    Length.YEAR: N_("A year"),
    Length.FOR_GOOD: N_("For good"),
}
KINDS: Final[Mapping[LimitKind, str]] = {
    LimitKind.LOSS_DAY: N_("Loss in 24 hours"),
    LimitKind.LOSS_WEEK: N_("Loss in 7 days"),
    LimitKind.HANDS_DAY: N_("Hands in 24 hours"),
}
TAKEN_FROM: Final[Mapping[Challenges, str]] = {
    Challenges.EVERYBODY: N_("Challenges and invitations: from everybody"),
    Challenges.FOR_FUN: N_("Challenges and invitations: for fun only"),
    Challenges.NOBODY: N_("Challenges and invitations: from nobody"),
}
_RESTS: Final = "|".join(Rest)
#: The address of an organisation that helps people in any country.
HELP_OUTSIDE: Final = "https://www.gamblingtherapy.org"
#: The lengths of breaks by their words in custom ids.
_LENGTHS: Final = {length.name.lower(): length for length in Length}
_WORDS: Final = {length: word for word, length in _LENGTHS.items()}
#: The words of the lengths that a press confirms. A break for good is confirmed by typing.
_CONFIRMED: Final = "|".join(word for word, length in _LENGTHS.items() if length is not Length.FOR_GOOD)


# -- the page ----------------------------------------------------------------------------------------------------------


async def care_page(interaction: Interaction) -> ui.LayoutView:
    """Return the page of a person's breaks, limits and choices for all servers."""
    bank, user = interaction.client.bank, interaction.user.id
    resting, limits, wishes = await bank.breaks.of(user), await bank.limits.of(user), await bank.wishes.of(user)
    member = await bank.members.known(interaction.guild_id or 0, user)
    so_far = await bank.chips.so_far(member.id) if member is not None else {}
    shown = _("**Leaderboards**: hidden") if wishes.hidden else _("**Leaderboards**: shown")
    keys: list[ui.Item[Any]] = [
        BreakKey.button(_("Take a break")),
        LimitsKey.button(_("Limits")),
        HiddenKey.of(wishes),
    ]
    more: list[ui.Item[Any]] = [AboutKey.button(_("What the house does"))]
    if resting.may_ask is not None and resting.may_ask <= interaction.client.clock.now():
        more.append(AskKey.button(_("Ask for the break to end")))
    if wishes.silenced:
        more.append(HearKey.button(_("Hear from everybody again ({count})", count=number(wishes.silenced))))
    return panel(
        _("Breaks and limits"),
        "\n".join([*_breaks(resting), *_limits(limits, so_far), shown]),
        small=[_("All this counts on all servers, and nobody else is shown any of it.")],
        rows=[keys, [ChallengesMenu.of(wishes)], more],
    )


def _breaks(resting: Resting) -> Iterator[str]:
    if resting.chips is None:
        yield _("**Break**: none")
        return
    if resting.everything is not None:
        yield _("**Break** from everything {until}", until=ends(resting.everything))
    if resting.chips != resting.everything:
        yield _("**Break** from chips {until}", until=ends(resting.chips))
    if resting.may_ask is not None:
        yield _("You may ask for it to end from {moment} on.", moment=exactly(resting.may_ask))


def _limits(limits: Mapping[LimitKind, Limit], so_far: Mapping[LimitKind, int]) -> Iterator[str]:
    """Yield a line for each limit, with what counts against it so far where that is known."""
    for kind, limit in limits.items():
        most = _most(kind, limit.most)
        if limit.most is not None and kind in so_far:
            shown = number(so_far[kind]) if kind is LimitKind.HANDS_DAY else chips(so_far[kind])
            most = _("{count} of {most}", count=shown, most=most)
        elif so_far.get(kind):
            most = _("{count} so far, {most}", count=_count(kind, so_far[kind]), most=most)
        line = _("**{limit}**: {most}", limit=_(KINDS[kind]), most=most)
        if limit.later_at is not None:
            rise = _("{most} {when}", most=_most(kind, limit.later), when=when(limit.later_at))
            line = _("{line}, then {rise}", line=line, rise=rise)
        yield line


def _most(kind: LimitKind, most: int | None) -> str:
    return _("no limit") if most is None else _count(kind, most)


def _count(kind: LimitKind, count: int) -> str:
    return number(count) if kind is LimitKind.HANDS_DAY else counted(count)


class CareKey(Press, template=r"care:page"):
    """The key that leads to the page of breaks and limits, from `/settings`, `/help` and `/privacy`."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    @classmethod
    def of(cls) -> Self:
        return cls.button(_("Breaks and limits"))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await care_page(interaction))


class HearKey(Press, template=r"care:hear"):
    """The key that ends all silencing: these people can challenge and invite the presser again, as others can."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await interaction.client.bank.wishes.hear_all(interaction.user.id)
        await reply.redraw(await care_page(interaction))


class AboutKey(Press, template=r"care:about"):
    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(_about())


def _about() -> ui.LayoutView:
    breaks = _(
        "**A break** begins at once and holds on all servers. Nobody can end it early: not you, not the managers of a "
        "server, and the bot has no command for it. A hand that has begun goes on, and chips that come in arrive. "
        "*Forget me* does not end it."
    )
    limits = _("**A limit** falls at once. It rises a day later, so that no bad moment decides.")
    others = _("**Others** are not told. Anyone who asks you for something sees an ordinary answer.")
    never = _(
        "**The house never** calls you back, reminds you of a streak, or makes a higher bet stand out after a loss. "
        "Chips are worth nothing and cannot be bought: there is nothing to win back."
    )
    help_outside = _(
        "**Help outside**: if playing troubles you, here or for money, [Gambling Therapy]({link}) helps free of "
        "charge, in many languages.",
        link=HELP_OUTSIDE,
    )
    return panel(
        _("What the house does"), breaks, limits, others, never, help_outside, rows=[[CareKey.button(_("Back"))]]
    )


# -- breaks ------------------------------------------------------------------------------------------------------------


class BreakKey(Press, template=r"care:break"):
    """The key that asks from what the person wants a break."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        chips = _("**From chips**: no stakes, gifts, buy-ins or purchases. Play chips, odds and charts stay.")
        everything = _("**From everything**: no elimination, tournaments, Today's five, odds or training either.")
        keys: list[ui.Item[Any]] = [
            WhatKey.button(_("From chips"), what=Rest.CHIPS),
            WhatKey.button(_("From everything"), what=Rest.EVERYTHING),
        ]
        await reply.redraw(panel(_("A break from what?"), chips, everything, rows=[keys, [CareKey.button(_("Back"))]]))


class WhatKey(Press, template=rf"care:break:(?P<what>{_RESTS})"):
    """The key that asks how long a break lasts."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        keys: list[ui.Item[Any]] = [
            LengthKey.button(_(label), what=self.what, length=_WORDS[length]) for length, label in LENGTHS.items()
        ]
        text = _("A break {what}, on all servers.", what=_(WHAT[Rest(self.what)]))
        await reply.redraw(panel(_("For how long?"), text, rows=[keys[:3], keys[3:], [CareKey.button(_("Back"))]]))


class LengthKey(Press, template=rf"care:break:(?P<what>{_RESTS}):(?P<length>{'|'.join(_LENGTHS)})"):
    """The key that chooses the length of a break. Another key confirms the break; a break for good needs typing."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str
    length: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        length = _LENGTHS[self.length]
        if length is Length.FOR_GOOD:
            await reply.ask(ForGoodForm.of(self.what))
            return
        until = interaction.client.bank.breaks.end_of(length)
        sure = _(
            "A break {what} until {moment}. It begins at once, on all servers, and **nobody can end it early**, not "
            "even you. A hand that has begun goes on.",
            what=_(WHAT[Rest(self.what)]),
            moment=exactly(until),
        )
        begin = BeginBreakKey.button(
            _("Begin the break"), style=discord.ButtonStyle.danger, what=self.what, length=self.length
        )
        await reply.redraw(panel(_("Begin this break?"), sure, rows=[[begin, CareKey.button(_("No"))]]))


class BeginBreakKey(Press, template=rf"care:begin:(?P<what>{_RESTS}):(?P<length>{_CONFIRMED})"):
    """The key that confirms a break, and so begins it."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str
    length: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _begin(interaction, reply, Rest(self.what), _LENGTHS[self.length])


class ForGoodForm(Form, template=rf"care:good:(?P<what>{_RESTS})"):
    """The form in which a person confirms a break for good by typing, and so begins it."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str

    @classmethod
    def of(cls, what: str) -> Self:
        form = cls(_("A break for good"), what=what)
        hint = _("At once, on all servers. After a year you may ask for it to end; it ends 30 days after that.")
        return form.ask("sure", _("Type: {words}", words=_("for good")), hint)

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        if answers.get("sure", "").strip().casefold() not in {_("for good").casefold(), "for good"}:
            raise Sorry(_("No break has begun. To begin it, type: {words}", words=_("for good")))
        await _begin(interaction, reply, Rest(self.what), Length.FOR_GOOD)


async def _begin(interaction: Interaction, reply: Reply, what: Rest, length: Length) -> None:
    until = await interaction.client.bank.breaks.begin(interaction.user.id, what, length)
    told = _(
        "Your break {what} {until} has begun. Your seats become free between hands, and buy-ins of tournaments that "
        "have not begun come back.",
        what=_(WHAT[what]),
        until=ends(until),
    )
    try:
        await reply.redraw(panel(_("Your break"), told, rows=[[CareKey.of()]]))
    finally:  # the break has begun, whether Discord takes the answer or not
        if what is Rest.EVERYTHING:
            await call_no_more(interaction)


class AskKey(Press, template=r"care:ask"):
    """The key that asks to end a break that was taken for good. The break then ends thirty days later."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        try:
            await interaction.client.bank.breaks.ask_to_end(interaction.user.id)
        except TooSoon as error:
            raise Sorry(_no_end_yet(error.again)) from error
        await reply.redraw(await care_page(interaction))


def _no_end_yet(again: float) -> str:
    if again == NEVER:
        return _("You have no break for good.")
    return _("You may ask for it to end from {moment} on.", moment=exactly(again))


# -- limits ------------------------------------------------------------------------------------------------------------


class LimitsKey(Press, template=r"care:limits"):
    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.ask(LimitsForm.of(await interaction.client.bank.limits.of(interaction.user.id)))


class LimitsForm(Form, template=r"care:limits:form"):
    """The form of all limits. Each field shows what the person asked for last; an empty field means no limit.

    An unchanged field changes nothing, so a rise goes on waiting. Typing the present limit cancels the rise.
    """

    stands: ClassVar[Stands] = Stands.PERSONALLY

    @classmethod
    def of(cls, limits: Mapping[LimitKind, Limit]) -> Self:
        form = cls(_("Limits"))
        for index, (kind, limit) in enumerate(limits.items()):
            hands = kind is LimitKind.HANDS_DAY
            hint = (
                _("All servers together; empty: no limit") if hands else _("In chips, on each server; empty: no limit")
            )
            if limit.later_at is not None:
                hint = _("Now: {most} · {hint}", most=_most(kind, limit.most), hint=hint)
            asked = _asked(limit)
            most = "" if asked is None else number(asked // _unit(kind))
            form.ask(f"limit{index}", _(KINDS[kind]), hint, value=most, required=False)
        return form

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        bank, user = interaction.client.bank, interaction.user.id
        typed = {kind: _typed(kind, answers.get(f"limit{index}", "")) for index, kind in enumerate(LimitKind)}
        limits = await bank.limits.of(user)
        for kind, most in typed.items():
            if most != _asked(limits[kind]):
                await bank.limits.set(user, kind, most)
        await reply.redraw(await care_page(interaction))


def _asked(limit: Limit) -> int | None:
    """Return the limit that its person asked for last: the rise that waits, or else the present one."""
    return limit.most if limit.later_at is None else limit.later


def _unit(kind: LimitKind) -> int:
    return 1 if kind is LimitKind.HANDS_DAY else CHIP


def _typed(kind: LimitKind, text: str) -> int | None:
    if not text.strip():
        return None
    read = whole_number(text)
    if read is None:
        raise Sorry(_("**{text}** isn't a whole number.", text=safe(text)))
    return read * _unit(kind)


# -- choices for all servers -------------------------------------------------------------------------------------------


class HiddenKey(Press, template=r"care:hidden:(?P<wanted>on|off)"):
    """The key that hides a person from all leaderboards, or shows them again. It carries the new value."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    wanted: str

    @classmethod
    def of(cls, wishes: Wishes) -> Self:
        if wishes.hidden:
            return cls.button(_("Show me on leaderboards"), wanted="off")
        return cls.button(_("Hide me from leaderboards"), wanted="on")

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        bank, user = interaction.client.bank, interaction.user.id
        await bank.wishes.keep(user, replace(await bank.wishes.of(user), hidden=self.wanted == "on"))
        await reply.redraw(await care_page(interaction))


class ChallengesMenu(Press, template=r"care:challenges"):
    stands: ClassVar[Stands] = Stands.PERSONALLY

    @classmethod
    def of(cls, wishes: Wishes) -> Self:
        options = [
            discord.SelectOption(label=_(label), value=str(each), default=each is wishes.challenges)
            for each, label in TAKEN_FROM.items()
        ]
        now = _(TAKEN_FROM[wishes.challenges])
        return cls(ui.Select(custom_id=cls.carries.of(), options=options, placeholder=now))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        bank, user, wanted = interaction.client.bank, interaction.user.id, choice(interaction)
        if wanted in set(Challenges):
            await bank.wishes.keep(user, replace(await bank.wishes.of(user), challenges=Challenges(wanted)))
        await reply.redraw(await care_page(interaction))


#: All kinds of keys and forms of these pages.
KEYS: Final = (
    *(CareKey, AboutKey, HearKey, BreakKey, WhatKey, LengthKey, BeginBreakKey, ForGoodForm, AskKey),
    *(LimitsKey, LimitsForm, HiddenKey, ChallengesMenu),
)
