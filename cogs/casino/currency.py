"""Reads the name that managers give to a server's chips, and refuses names of real money."""

from __future__ import annotations

import re
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
#: The signs within an emoji: joiners, variation selectors and the tags of flags.
_JOINING: Final = frozenset("\u200d\ufe0f") | {chr(code) for code in range(0xE0020, 0xE0080)}
#: Letters that cannot be seen: fillers, and marks that choose the form of another sign.
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(code) for code in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
#: Names of real money in the scripts of many languages, and of what Discord and others sell. A server's chips are worth
#: none of it.
_REAL: Final = """
    dollar dollars buck bucks cent cents penny pence euro euros pound pounds quid sterling yen yuan renminbi rupee
    rupees rupiah ruble rubles rouble roubles peso pesos franc francs krona kronor krone kroner koruna zloty forint
    lira liras dinar dirham riyal rial shekel shekels baht dong ringgit naira rand hryvnia reais tenge usd eur gbp
    jpy cny inr chf cad aud nzd brl mxn krw rub sek nok dkk pln czk bitcoin bitcoins btc satoshi satoshis ethereum
    ether eth usdt tether dogecoin doge solana stablecoin robux nitro
    dólar dólares centavo centavos céntimo céntimos cêntimo cêntimos centime centimes libra libras rublo rublos rupia
    rupias yenes yuanes franken rappen rubel złoty złote złotych
    доллар доллара доллары долларов цент цента центы центов евро рубль рубля рубли рублей копейка копейки копеек юань
    юаня юани юаней иена иены тенге гривна гривны гривен гривня гривні гривень биткоин биткоины биткойн биткойны
    ευρώ δολάριο δολάρια σεντ
    円 日本円 元 圆 圓 日元 日圓 美元 美金 欧元 歐元 人民币 人民幣 英镑 英鎊 港币 港幣 台币 台幣 比特币 比特幣
    ドル 米ドル ユーロ セント ポンド ウォン ビットコイン 원 엔 달러 유로 위안 파운드 비트코인
    دولار دولارات يورو درهم دينار ريال جنيه דולר דולרים יורו שקל שקלים रुपया रुपये डॉलर यूरो บาท ดอลลาร์ ยูโร
"""
_REAL_EMOJI: Final = frozenset("💲💱💵💴💶💷💸")
#: Cyrillic, Greek and Turkish letters that look like other Latin ones, and the Latin ones.
_ALIKE: Final = str.maketrans(
    "аеорсхуіјѕԁԛԝАВЕКМНОРСТУХІЈЅԀԚԜαεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧı",
    "aeopcxyijsdqwABEKMHOPCTYXIJSDQWaeikvoptuxABEZHIKMNOPTYXi",
)

FIELDS: Final = {
    "one": N_("For one"),
    "many": N_("For several"),
    "emoji": N_("Emoji"),
}


def ask(form: Form, currency: Currency | None) -> Form:
    """Put the fields for the name of the chips into a form and return the form.

    The fields have the present name, or are empty for plain chips (None).
    """
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
    """Return the name of the chips that was typed, or None for plain chips.

    Raises Sorry for half a name, one that is too long or not of letters, one of real money, and an unknown emoji.
    """
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
    if _is_real(text):
        raise Sorry(_("{text} is real money, and chips are never worth any. Choose another name.", text=safe(text)))
    return text


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM" and sign not in _UNSEEN


def _is_real(text: str) -> bool:
    """Return whether a text has a name of real money as a word, even with other accents or look-alikes.

    Hyphens and apostrophes separate words as spaces do.
    """
    plain = _plain(re.sub("[-'’ʼ]", " ", text))
    words = f"{plain} {plain.translate(_ALIKE)}".casefold().split()
    return not set(_plain(_REAL).casefold().split()).isdisjoint(words)


def _plain(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def _emoji(text: str) -> str:
    pictured = [sign for sign in text if unicodedata.category(sign) == "So"]
    known = all(unicodedata.category(sign) in ("So", "Sk") or sign in _JOINING for sign in text)
    if text and (not known or not pictured or len(text) > _LONGEST_EMOJI):
        raise Sorry(_("{text} is not one of Discord's own emoji.", text=safe(text)))
    if not _REAL_EMOJI.isdisjoint(text) or _is_real(text):
        raise Sorry(_("{text} is real money, and chips are never worth any. Choose another emoji.", text=safe(text)))
    return text
