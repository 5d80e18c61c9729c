"""The name of a server's chips, as its managers type it."""

from __future__ import annotations

import unicodedata
from typing import Final

from cogs.answers.forms import Form, FormValues
from cogs.words import N_, _, listed, safe
from cogs.words.refusals import Sorry
from data import Currency

LONGEST: Final = 20
#: The most code points of one emoji: families are the longest.
_LONGEST_EMOJI: Final = 10
#: The signs beside letters that a name may have: they make neither links nor mentions nor markup.
_BETWEEN: Final = frozenset(" -'’")
#: Signs within an emoji: joiner, form and tags of flags.
_JOINING: Final = frozenset("\u200d\ufe0f") | {chr(code) for code in range(0xE0020, 0xE0080)}
#: Names of real money, and of what Discord and others sell. A server's chips are worth none of it.
_REAL: Final = """
    dollar dollars buck bucks cent cents penny pence euro euros pound pounds quid sterling yen yuan renminbi rupee
    rupees rupiah ruble rubles rouble roubles peso pesos franc francs krona kronor krone kroner koruna zloty forint
    lira liras dinar dirham riyal rial shekel shekels baht dong ringgit naira rand hryvnia reais tenge usd eur gbp
    jpy cny inr chf cad aud nzd brl mxn krw rub sek nok dkk pln czk bitcoin bitcoins btc satoshi satoshis ethereum
    ether eth usdt tether dogecoin doge solana stablecoin robux nitro
"""
_REAL_EMOJI: Final = frozenset("💲💱💵💴💶💷💸")

FIELDS: Final = {
    "one": N_("For one"),
    "many": N_("For several"),
    "emoji": N_("Emoji"),
}


def ask(form: Form, currency: Currency | None) -> Form:
    """Put the fields for the name of the chips into a form and return it; empty fields mean chips."""
    for field, label in FIELDS.items():
        value: str = getattr(currency, field) if currency is not None else ""
        form.ask(field, _(label), _(_HINTS[field]), value=value, required=False)
    return form


_HINTS: Final = {
    "one": N_("such as shell; leave everything empty for chips"),
    "many": N_("such as shells"),
    "emoji": N_("one of Discord's own, such as 🐚, or none"),
}


def shown(currency: Currency | None) -> str:
    """Return the name of the chips as the settings show it."""
    if currency is None:
        return _("chips")
    return listed((currency.one, f"{currency.many} {currency.emoji}".rstrip()))


def typed(answers: FormValues) -> Currency | None:
    """Return the name that was typed, or None for chips. Raises Sorry for one that could mean money or a link."""
    one, many, emoji = (answers.get(field, "") for field in FIELDS)
    if not one and not many and not emoji:
        return None
    if not one or not many:
        raise Sorry(_("A currency needs a name for one and a name for several, such as shell and shells."))
    return Currency(_name(one), _name(many), _emoji(emoji))


def _name(text: str) -> str:
    fits = any(map(_is_letter, text)) and all(_is_letter(sign) or sign in _BETWEEN for sign in text)
    if len(text) > LONGEST or not fits:
        raise Sorry(
            _("A currency's name has letters and spaces only, at most {most}. {text} doesn't fit.",
              most=LONGEST, text=safe(text))
        )  # fmt: skip
    if not set(_REAL.split()).isdisjoint(text.casefold().replace("-", " ").split()):
        raise Sorry(_("{text} is real money, and chips are never worth any. Choose another name.", text=safe(text)))
    return text


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM"


def _emoji(text: str) -> str:
    pictured = [sign for sign in text if unicodedata.category(sign) == "So"]
    known = all(unicodedata.category(sign) in ("So", "Sk") or sign in _JOINING for sign in text)
    if text and (not known or not pictured or len(text) > _LONGEST_EMOJI):
        raise Sorry(_("{text} is not one of Discord's own emoji.", text=safe(text)))
    if not _REAL_EMOJI.isdisjoint(text):
        raise Sorry(_("{text} is real money, and chips are never worth any. Choose another emoji.", text=safe(text)))
    return text
