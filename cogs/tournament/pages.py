"""The messages of a tournament and their texts, from the sign-up to the podium, and the lists of tournaments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from discord import ui

from cogs.answers.panel import BRASS, FELT, Rows, panel
from cogs.elimination.again import AgainButton
from cogs.pictures.bars import PodiumPicture, Stack, StandingsPicture, Winner
from cogs.tournament import field
from cogs.tournament.hours import WALL
from cogs.tournament.signing_up import EntryButton
from cogs.words import (
    N_,
    READER,
    _,
    apart,
    chips,
    counted,
    decimal,
    exactly,
    medal,
    mention,
    ngettext,
    number,
    ordinal,
    play_chips,
    robot,
    weekday,
    when,
    zone_name,
)
from cogs.words import listed as joined
from data import Champion
from engine import fairness
from engine.tournament.run import LATEST, MOST_THREADS
from engine.tournament.state import Every, TournamentState, WhyCancelled, table_id
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import Standing, TournamentView

#: The most names in a message. The others are only counted.
MOST_NAMES: Final = 60
MOST_LINES: Final = 16
_MOST_LISTED: Final = 20
_MOST_TEXT: Final = 2_000  # Discord's limit for plain messages
PICTURE: Final = "standings.png"

_EVERY: Final[Mapping[Every, str]] = {
    Every.ONCE: N_("once"),
    Every.DAILY: N_("every day"),
    Every.WEEKLY: N_("every week"),
}
_WHY: Final[Mapping[WhyCancelled, str]] = {
    WhyCancelled.MANAGER: N_("A manager of the server cancelled it."),
    WhyCancelled.TOO_FEW: N_("Fewer than two people had signed up."),
    WhyCancelled.MISSED: N_("I couldn't start it within an hour of the planned time."),
    WhyCancelled.CHANNEL_GONE: N_("Its channel is gone, or I can't post there any more."),
    WhyCancelled.RESTORED: N_("A backup of the casino was restored, so its cards are no secret any more."),
}


def names(users: Collection[int]) -> str:
    text = ", ".join(mention(user) for user in list(users)[:MOST_NAMES])
    more = len(users) - MOST_NAMES
    if more <= 0:
        return text
    return _("{names} and {more}", names=text, more=ngettext("{count} more", "{count} more", more))


# -- sign-up -----------------------------------------------------------------------------------------------------------


def terms(view: TournamentView) -> str:
    values = {"budget": play_chips(view.budget), "rules": view.state.rules_name, "level": _(view.level)}
    text = _("{budget} each · {rules} · computer players: {level}", **values)
    if view.hands:
        text = f"{field.terms(view)}. {field.rule()}"
    if not view.buy_in:
        return _("Free to enter: the winner's title counts in `/tournament standings`\n-# {terms}", terms=text)
    return _("Buy-in: **{buy_in}**\n-# {terms}", buy_in=counted(view.buy_in), terms=text)


def sign_up(view: TournamentView) -> ui.LayoutView:
    state = view.state
    rows: Rows = []
    if view.phase is TournamentPhase.SIGN_UP:
        rows = [_entry_keys(state)]
    blocks = (_moment(view), terms(view), _prizes(view), _who(view))
    small = (*_of_the_absent(view), *_small(view))
    return panel(heading(view), *blocks, small=small, rows=rows, colour=BRASS if rows else FELT)


def _entry_keys(state: TournamentState) -> list[ui.Item[Any]]:
    return [EntryButton.of(state.id, "join", _("Join")), EntryButton.of(state.id, "leave", _("Leave"))]


def heading(view: TournamentView) -> str:
    """Return the heading of a tournament's messages, which is also its name on the calendar."""
    return _("Tournament · {name}", name=day_and_hour(view.state))


def day_and_hour(state: TournamentState) -> str:
    """Return a tournament's name: the day and hour of its start by the clocks of its zone."""
    begins = datetime.strptime(state.wall, WALL)
    return _("{day} {hour}", day=weekday(begins), hour=begins.strftime("%H:%M"))


def _message(state: TournamentState, message: int | None) -> str:
    return f"https://discord.com/channels/{state.guild}/{state.channel}/{message}"


def _moment(view: TournamentView) -> str:
    state = view.state
    match view.phase:
        case TournamentPhase.SIGN_UP:
            text = N_("**Starts {when}** · {exactly}")
        case TournamentPhase.CLOSED:
            text = N_("**Starting now**: sign-up is closed · {exactly}")
        case TournamentPhase.PLAYING if state.ends is not None:
            return _("**In play** until {exactly} · {when}", exactly=exactly(state.ends), when=when(state.ends))
        case TournamentPhase.PLAYING:
            text = N_("**In play** since {exactly}")
        case TournamentPhase.OVER:
            text = N_("**Over** · started {exactly}")
        case TournamentPhase.CANCELLED:
            return _("**Cancelled.** {why}", why=why(state))
    return _(text, when=when(state.starts), exactly=exactly(state.starts))


def why(state: TournamentState) -> str:
    return _(_WHY[state.why]) if state.why is not None else ""


def _prizes(view: TournamentView) -> str:
    if not view.buy_in or view.phase is TournamentPhase.CANCELLED:
        return ""
    if view.hands:
        return field.prizes(view)
    return _(
        "Pool: **{pool}**. The best three people get 50, 30 and 20%; with fewer than four, the best one takes it all.",
        pool=counted(view.pool),
    )


def _who(view: TournamentView) -> str:
    if not view.people:
        return _("Nobody has signed up yet.")
    return _("Signed up ({count}): {names}", count=number(len(view.people)), names=names(view.people))


def _of_the_absent(view: TournamentView) -> tuple[str, ...]:
    """Return the line that says what a table does for a player whose time runs out.

    There is none once play has begun, and none in a tournament without tables.
    """
    if view.hands or view.phase not in (TournamentPhase.SIGN_UP, TournamentPhase.CLOSED):
        return ()
    return (played_for(),)


def played_for() -> str:
    return _("If you run out of time, the table plays minimum bets for you until you press **I'm back**.")


def _small(view: TournamentView) -> list[str]:
    lines = list(_promised(view.state))
    if view.phase in (TournamentPhase.OVER, TournamentPhase.CANCELLED):
        lines += _shown(view.state)
    if view.state.every is not Every.ONCE:
        lines.insert(0, _("Repeats {every} · {zone}", every=every(view.state.every), zone=zone_name(view.state.zone)))
    return lines


def _promised(state: TournamentState) -> Iterator[str]:
    """Yield the lines about what was fixed in advance, with links: what the promise seals, and the list of entrants."""
    if state.tournament["version"] == 1:
        sealed = fairness.commitment(bytes.fromhex(state.tournament["seed"]))
        yield _("Seats and ties are drawn from a seed sealed as `{hash}`", hash=sealed)
    elif state.promise is not None:
        link = _message(state, state.promise)
        if state.tournament["terms"].get("hands"):
            yield _("[Sealed in advance]({link}): the cards", link=link)
        else:
            yield _("[Sealed in advance]({link}): seats, tie-breaks and shuffles", link=link)
    if state.entrants is not None:
        yield _("[The list of players]({link}) is mixed into the draw", link=_message(state, state.entrants))


def _shown(state: TournamentState) -> Iterator[str]:
    """Yield the line with the seed or the root of the draws of a tournament that is over."""
    if state.tournament["version"] == 1:
        yield _("The seed of the draw was `{seed}`", seed=state.tournament["seed"])
    elif state.root:
        yield _("🔓 The seal `{tip}` is open now; its root was `{root}`.", tip=state.tip, root=state.root)


def checked(state: TournamentState) -> Iterator[str]:
    """Yield the line about the draw's seeds: a link to the sign-up message if there is one, else the seeds."""
    if state.message is None:
        yield from _shown(state)
    elif state.tournament["version"] == 1 or state.root:
        yield _("[Check the draw yourself]({link})", link=address(state))


def entrants(view: TournamentView) -> tuple[str, str | None]:
    """Return the message with the entrants in the order of sign-up, and None.

    If they are too many for a message, return one without them, and the text of a file with their Discord ids.
    """
    heading = _(
        "-# Sign-up for the tournament of {name} is closed. The players, in this order:", name=day_and_hour(view.state)
    )
    called = _("-# You'll be called to a table in a moment; the standings link to it. {absent}", absent=played_for())
    lines = [f"{index + 1}. {mention(user)}" for index, user in enumerate(view.people)]
    text = "\n".join([heading, *lines, called])
    if len(text) <= _MOST_TEXT:
        return text, None
    return f"{heading}\n{called}", "\n".join(map(str, view.people))


def thread_name(view: TournamentView, number: int) -> str:
    """Return the name of the thread for table `number` (from 0). If there are many tables, several share a thread."""
    if view.tables > MOST_THREADS:
        return _("Tournament · stage {stage} · room {room}", stage=view.stage, room=number + 1)
    return _("Tournament · stage {stage} · table {table}", stage=view.stage, table=number + 1)


def reminder(view: TournamentView) -> ui.LayoutView:
    text = _("It starts {when}. {names}", when=when(view.state.starts), names=names(view.people))
    return panel(heading(view), text, rows=[[EntryButton.of(view.state.id, "join", _("Join"))]])


def moved(view: TournamentView) -> ui.LayoutView:
    """Return the message about a tournament's new time, with buttons to join it and to leave it."""
    state = view.state
    text = _(
        "**New time: {exactly}** · {when}\nIt was to start {before}. {names}",
        exactly=exactly(state.starts),
        when=when(state.starts),
        before=exactly(state.moved_from or state.starts),
        names=names(view.people),
    )
    return panel(heading(view), text, rows=[_entry_keys(state)])


def every(series: Every) -> str:
    return _(_EVERY[series])


def planned(view: TournamentView) -> ui.LayoutView:
    text = _("Planned for {exactly}. Sign up in this channel.", exactly=exactly(view.state.starts))
    return panel(
        _("Done"), text, small=[_("Anyone who can manage the server can move or cancel it, even when you're away.")]
    )


def preview(text: str, confirm: ui.Item[Any], *, free: bool) -> ui.LayoutView:
    if free:
        starts = N_(
            "It starts by itself with two people or more. If it cannot start within {minutes} minutes, it is cancelled."
        )
    else:
        starts = N_(
            "It starts by itself with two people or more. If it cannot start within {minutes} minutes, every buy-in "
            "comes back."
        )
    return panel(_("Is this right?"), text, small=[_(starts, minutes=int(LATEST // 60))], rows=[[confirm]])


# -- standings ---------------------------------------------------------------------------------------------------------


def standings(view: TournamentView) -> ui.LayoutView:
    title = _("Tournament · {name} · standings", name=day_and_hour(view.state))
    where = ngettext("{count} table is playing", "{count} tables are playing", view.running)
    stage = _("Stage {stage} · {where}", stage=view.stage, where=where)
    final = _("The final") if view.tables == 1 else stage
    lines = "\n".join(_standing(view, index, line) for index, line in enumerate(view.lines[:MOST_LINES]))
    return panel(
        title,
        final,
        lines,
        small=rest(view),
        picture=(PICTURE, _alt(view)) if READER.get().pictures else None,
        colour=FELT,
    )


def _standing(view: TournamentView, index: int, line: Standing) -> str:
    values = {"place": index + 1, "name": who(line), "chips": chips(line.chips)}
    if line.table is not None:
        thread = view.state.channels.get(str(line.table), view.state.channel)
        if thread == view.state.channel:
            return _("{place}. {name} · **{chips}**", **values)
        return _("{place}. {name} · **{chips}** · {table}", **values, table=f"<#{thread}>")
    if line.out and view.tables == 1 and line.stage == view.stage:
        return _("{place}. {name} · out in the final", **values)
    if line.out:
        return _("{place}. {name} · out in stage {stage}", **values, stage=line.stage)
    return _("{place}. {name} · won the table", **values)


def who(line: Standing) -> str:
    return mention(line.user) if line.user is not None else robot(line.name or "")


def rest(view: TournamentView) -> list[str]:
    more = len(view.lines) - MOST_LINES
    return [ngettext("{count} more behind them", "{count} more behind them", more)] if more > 0 else []


def _alt(view: TournamentView) -> str:
    lines = apart(_alt_line(index, line) for index, line in enumerate(view.lines[:MOST_LINES]))
    return _("The standings as bars. {lines}.", lines=lines)


def _alt_line(index: int, line: Standing) -> str:
    if line.out:
        return _("{place}: out", place=index + 1)
    return _("{place}: {chips}", place=index + 1, chips=chips(line.chips))


def standings_picture(view: TournamentView) -> StandingsPicture:
    return StandingsPicture(
        tuple(
            Stack(index + 1, 0 if line.out else line.chips, out=line.out, computer=not line.person)
            for index, line in enumerate(view.lines[:MOST_LINES])
        ),
        decimal(),
    )


# -- the end -----------------------------------------------------------------------------------------------------------


def podium(view: TournamentView, gone: Collection[int], following: TournamentView | None = None) -> ui.LayoutView:
    """Return the message at a tournament's end.

    `gone` are prize winners who have left the server; `following` is the next tournament of the series.
    """
    title = _("Tournament · {name} is over", name=day_and_hour(view.state))
    first = view.lines[0]
    winner = _("## 🏆 {name} wins the title", name=who(first)) if first.person else _("## {name} wins", name=who(first))
    lines = "\n".join(_placed(view, index, line, gone) for index, line in enumerate(view.lines[:MOST_LINES]))
    return panel(
        title,
        winner,
        lines,
        _pool_went(view),
        again_text(following),
        small=[*rest(view), *checked(view.state)],
        rows=[[again_key(view, following)]],
        picture=(PICTURE, podium_alt(view)) if READER.get().pictures else None,
    )


def _pool_went(view: TournamentView) -> str:
    """Return the sentence that says who gets the pool, and why; nothing if there is no pool."""
    if not view.pool:
        return ""
    pool = counted(view.pool)
    if len(view.prizes) == 1:
        return _("The pool of {pool} goes to the best player: fewer than four took part.", pool=pool)
    if view.lines[0].person:
        return _("The pool of {pool} goes to the best three people: 50, 30 and 20%.", pool=pool)
    return _(
        "The pool of {pool} goes to the best three people, 50, 30 and 20%: computer players win no chips.", pool=pool
    )


def again_key(view: TournamentView, following: TournamentView | None) -> ui.Item[Any]:
    """Return the button to join `following`, the next of the series; if None, the one for a table like the final."""
    if following is not None:
        return EntryButton.of(following.state.id, "join", _("Play again"))
    return AgainButton.of(table_id(view.state.id, view.stage, 0))


def again_text(following: TournamentView | None) -> str:
    if following is None:
        return _("**Play again** opens a table like the final: you against three computer players.")
    return _("**Play again** signs you up for the next one: {when}.", when=exactly(following.state.starts))


def _placed(view: TournamentView, index: int, line: Standing, gone: Collection[int]) -> str:
    prize = view.prizes.get(line.key, 0)
    values = {"place": medal(index + 1), "name": who(line), "prize": counted(prize)}
    if not prize:
        return _("{place} {name}", **values)
    if line.user in gone:
        return _("{place} {name} · **{prize}**, kept for them: they have left the server", **values)
    return _("{place} {name} · **{prize}**", **values)


def podium_picture(view: TournamentView) -> PodiumPicture:
    best = view.lines[:3]
    return PodiumPicture(
        tuple(Winner(_called(line), view.prizes.get(line.key) or None, computer=not line.person) for line in best),
        decimal(),
    )


def _called(line: Standing) -> str:
    """Return the name of a player in the picture, or nothing if it is not known."""
    return line.name or READER.get().names.get(line.user or 0, "")


def podium_alt(view: TournamentView) -> str:
    places = apart(_alt_place(view, index, line) for index, line in enumerate(view.lines[:3]))
    return _("The podium. {places}.", places=places)


def _alt_place(view: TournamentView, index: int, line: Standing) -> str:
    name = (_called(line) or _("a person")) if line.person else _("{name} (computer)", name=line.name)
    values = {"place": ordinal(index + 1), "name": name}
    prize = view.prizes.get(line.key)
    if not prize:
        return _("{place}: {name}", **values)
    return _("{place}: {name}, {chips}", **values, chips=counted(prize))


def cancelled(view: TournamentView) -> ui.LayoutView:
    back = _("Every buy-in was returned.") if view.buy_in and view.people else ""
    called = names(view.people) if view.people else ""
    heading = _("Tournament · {name} is cancelled", name=day_and_hour(view.state))
    return panel(heading, why(view.state), back, called, small=list(checked(view.state)), colour=FELT)


# -- lists -------------------------------------------------------------------------------------------------------------


def listed(views: Sequence[TournamentView], *, manages: bool = False) -> ui.LayoutView:
    lines = [_listed(view) for view in views[:_MOST_LISTED]]
    if (more := len(views) - _MOST_LISTED) > 0:
        lines.append(ngettext("and {count} more", "and {count} more", more))
    text = "\n".join(lines) or (
        _("None is planned. `/tournament schedule` plans one.") if manages else _("None is planned.")
    )
    return panel(_("Tournaments of this server"), text)


def _listed(view: TournamentView) -> str:
    state = view.state
    values = {"name": linked(state), "buy_in": chips(view.buy_in)}
    values["people"] = ngettext("{count} signed up", "{count} signed up", len(view.people))
    if view.phase is TournamentPhase.PLAYING:
        return _("{name} · **being played** · {people}", **values)
    values |= {"moment": exactly(state.starts), "every": every(state.every)}
    if not view.buy_in:
        return _("{name} · {moment} · {every} · free to enter · {people}", **values)
    return _("{name} · {moment} · {every} · buy-in {buy_in} · {people}", **values)


def linked(state: TournamentState) -> str:
    """Return the tournament's name as a link to its message; while it has no message, the name and the channel."""
    if state.message is None:
        return _("**{name}** in {channel}", name=day_and_hour(state), channel=f"<#{state.channel}>")
    return _("[**{name}**]({link})", name=day_and_hour(state), link=address(state))


def address(state: TournamentState) -> str:
    """Return the link to a tournament's sign-up message, which must be posted already."""
    return _message(state, state.message)


def champions(best: Sequence[Champion]) -> ui.LayoutView:
    lines = "\n".join(_champion(index, champion) for index, champion in enumerate(best))
    return panel(_("All-time titles"), lines or _("Nobody has won a title yet."))


def _champion(index: int, champion: Champion) -> str:
    """Return a member's line in the list of titles, without the kinds of titles that they have never won.

    `index` is the line's place in the list, from 0.
    """
    won = {
        ngettext("{count} tournament", "{count} tournaments", champion.tournaments): champion.tournaments,
        ngettext("{count} elimination table", "{count} elimination tables", champion.tables): champion.tables,
        ngettext(
            "{count} title with the same cards", "{count} titles with the same cards", champion.cards
        ): champion.cards,
    }
    return joined([f"{index + 1}. {mention(champion.user)}", *(text for text, count in won.items() if count)])
