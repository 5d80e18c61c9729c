"""An audit of its own, in plain SQL: it knows the tables of the bank, and nothing of the program that fills them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import date
from itertools import pairwise
from typing import Any

import asyncpg

#: Accounts without a balance of their own, which chips come from and go to.
_ENDLESS = ("house", "mint")
#: The day from which days are counted.
_FIRST_DAY = date(1970, 1, 1).toordinal()
#: The time at which cards close that are still played.
_NEVER = 2.0**40


class Books:
    """The books of one bank after a kill. Finished rounds are read once."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._finished: set[tuple[int, int]] = set()
        self._led: set[tuple[int, int]] = set()
        self.played: Counter[str] = Counter()  # finished rounds by game, and tournaments

    def faults(self, acknowledged: Collection[str], refused: Collection[str]) -> list[str]:
        """Return what is wrong, in a sentence each."""
        asked = _on_file(self._url) if self._url.startswith("sqlite") else asyncio.run(_on_server(self._url))
        return list(self._found(asked, acknowledged, refused))

    def _found(
        self, rows: dict[str, list[Any]], acknowledged: Collection[str], refused: Collection[str]
    ) -> Iterator[str]:
        pots = dict(rows["pots"])
        yield from _unbalanced(rows, pots)
        written = {name for (name,) in rows["written"]}
        written |= {f"break/{user}/{until}" for user, _, until in rows["breaks"]}
        written |= {f"try/{user}/{steps[:end]}" for user, steps, *_ in rows["tries"] for end in range(len(steps) + 1)}
        written |= {f"limit/{user}/{most}/{later}" for user, _, most, later in rows["limits"]}
        written |= {
            f"same/{tournament}/{user}/{steps[:end]}"
            for tournament, user, steps in rows["same"]
            for end in range(len(steps) + 1)
        }
        written |= set(_steps_of_resets(rows["resets"]))
        yield from _let_in(rows)
        yield from (f"{press} was acknowledged and is gone" for press in sorted(set(acknowledged) - written))
        yield from (f"{press} was refused and is there" for press in sorted(set(refused) & written))
        for table, number, steps, last in rows["steps"]:
            if steps != last + 1:
                yield f"round {number} of table {table} lacks a step"
        tables = {table: json.loads(doc) for table, doc in rows["tables"]}
        yield from _open_tables(tables, rows, pots)
        yield from self._rounds(tables, rows, pots)
        yield from self._promised(rows)
        yield from (f"nobody knows the rules of round {number} of table {table}" for table, number in rows["unruled"])
        yield from _roles(rows)
        yield from _duels(rows["duels"], pots)
        yield from _days(rows)
        yield from _resets(rows)
        yield from _fields(rows["fields"])
        self.played["same-cards"] = sum(phase == "over" for _, phase, *_ in rows["fields"])
        self.played["reset"] = sum(ended is not None and not withdrawn for *_, ended, withdrawn in rows["resets"])
        self.played["day"] = sum(finished is not None for _, _, finished, _ in rows["tries"])
        self.played["duel"] = sum(state == "ended" for _, state, *_ in rows["duels"])
        endings = Counter(ending.replace(" ", "-") for *_, ending in rows["duels"] if ending is not None)
        self.played |= Counter({f"duel-{ending}": count for ending, count in endings.items()})
        self.played["tournament"] = sum(phase == "over" for _, phase, _ in rows["tournaments"])
        for tournament, phase, due in rows["tournaments"]:
            lies = sum(chips for name, chips in pots.items() if f"{name}/".startswith(f"pool/{tournament}/"))
            if lies != (due if phase in ("sign-up", "sign-up closed", "playing") else 0):
                yield f"tournament {tournament} is {phase}, was paid {due} and holds {lies}"

    def _rounds(self, tables: dict[int, Any], rows: dict[str, list[Any]], pots: dict[str, int]) -> Iterator[str]:
        staked, paid = dict(rows["staked"]), dict(rows["paid"])
        for table, number, lines in rows["finished"]:
            if (table, number) in self._finished:
                continue
            self._finished.add((table, number))
            if tables[table]["contest"] is not None:
                self.played["elimination"] += 1
                continue  # its chips are play chips
            self.played[tables[table]["game"]] += 1
            escrow, told = f"escrow/{table}/{number}", json.loads(lines)
            if staked.get(escrow, 0) != sum(line["staked"] for line in told):
                yield f"round {number} of table {table} was staked otherwise than it says"
            if paid.get(escrow, 0) != sum(line["returned"] for line in told):
                yield f"round {number} of table {table} was paid otherwise than it says"
            if pots.get(escrow, 0):
                yield f"chips were left in round {number} of table {table}"

    def _promised(self, rows: dict[str, list[Any]]) -> Iterator[str]:
        """Every seed that was dealt is in the promise that was shown, and no promise is over that is dealt from."""
        for promise, tips, tip, slots, ended, taken, used in rows["promises"]:
            if _top(bytes(tips)) != bytes.fromhex(tip):
                yield f"promise {promise} does not cover the tips that it says"
            if slots != taken:
                yield f"{taken} chains name promise {promise}, which has given {slots}"
            if ended is not None and used:
                yield f"promise {promise} is over, and {used} of its chains are in use"
        for chain, link, seed, tip, slot, tips in rows["dealt"]:
            if (chain, link) in self._led:
                continue
            self._led.add((chain, link))
            found = bytes(seed)
            for _ in range(link):
                found = hashlib.sha256(found).digest()
            if found.hex() != tip or (tips is not None and bytes(tips)[32 * (slot - 1) : 32 * slot] != found):
                yield f"the seed of round {link} of chain {chain} is not in its promise"
        if len({seed for _, _, seed, *_ in rows["dealt"]}) != len(rows["dealt"]):
            yield "a seed was dealt twice"


def _duels(rows: list[Any], pots: dict[str, int]) -> Iterator[str]:
    """Yield duels whose stakes are not what their rows say, and duels that ended before their tries did."""
    for duel, state, offered, stake, unfinished, _ending in rows:
        lies, due = pots.get(f"duel/{duel}", 0), {"challenged": offered, "running": 2 * stake}.get(state, 0)
        if lies != due:
            yield f"duel {duel} is {state}, and {lies} lie at stake, not {due}"
        if state == "ended" and unfinished:
            yield f"duel {duel} is over, and {unfinished} of its tries are not"


def _days(rows: dict[str, list[Any]]) -> Iterator[str]:
    """Yield tries without the points of their end, and places that differ from the tries that they follow from."""
    for user, steps, finished, points in rows["tries"]:
        if (finished is None) != (points is None):
            yield f"the try {steps} of {user} has {points} points and ended at {finished}"
    weeks = Counter[tuple[int, int, str]]()
    for guild, person, day, points, of_the_try in rows["standings"]:
        if points != of_the_try:
            yield f"person {person} has {points} on a board, and {of_the_try} in the try"
        if points is not None:
            year, week, _ = date.fromordinal(_FIRST_DAY + day).isocalendar()
            weeks[guild, person, f"{year}-W{week:02}"] += points
    if weeks != {(guild, who, season): points for guild, who, season, points in rows["weeks"]}:
        yield "the places of a week are not the sums of their days"


def _fields(rows: list[Any]) -> Iterator[str]:
    """Yield tournaments with the same cards that end in one place and go on in another, or paid another sum."""
    for tournament, phase, closes, unfinished, bought_in, paid in rows:
        over = phase in ("over", "cancelled")
        if over != (closes < _NEVER):
            yield f"tournament {tournament} is {phase}, and its cards close at {closes}"
        if phase == "over" and unfinished:
            yield f"tournament {tournament} is over, and {unfinished} of its tries are not"
        if paid != (bought_in if over else 0):
            yield f"tournament {tournament} is {phase}, took {bought_in} and paid {paid}"


def _steps_of_resets(rows: list[Any]) -> Iterator[str]:
    """Yield the names of the steps that resets have taken."""
    for number, _guild, _amount, began, _last, ended, withdrawn in rows:
        yield f"reset/{number}"
        if began is not None:
            yield f"reset/{number}/began"
        if ended is not None:
            yield f"reset/{number}/{'withdrawn' if withdrawn else 'over'}"


def _resets(rows: dict[str, list[Any]]) -> Iterator[str]:
    """Yield members whom a reset left with other chips, marked without a transfer or the other way, or left out."""
    stories = defaultdict[int, list[Any]](list)
    for _, member, amount, key, at in rows["stories"]:
        stories[member].append((amount, key, at))
    orders = {
        number: (guild, amount, began, last, ended) for number, guild, amount, began, last, ended, _ in rows["resets"]
    }
    for member, guild, mark in rows["marks"]:
        for reset, (where, amount, began, last, ended) in orders.items():
            if where != guild or began is None:
                continue
            before, after, booked = _chips_around(stories[member], f"reset/{reset}/{member}", began)
            if booked is not None and (booked != amount or (mark or 0) < reset):
                yield f"reset {reset} left member {member}, marked {mark}, with {booked}, not {amount}"
            if mark == reset and booked is None and amount not in (before, *after):
                yield f"reset {reset} marked member {member}, whose chips never were {amount}"
            if ended is not None and member <= last and (mark or 0) < reset:
                yield f"reset {reset} is over and left out member {member}"


def _chips_around(story: list[Any], key: str, began: float) -> tuple[int, list[int], int | None]:
    """Return somebody's chips when a reset began, those that they had since, and those right after its transfer."""
    chips, before, after, booked = 0, 0, list[int](), None
    for amount, moved, at in story:
        chips += int(amount)
        booked = chips if moved == key else booked
        if at < began:
            before = chips
        else:
            after.append(chips)
    return before, after, booked


def _top(tips: bytes) -> bytes:
    level = [hashlib.sha256(b"\0" + tips[at : at + 32]).digest() for at in range(0, len(tips), 32)]
    while len(level) > 1:
        level = [
            hashlib.sha256(b"\1" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=True)
        ]
    return level[0]


def _roles(rows: dict[str, list[Any]]) -> Iterator[str]:
    """Every role was paid, those that were refused were paid back, and a job waits for what is not for good."""
    for number, state, seconds, price, paid, back, waits in rows["roles"]:
        if paid != price or back != (price if state == "refunded" else None):
            yield f"role {number} is {state}, costs {price}, was paid {paid}, and {back} came back"
        if bool(waits) != (state == "paid" or (state == "held" and seconds is not None)):
            yield f"role {number} is {state}, and {waits} jobs wait for it"
    if len(rows["roles"]) != rows["payments"][0][0]:
        yield f"{rows['payments'][0][0]} payments for {len(rows['roles'])} roles"


def _unbalanced(rows: dict[str, list[Any]], pots: dict[str, int]) -> Iterator[str]:
    kept = pots | {f"member/{member}": balance for member, balance in rows["members"]}
    due: Counter[str] = Counter()
    for source, target, amount in rows["moves"]:
        due[source] -= int(amount)
        due[target] += int(amount)
    for name in sorted(due.keys() | kept.keys()):
        if name not in _ENDLESS and kept.get(name, 0) != due[name]:
            yield f"a balance is not the sum of its transfers: {name} has {kept.get(name, 0)}, not {due[name]}"


def _let_in(rows: dict[str, list[Any]]) -> Iterator[str]:
    """Stakes and gifts of people who had a break then, or were past the limit that they had set.

    Their first stake of a round is asked about; what they add to a hand that goes on may pass.
    """
    breaks, limits = defaultdict[int, list[Any]](list), defaultdict[int, list[Any]](list)
    for user, began, until in rows["breaks"]:
        breaks[user].append((began, until))
    for user, at, most, _ in rows["limits"]:
        limits[user].append((at, most))
    for user, until in rows["doors"]:
        if until != max((end for _, end in breaks[user]), default=None):
            yield f"the door of {user} is not shut as long as the break says"
    lost, begun = Counter[int](), set[tuple[int, str]]()
    for _, user, other, amount, reason, at in rows["wallets"]:
        came_back = reason in ("returned", "cash-out", "prize", "buy-in back")
        lost[user] += amount if reason == "stake" else -amount if came_back else 0
        goes_on, staked = (user, other) in begun, reason in ("stake", "gift given")
        begun.add((user, other))
        if goes_on or not staked:
            continue
        if any(began <= at < until for began, until in breaks[user]):
            yield f"{user} was let in on a break, for a {reason}"
        most = [most for since, most in limits[user] if since <= at][-1:]
        if most and most[0] is not None and lost[user] > most[0]:
            yield f"{user} was let in past a limit, with {lost[user]} lost of {most[0]}"
    for user, set_ones in limits.items():
        known = [most for _, most in set_ones if most is not None]
        if any(later > earlier for earlier, later in pairwise(known)):
            yield f"a limit of {user} rose at once"


def _open_tables(tables: dict[int, Any], rows: dict[str, list[Any]], pots: dict[str, int]) -> Iterator[str]:
    """Compare each table's document with its rounds and escrows."""
    running = {(table, number): json.loads(stakes) for table, number, stakes in rows["running"]}
    for table, state in tables.items():
        playing = {number for other, number in running if other == table}
        wanted = {state["round"]} if state["phase"] == "playing" else set()
        if playing != wanted:
            yield f"a round was left: table {table} plays {sorted(wanted)}, and {sorted(playing)} have no end"
        elif state["contest"] is None and state["phase"] == "betting":
            lies = sum(sum((chair["staked"] or {}).values()) for chair in state["chairs"])
            if pots.get(f"escrow/{table}/{state['round'] + 1}", 0) != lies:
                yield f"table {table} says that {lies} are staked, and its escrow says otherwise"
        elif state["contest"] is None and state["phase"] == "playing":
            least = sum(sum(seat.values()) for seat in running[table, state["round"]])
            if pots.get(f"escrow/{table}/{state['round']}", 0) < least:
                yield f"chips came out of round {state['round']} of table {table}, which is not over"


_ASKED = {
    "members": "SELECT id, balance FROM members",
    "pots": "SELECT name, balance FROM pots",
    "moves": "SELECT source, target, sum(amount) FROM transfers GROUP BY source, target",
    "written": "SELECT cause FROM causes UNION SELECT key FROM transfers",
    "steps": "SELECT table_id, number, count(*), max(place) FROM steps GROUP BY table_id, number",
    "tables": "SELECT id, doc FROM tables",
    "running": "SELECT table_id, number, stakes FROM rounds WHERE dealt_at IS NOT NULL AND finished_at IS NULL",
    "finished": "SELECT table_id, number, lines FROM rounds WHERE finished_at IS NOT NULL",
    "staked": "SELECT target, sum(amount) FROM transfers WHERE reason = 'stake' GROUP BY target",
    "paid": "SELECT source, sum(amount) FROM transfers WHERE reason = 'returned' GROUP BY source",
    "roles": "SELECT id, state, seconds, price, "
    "(SELECT amount FROM transfers WHERE key = 'press/' || CAST(holdings.id AS TEXT) || '/role'), "
    "(SELECT amount FROM transfers WHERE key = 'role/' || CAST(holdings.id AS TEXT) || '/back'), "
    "(SELECT count(*) FROM jobs WHERE key = 'role/' || CAST(holdings.id AS TEXT) AND done_at IS NULL) FROM holdings",
    "payments": "SELECT count(*) FROM transfers WHERE reason = 'role'",
    "breaks": "SELECT user_id, began_at, until FROM breaks ORDER BY id",
    "doors": "SELECT user_id, resting_until FROM members WHERE user_id IN (SELECT user_id FROM breaks)",
    "limits": "SELECT user_id, at, most, later FROM limits ORDER BY id",
    "wallets": " UNION ALL ".join(
        f"SELECT t.id, user_id, {other}, amount, CASE WHEN reason = 'gift' THEN 'gift {word}' ELSE reason END, at "
        f"FROM members m JOIN transfers t ON {mine} = 'member/' || m.id WHERE user_id IN "
        "(SELECT user_id FROM breaks UNION SELECT user_id FROM limits)"
        for mine, other, word in (("source", "target", "given"), ("target", "source", "received"))
    )
    + " ORDER BY 1",
    "promises": "SELECT id, tips, tip, slots, ended_at, (SELECT count(*) FROM chains WHERE promise = promises.id), "
    "(SELECT count(*) FROM chains WHERE promise = promises.id AND (ended_at IS NULL OR used <> finished)) "
    "FROM promises",
    "dealt": "SELECT chain, link, seed, chains.tip, slot, tips FROM rounds JOIN chains ON chains.id = chain "
    "LEFT JOIN promises ON promises.id = promise WHERE dealt_at IS NOT NULL",
    "unruled": "SELECT table_id, number FROM rounds WHERE dealt_at IS NOT NULL AND rules IS NULL AND pack IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM rule_texts WHERE hash = rules_hash)",
    "tries": "SELECT user_id, steps, finished_at, points FROM tries JOIN people ON people.id = person "
    "WHERE \"set\" IN (SELECT id FROM sets WHERE kind = 'day')",
    "standings": "SELECT standings.guild, standings.person, day, standings.points, tries.points FROM standings "
    'JOIN sets ON sets.id = standings."set" '
    'LEFT JOIN tries ON tries."set" = standings."set" AND tries.person = standings.person AND archive = 0',
    "weeks": "SELECT guild, who, season, value FROM season_places WHERE board = 'five' AND season LIKE '%-W%'",
    "duels": 'SELECT id, state, offered, stake, (SELECT count(*) FROM tries WHERE tries."set" = duels."set" '
    "AND tries.finished_at IS NULL), ending FROM duels",
    "same": "SELECT tournament, user_id, steps FROM tries JOIN people ON people.id = person "
    'JOIN sets ON sets.id = tries."set" WHERE sets.tournament IS NOT NULL',
    "fields": "SELECT t.id, phase, closes, "
    '(SELECT count(*) FROM tries WHERE tries."set" = sets.id AND tries.finished_at IS NULL), '
    "(SELECT coalesce(sum(buy_in), 0) FROM entries WHERE tournament = t.id), "
    "(SELECT coalesce(sum(amount), 0) FROM transfers WHERE transfers.guild = t.guild "
    "AND (key LIKE 'cup/' || t.id || '/prize/%' "
    "OR key LIKE 'cup/' || t.id || '/back/%')) "
    "FROM tournaments t JOIN sets ON sets.tournament = t.id",
    "resets": "SELECT id, guild, amount, began_at, last, ended_at, withdrawn FROM resets",
    "marks": "SELECT id, guild, reset FROM members WHERE guild IN (SELECT guild FROM resets)",
    "stories": " UNION ALL ".join(
        f"SELECT t.id, m.id, {sign}amount, key, at FROM members m JOIN transfers t "
        f"ON t.guild = m.guild AND {mine} = 'member/' || m.id WHERE m.guild IN (SELECT guild FROM resets)"
        for mine, sign in (("source", "-"), ("target", ""))
    )
    + " ORDER BY 1",
    "tournaments": "SELECT id, phase, (SELECT coalesce(sum(buy_in), 0) FROM entries WHERE tournament = id) "
    "FROM tournaments",
}


def _on_file(url: str) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as bank:
        bank.execute("BEGIN")
        return {name: bank.execute(asked).fetchall() for name, asked in _ASKED.items()}


async def _on_server(url: str) -> dict[str, list[Any]]:
    bank = await asyncpg.connect(url)
    try:
        async with bank.transaction(isolation="repeatable_read"):
            return {name: [tuple(row) for row in await bank.fetch(asked)] for name, asked in _ASKED.items()}
    finally:
        await bank.close()
