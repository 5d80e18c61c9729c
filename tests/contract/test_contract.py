"""Mistakes of each kind that Discord would refuse are found, and told in a sentence that says where."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord
from discord import ui
from discord.ext import commands

from . import facts
from .requests import Recorder, judge, with_snowflakes
from .spoilt import spoilt

SEND = ("POST", "/channels/11/messages")
EDIT = ("PATCH", "/channels/11/messages/12")
ANSWER = ("POST", "/interactions/13/token/callback")
FOLLOW_UP = ("POST", "/webhooks/14/token")
COMMANDS = ("PUT", "/applications/14/commands")

EVENTS = ("POST", "/guilds/16/scheduled-events")
EVENT_AGAIN = ("PATCH", "/guilds/16/scheduled-events/17")

V2 = 1 << 15

EVENT = {
    "name": "Tournament",
    "privacy_level": 2,
    "entity_type": 3,
    "entity_metadata": {"location": "The casino"},
    "scheduled_start_time": "2026-11-18T12:00:00+00:00",
    "scheduled_end_time": "2026-11-18T14:00:00.5+01:00",
}


def button(custom_id: str | None = "deal", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Deal", **({"custom_id": custom_id} if custom_id else {}), **more}


def row(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(parts)}


def text(content: str = "A table") -> dict[str, Any]:
    return {"type": 10, "content": content}


def select(*values: str, **more: Any) -> dict[str, Any]:
    return {
        "type": 3,
        "custom_id": "rules",
        "options": [{"label": "Vegas", "value": value} for value in values],
        **more,
    }


def picture(name: str = "table.png") -> dict[str, Any]:
    return {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}}]}


def page(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"flags": V2, "components": list(parts), **more}


def answer(data: dict[str, Any], kind: int = 4) -> dict[str, Any]:
    return {"type": kind, "data": data}


def form(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return answer({"custom_id": "bet", "title": "Your bet", "components": list(parts), **more}, 9)


def asked(label: str = "Chips", custom_id: str = "chips", **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": label, "component": {"type": 4, "custom_id": custom_id, "style": 1, **more}}


def command(name: str = "deal", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Deal a hand", **more}


def option(name: str = "bet", kind: int = 4, **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, "description": "Chips", **more}


def choices(*values: int | str, **more: Any) -> list[dict[str, Any]]:
    return [{"name": f"No. {number}", "value": value, **more} for number, value in enumerate(values)]


def offering(*options: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The whole list of commands: one, with such options."""
    return [command(options=list(options), **more)]


def somewhere(location: Any) -> dict[str, Any]:
    return {"entity_metadata": {"location": location}}


Route = tuple[str, str]

FINE: list[tuple[Route, Any]] = [
    (SEND, page(text(), picture(), row(button()), attachments=[{"id": 0, "filename": "table.png"}])),
    (SEND, page(row(button(None, style=5, url="https://example.org")))),
    (SEND, page(row({"type": 5, "custom_id": "who", "default_values": [{"id": 15, "type": "user"}]}))),
    (EDIT, page(text(), picture())),
    (EDIT, {"content": None}),
    (SEND, page(text("<@15>"), allowed_mentions={"parse": []})),
    (EDIT, page(text("<@15>"), allowed_mentions={"parse": [], "users": ["15"]})),
    (SEND, page(text("<@&15>"), allowed_mentions={"parse": [], "roles": [15]})),
    (FOLLOW_UP, {"content": "You lose, <@15>.", "flags": 64, "allowed_mentions": {"users": [15]}}),
    (ANSWER, answer(page({"type": 17, "components": [text(), row(button())]}))),
    (ANSWER, {"type": 6}),
    (ANSWER, form(asked(), {"type": 18, "label": "Rules", "component": select("vegas", "euro")})),
    (COMMANDS, offering(option(required=True), option("on", 3), name_localizations={"fr": "éléphant"})),
    (COMMANDS, []),
    (EVENTS, EVENT),
    (EVENT_AGAIN, {"name": "Final", "entity_metadata": {"location": "The casino"}}),
    (("POST", "/applications/14/emojis"), {"name": "ace", "image": "data:image/png;base64,AAAA"}),
]


@pytest.mark.parametrize(("route", "body"), FINE)
def test_what_discord_takes_is_taken(route: Route, body: Any) -> None:
    assert judge(*route, body) == []


#: Requests by their route and by the sentence that each must bring.
IN_THE_DOCUMENT: dict[Route, dict[str, Any]] = {
    SEND: {
        "body.components[0].components[0].label is 81 characters, and 80 are the most": page(
            row(button(label="x" * 81))
        ),
        "components[0].custom_id is 101 characters, and 100 are the most": page(row(button("x" * 101))),
        "components[0].components is 6 items, and 5 are the most": page(row(*(button(str(n)) for n in range(6)))),
        "components[0].components is 0 items, and 1 are the least": page(row()),
        "body.components[0].components[0].style is missing": page(row({"type": 2, "custom_id": "deal"})),
        "style is 9, none of [1, 2, 3, 4, 5, 6]": page(row(button(style=9))),
        "components[0].components[0] may not be of type 10 here": page(row(text())),
        "body.components[0].content is null": page({"type": 10, "content": None}),
        "label is a int, not a string": page(row(button(label=21))),
        "body.flags is a bool, not a number": {"content": "Hello", "flags": True},
        "media.url is 'table', not a uri": page({"type": 12, "items": [{"media": {"url": "table"}}]}),
        "users[0] is 'bob', which does not match": page(text(), allowed_mentions={"users": ["bob"]}),
        "body.colour is unknown": {"content": "Hello", "colour": 1},
        "body.components[0].components[0].title is unknown": page(row(button(title="Deal"))),
    },
    ANSWER: {
        "body may not be of type 99 here": answer({}, 99),
        "data.components[0].label is 46 characters, and 45 are the most": form(asked("x" * 46)),
        "data.title is 46 characters, and 45 are the most": form(asked(), title="x" * 46),
        "data.components[0] may not be of type 2 here": form(button()),
        "options is 1 items, and 2 are the least": form(asked() | {"component": select("slow") | {"type": 21}}),
    },
    COMMANDS: {
        "body[0].description is 101 characters, and 100 are the most": [command(description="x" * 101)],
        "choices is 26 items, and 25 are the most": offering(option(choices=choices(*range(26)))),
        "max_value is 9007199254740992, and 9007199254740991 are the most": offering(option(max_value=2**53)),
        "contexts is 0 items, and 1 are the least": [command(contexts=[])],
    },
    EVENTS: {
        "start_time is '2026-11-18', not a date-time": EVENT | {"scheduled_start_time": "2026-11-18"},
        "start_time is 'tonight', not a date-time": EVENT | {"scheduled_start_time": "tonight"},
        "body.entity_metadata.location is 101 characters, and 100 are the most": EVENT | somewhere("x" * 101),
        "body.entity_metadata.location is null": EVENT | somewhere(None),
    },
    EVENT_AGAIN: {
        "body.entity_metadata.location is 101 characters, and 100 are the most": EVENT | somewhere("x" * 101),
        "body.entity_metadata.location is unknown": somewhere("x" * 101),
    },
    ("DELETE", "/channels/11/messages/12"): {"a body is sent where none belongs": {"reason": "old"}},
    ("POST", "/channels/11/shout"): {"no such route is among the facts": {"content": "Hello"}},
}

BY_HAND: dict[Route, dict[str, Any]] = {
    SEND: {
        "component 2 (Deal) has no custom_id": page(row(button(None))),
        "the custom_id 'deal' is there 2 times": page(row(button()), {"type": 17, "components": [row(button())]}),
        "the id 7 is there 2 times": page(text() | {"id": 7}, row(button()) | {"id": 7}),
        "content is sent beside V2 components": page(text(), content="Hello"),
        "V2 components are sent without their flag": {"components": [text()]},
        "all texts together are 4001 characters": page(
            text("x" * 2_000), {"type": 17, "components": [text("x" * 2_001)]}
        ),
        "content is 2001 characters, and 2000 are the most": {"content": "x" * 2_001},
        "6 rows are sent": {"content": "Hello", "components": [row(button(str(n))) for n in range(6)]},
        "the message is empty": {"content": None, "tts": False},
        "attachment://table.png is shown, but not attached": page(picture()),
        "allowed_mentions names some users and allows all": {
            "content": "Hello, <@15>",
            "allowed_mentions": {"parse": ["users"], "users": [15]},
        },
        "people are named, and nothing says": page(text("Your move, <@15>.")),
        "allowed_mentions has the roles 15, and the message does not name them": page(
            text("<@15>"), allowed_mentions={"roles": ["15"]}
        ),
        "allowed_mentions has 15, and the message does not name them": page(text(), allowed_mentions={"users": ["15"]}),
        "component 2 (Deal) has a custom_id": page(row(button(style=5, url="https://example.org"))),
        "component 2 (Deal) has no url": page(row(button(None, style=5))),
        "component 2 (deal) has neither label nor emoji": page(row(button(label=None))),
        "a row holds something beside a select": page(row(button(), select("vegas"))),
        "component 3 (rules) offers 'vegas' 2 times": page(row(select("vegas", "vegas"))),
        "component 3 (rules) wants 2 of 1 options": page(row(select("vegas", max_values=2))),
        "component 3 (rules) wants more than it allows": page(row(select("a", "b", min_values=2, max_values=1))),
        "component 3 (rules) has more defaults than may be chosen": page(
            row(select() | {"options": [{"label": value, "value": value, "default": True} for value in "ab"]})
        ),
    },
    EDIT: {
        "an edit names people without allowing it": page(text("<@15>"), allowed_mentions={"parse": []}),
        "embeds is sent beside V2 components": page(text(), embeds=[{"title": "Hello"}]),
        "attachment://table.png is shown": page(picture(), attachments=[{"id": 0, "filename": "felt.png"}]),
    },
    FOLLOW_UP: {
        "41 components are sent, and 40 are the most, nested ones too": page(
            *(row(*(button(f"{line}{place}") for place in range(5))) for line in range(6)), *(text() for _ in range(5))
        ),
    },
    ANSWER: {
        "the message is empty": {"type": 4},
        "all texts together are 4001 characters": answer(page(text("x" * 2_000), text("x" * 2_001))),
        "V2 components are sent without their flag": answer({"components": [text()], "flags": 64}, 7),
        "the custom_id 'chips' is there 2 times": form(asked(), asked()),
        "the form has 6 parts, and 5 are the most": form(*(asked(custom_id=str(n)) for n in range(6))),
        "is filled with 4 characters, which it does not allow": form(asked(max_length=2, value="1000")),
        "an input in a row has no label": form(row({"type": 4, "custom_id": "chips", "style": 1})),
    },
    COMMANDS: {
        "/Deal may not be named 'Deal'": [command("Deal")],
        "/deal it may not be named 'deal it'": [command("deal it")],
        "/deal may not be named 'Éléphant'": [command(name_localizations={"fr": "Éléphant"})],
        "/deal Bet may not be named 'Bet'": offering(option("Bet")),
        "/deal has a description_localizations for 'fr-FR'": [command(description_localizations={"fr-FR": "Une main"})],
        "/deal bet 'No. 0' has a name_localizations for 'xx'": offering(
            option(choices=choices(1, name_localizations={"xx": "Un"}))
        ),
        "'Deal a hand' has a name_localizations for 'xx'": [
            {"type": 2, "name": "Deal a hand", "name_localizations": {"xx": "Donner"}}
        ],
        "/deal has no description": [{"name": "deal"}],
        "/deal is there 2 times": [command(), command()],
        "/deal has 2 options 'bet'": offering(option(), option()),
        "/deal bet offers the value 1 2 times": offering(option(choices=choices(1, 1))),
        "/deal has a required option behind an optional one": offering(option(), option("on", required=True)),
        "/deal has options beside its subcommands": offering(option("close", 1), option()),
        "/deal bet has both choices and autocompletion": offering(option(autocomplete=True, choices=choices(1))),
        "101 commands are sent, and 100 are the most": [command(f"deal{n}") for n in range(101)],
        "/deal has 8065 letters, and 8000 are the most": offering(
            *(option(f"bet{n:02}", 3, choices=choices(*(f"{n:099}" for n in range(3)))) for n in range(25))
        ),
    },
}


def planted(table: dict[Route, dict[str, Any]]) -> list[Any]:
    return [(route, told, body) for route, cases in table.items() for told, body in cases.items()]


@pytest.mark.parametrize(("route", "told", "body"), [*planted(IN_THE_DOCUMENT), *planted(BY_HAND)])
def test_what_discord_would_refuse_is_found_and_told(route: Route, told: str, body: Any) -> None:
    found = judge(*route, body)
    assert any(told in mistake for mistake in found), found


@pytest.mark.parametrize(("route", "told", "body"), planted(BY_HAND))
def test_rules_written_by_hand_are_needed(route: Route, told: str, body: Any) -> None:
    """The document has nothing against these. When it learns of one, the rule of ours can go."""
    known = facts.route_of(*route)
    assert known is not None
    assert facts.mistakes(known, with_snowflakes(body)) == []


@pytest.mark.parametrize("location", [None, 7, ["The casino"], "x" * 101])
def test_the_document_refuses_only_what_no_kind_of_an_event_allows(location: Any) -> None:
    """Events in voice channels have no location, and the document minds no key that it does not know; we do."""
    route = facts.route_of(*EVENT_AGAIN)
    assert route is not None
    of_no_kind, outside = facts.mistakes(route, somewhere(location)), facts.mistakes(route, EVENT | somewhere(location))
    assert (len(of_no_kind), any(map(facts.refused, of_no_kind))) == (1, False)
    assert (len(outside), all(map(facts.refused, outside))) == (1, True)


def test_a_query_is_judged_too() -> None:
    assert judge(*FOLLOW_UP, {"content": "Hello"}, {"wait": 1, "with_components": "true"}) == []
    assert judge(*FOLLOW_UP, {"content": "Hello"}, {"hurry": 1}) == [
        "POST /webhooks/{webhook_id}/{webhook_token}: the query has no 'hurry'"
    ]


def test_numbers_are_taken_for_ids_in_three_places_only() -> None:
    assert judge(*SEND, {"content": "Hello", "sticker_ids": [17]}) == [
        "POST /channels/{channel_id}/messages: body.sticker_ids[0] is a int, not a string"
    ]


def test_a_file_that_is_sent_along_can_be_shown() -> None:
    assert judge(*SEND, page(picture()), files=["table.png"]) == []


def test_spoilt_requests_are_not_all_taken() -> None:
    """`make contract` gives these to the whole document: most are wrong, and the rest are known to be right."""
    wrong = list(spoilt([("POST /channels/{channel_id}/messages", page(row(button())))]))
    refused = [body for route, body in wrong if facts.mistakes(route, body)]
    assert len(wrong) > 40
    assert len(refused) > len(wrong) / 2


async def test_every_request_of_discord_py_is_judged(contract: Recorder) -> None:
    """The test that sent it fails: this one says sorry."""
    env = simcord.Env(commands.Bot("!", intents=discord.Intents(guilds=True)))
    await env.start()
    guild = env.create_guild("Riverside")
    room = env.bot.get_channel(guild.create_text_channel("casino").id)
    assert isinstance(room, discord.TextChannel)
    view = ui.View(timeout=None)
    view.add_item(ui.Button(label="x" * 81, custom_id="deal"))
    for _ in range(2):
        with pytest.raises(discord.HTTPException):
            await room.send("Hello", view=view, file=discord.File(__file__, "rules.txt"))
    await env.bot.close()
    await env.shutdown()
    mistake = (
        "POST /channels/{channel_id}/messages: "
        "body.components[0].components[0].label is 81 characters, and 80 are the most"
    )
    assert contract.mistakes == [mistake, mistake]
    contract.mistakes.clear()
