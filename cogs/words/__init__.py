"""Translates every text into its reader's language.

English is the source; catalogues of other languages are in ``cogs/words/locales/<language>/croupier.po``. The reader
belongs to the task that answers: it is set once, where an interaction arrives or a table is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from itertools import accumulate
from typing import Final

import discord

from cogs.words.catalogues import SOURCE, catalogue, codes, language
from cogs.words.clean import clean
from data import Currency
from engine.games.cards import PACK, Card
from engine.games.cards import name as card_name
from engine.games.contract import CHIP, Cents

#: The codes of the languages that are offered.
LANGUAGES: Final = codes()
DEFAULT: Final = SOURCE


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of a text or picture, one person or everybody who sees a message, and how they want it."""

    language: str = DEFAULT
    #: Known names on this server by Discord id.
    names: Mapping[int, str] = field(default_factory=dict)
    #: Whether each suit has a colour of its own.
    four_colours: bool = False
    #: Whether tables are drawn, or described in words only.
    pictures: bool = True
    #: The emoji of cards, where the application has them.
    cards: Mapping[Card | None, str] = field(default_factory=dict)
    #: The links to commands by their names, where they are known.
    commands: Mapping[str, str] = field(default_factory=dict)
    #: Whether people whose names are known are named in plain text instead of by mentions.
    plain_names: bool = False
    #: The name of this server's chips, the same in every language; None for plain chips.
    currency: Currency | None = None


_ANYBODY: Final = Reader()
#: The reader of the texts of this task, and of the tasks that it starts.
READER: Final[ContextVar[Reader]] = ContextVar("reader", default=_ANYBODY)


@contextmanager
def reading(reader: Reader) -> Iterator[None]:
    """Write all texts in the block for this reader, for example for a whole server while one person is answered."""
    before = READER.set(reader)
    try:
        yield
    finally:
        READER.reset(before)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Write all texts in the block in this language."""
    with reading(replace(READER.get(), language=language)):
        yield


def language_of(*locales: discord.Locale | str | None) -> str:
    """Return the first language of these locales that the bot offers, or English.

    Only the part of a locale before the dash counts, and None is passed over.
    Callers name a person's own setting first, then their client's language, then their server's.
    """
    for locale in locales:
        language = str(locale).partition("-")[0] if locale is not None else ""
        if language in LANGUAGES:
            return language
    return DEFAULT


def _(message: str, /, **values: object) -> str:
    """Return a message in the reader's language, with its {places} filled in."""
    text = catalogue(READER.get().language).gettext(message) if message else ""
    return text.format(**values) if values else text


def not_for_sale() -> str:
    """Return the sentence that forbids trading chips for money, as Discord demands."""
    return _("Chips are play money. Selling or buying them is forbidden.")


def ngettext(one: str, many: str, count: int | Decimal, /, **values: object) -> str:
    """Return the form of a message for this count, which may be a fraction: French says 1,5 jeton, English 1.5 chips.

    `count` is written as a number unless it is among the values.
    """
    spoken, whole = READER.get().language, abs(int(count))
    if isinstance(count, Decimal) and count != int(count):
        whole = 1 if language(spoken).is_one(count) else 2
    return catalogue(spoken).ngettext(one, many, whole).format(**{"count": number(count), **values})


def N_(message: str) -> str:
    """Mark a message for the catalogues, and return it unchanged. It is translated where it is shown."""
    return message


#: The forms of ordinals: the first one for most numbers, the others for those that end in 1, 2 or 3.
_ORDINALS: Final = (N_("{number}th"), N_("{number}st"), N_("{number}nd"), N_("{number}rd"))


# -- numbers -----------------------------------------------------------------------------------------------------------


def number(value: int | Decimal) -> str:
    """Return a number as the reader's language writes it: ``12,345``, ``2.5``."""
    return language(READER.get().language).digits(f"{value:,}")


def decimal() -> str:
    """Return the decimal sign of the reader's language."""
    return language(READER.get().language).decimal


def chips(cents: Cents) -> str:
    """Return cents as chips: ``1,000`` or ``7.50``."""
    whole, part = divmod(abs(cents), CHIP)
    text = number(whole) + (f"{language(READER.get().language).decimal}{part:02}" if part else "")
    return f"−{text}" if cents < 0 else text


def signed(cents: Cents) -> str:
    """Return a gain or a loss: ``+15``, ``−7.50``, ``±0``."""
    return f"+{chips(cents)}" if cents > 0 else chips(cents) if cents else "±0"


def counted(cents: Cents, *, sign: bool = False) -> str:
    """Return an amount with its unit (R10.6): ``1 chip``, ``7.50 chips``, ``+15 chips``, ``5 shells 🐚``."""
    shown, own = signed(cents) if sign else chips(cents), READER.get().currency
    if own is None:
        return ngettext("{count} chip", "{count} chips", Decimal(cents) / CHIP, count=shown)
    name = own.one if language(READER.get().language).is_one(Decimal(cents) / CHIP) else own.many
    return _("{amount} {currency}", amount=shown, currency=f"{name} {own.emoji}".rstrip())


def play_chips(cents: Cents, *, sign: bool = False) -> str:
    """Return an amount of the chips of an elimination table, which belong to no wallet, with its unit."""
    shown = signed(cents) if sign else chips(cents)
    return ngettext("{count} play chip", "{count} play chips", Decimal(cents) / CHIP, count=shown)


def ordinal(place: int) -> str:
    """Return a place as an ordinal: ``1st``, ``22nd``, ``113th``."""
    if place == 1:
        return _("1st")
    suffixed = _ORDINALS[0 if place // 10 % 10 == 1 or place % 10 > 3 else place % 10]
    return _(suffixed, number=number(place))


#: The medals of the first three places. People who share a place all have its medal.
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def medal(place: int) -> str:
    """Return the medal of a place, such as ``🥇``, or the number of a place without one.

    The number is bold because Discord renumbers lines that begin with a plain number, even if two people share a place.
    """
    written = _("{place}.", place=place)
    return _MEDALS.get(place, f"**{written}**")


def rank_text(place: int) -> str:
    """Return a place as boards write it: its medal, such as ``🥇``, or its number in bold, such as ``**1,003**``."""
    return _MEDALS.get(place, f"**{number(place)}**")


def percent(part: int, whole: int) -> str:
    share = 1000 * part // whole if whole else 0
    return _("{number}%", number=f"{share // 10}{language(READER.get().language).decimal}{share % 10}")


def listed(parts: Iterable[str]) -> str:
    """Join parts that are not a sentence: ``a · b``."""
    return " · ".join(parts)


def apart(parts: Iterable[str]) -> str:
    """Join parts of a sentence with semicolons, because some may contain commas: ``a; b``."""
    return _("; ").join(parts)


def as_many(lines: Iterable[str], room: int) -> str:
    """Return as many lines as `room` (in characters) holds, and a last line `…` if some are left out."""
    shown = list(lines)
    ends = accumulate(len(line) + 1 for line in shown)
    fitting = [line for line, end in zip(shown, ends, strict=True) if end <= room]
    return "\n".join(fitting if fitting == shown else [*fitting, "…"])


def share(part: float, digits: int = 1, *, sign: bool = False) -> str:
    """Return a fraction as a percentage: ``38.3%``, ``−1.25%``. With `sign`, a gain has a plus sign."""
    text = f"{abs(part):.{digits}%}"[:-1].replace(".", language(READER.get().language).decimal)
    gone = not text.strip("0.,")
    return _("{number}%", number=f"{'' if gone else '−' if part < 0 else '+' if sign else ''}{text}")


# -- days and hours ----------------------------------------------------------------------------------------------------


def weekday(day: date) -> str:
    """Return the weekday of a date: ``Monday``."""
    return language(READER.get().language).days[day.weekday()]


def day_text(day: date) -> str:
    """Return a date in words: ``December 24, 2026``."""
    from babel.dates import format_date

    return format_date(day, "long", locale=READER.get().language)


def day_and_time(moment: datetime) -> str:
    """Return a date and its time in words: ``December 24, 2026, 20:30``."""
    return _("{day}, {time}", day=day_text(moment), time=moment.strftime("%H:%M"))


def zone_name(zone: str) -> str:
    """Return the name of a time zone: ``Central European Time`` for Europe/Paris.

    Zones that belong to no country, such as UTC, are not translated.
    """
    from babel.core import get_global
    from babel.dates import get_timezone_name

    if get_global("zone_territories").get(zone, "001") in ("001", "ZZ"):
        return zone
    return get_timezone_name(zone, locale=READER.get().language)


# -- names -------------------------------------------------------------------------------------------------------------


_CARDS: Final[Mapping[Card | None, str]] = {None: "░░", **{card: card_name(card) for card in PACK}}


def cards(row: Iterable[Card | None]) -> str:
    """Return cards as text: ``K♠ 6♥``; a card lying face down is ``░░``."""
    return " ".join([_CARDS[card] for card in row])


def decks(count: int) -> str:
    return ngettext("{count} deck", "{count} decks", count)


def ranks(row: Iterable[Card | None]) -> str:
    """Return the ranks of cards as text without suits: ``K 6``; a card lying face down is ``░``."""
    return " ".join([_CARDS[card][:-1] for card in row])


def written(row: Iterable[Card | None]) -> str:
    """Return cards for a text: as emoji where the reader has them, else in monospace as `mono` does."""
    known, row = READER.get().cards, tuple(row)
    return "".join(known[card] for card in row) if known else f"`{cards(row)}`"


def mono(text: str) -> str:
    """Return the text in monospace, because elsewhere Discord turns suits into dark pictures."""
    return f"`{text}`"


def quoted(text: str, longest: int) -> str:
    """Return somebody's own text in monospace, cleaned (`clean`) and cut to `longest` characters.

    Backticks become `´`. Other markup has no effect there, and a backslash would be visible, so nothing is escaped.
    """
    return mono(_cut(clean(text), longest).replace("`", "´"))


def mention(user: int) -> str:
    """Return a person's name: a mention, or plain text if the reader wants that and the name is known."""
    reader = READER.get()
    known = reader.names.get(user) if reader.plain_names else None
    return f"<@{user}>" if known is None else safe(known)


def robot(name: str) -> str:
    """Return a computer player's name after the sign of a robot, which it also has in pictures."""
    return f"🤖 {name}"


def when(moment: float) -> str:
    """Return the time until or since `moment` (in seconds since 1970), as a text that Discord keeps up to date."""
    return f"<t:{int(moment)}:R>"


def at(moment: float) -> str:
    """Return a moment's time of day, by each reader's own clock."""
    return f"<t:{int(moment)}:t>"


def exactly(moment: float) -> str:
    """Return a moment with its date and its time, by each reader's own clock."""
    return f"<t:{int(moment)}:F>"


def safe(name: str, longest: int = 32) -> str:
    """Return somebody's own words cut at `longest`, with formatting and pings disabled; plain links stay links."""
    return discord.utils.escape_mentions(discord.utils.escape_markdown(_cut(clean(name), longest)))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
