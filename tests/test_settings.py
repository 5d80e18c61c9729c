"""The operator's settings: their defaults, their `.env`, and the sentence that a mistake gets."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from dotenv.parser import parse_stream

from data import home
from data.__main__ import _configured
from data.base.home import env_file
from engine.tables.house import HouseSettings
from settings import ROOT, BadSettings, Settings, Shards

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gh1jKl.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture
def env(tmp_path: Path) -> Path:
    return tmp_path / ".env"


def read(file: Path, **environment: str) -> Settings:
    return Settings.read(environment, file)


def test_with_nothing_set_everything_is_as_the_house_has_it(env: Path) -> None:
    settings = read(env)
    assert settings == Settings()
    assert settings.discord_token is None
    assert settings.house == HouseSettings()


def test_the_example_names_every_setting_and_nothing_else() -> None:
    with (ROOT / ".env.example").open(encoding="utf-8") as stream:
        named = [binding.key for binding in parse_stream(stream) if binding.key]
    assert named == [field.name.upper() for field in fields(Settings)]


def test_the_example_shows_the_defaults() -> None:
    assert read(ROOT / ".env.example") == Settings()


def test_the_example_explains_every_setting() -> None:
    paragraphs = (ROOT / ".env.example").read_text(encoding="utf-8").split("\n\n")
    with_settings = [
        part for part in paragraphs if any("=" in line[:40] for line in part.splitlines() if line[:1] != "#")
    ]
    assert all(part.startswith("#") for part in with_settings)


def test_the_environment_wins_over_the_file(env: Path) -> None:
    env.write_text("TURN_SECONDS=20\nIDLE_SECONDS=120 # two minutes\n")
    settings = read(env, TURN_SECONDS="30")
    assert (settings.turn_seconds, settings.idle_seconds) == (30, 120)


def test_in_the_playground_a_new_account_may_do_everything(env: Path) -> None:
    """All accounts are new there."""
    url = Settings().playground_database_url
    house = read(env, DATABASE_URL=url, GIFT_ACCOUNT_DAYS="3", GIFT_SERVER_DAYS="3", GIFT_HANDS="9").house
    assert (house.gift_account_days, house.gift_server_days, house.gift_hands) == (0, 0, 0)


def test_chips_are_kept_in_cents(env: Path) -> None:
    assert read(env, STARTING_CHIPS="2500").house.starting_chips == 250_000


def test_an_empty_value_is_the_default(env: Path) -> None:
    env.write_text('LOG_LEVEL=\nSMALLEST_STAKE=""\n')
    assert read(env) == Settings()


def test_shards_of_one_process_among_several(env: Path) -> None:
    settings = read(env, SHARD_COUNT="4", SHARD_IDS="3, 2")
    assert (settings.shard_count, settings.shard_ids) == (4, (2, 3))
    assert settings.shards == Shards(4, (2, 3))


def test_the_last_number_that_is_allowed_is(env: Path) -> None:
    assert read(env, SHARD_COUNT="65536").shard_count == 65_536
    assert read(env, PLAYGROUND_PORT="65535").playground_port == 65_535
    assert read(env, IDLE_SECONDS="86400").house.idle_seconds == 86_400


def test_one_process_has_as_many_shards_as_discord_says(env: Path) -> None:
    assert read(env).shards == Shards(None, None)


def test_shards_follow_from_which_process_of_how_many_it_is(env: Path) -> None:
    assert read(env, SHARD_OF="2/8").shards == Shards(8, (2,))
    assert read(env, SHARD_OF="1/3", SHARD_COUNT="8").shards == Shards(8, (1, 4, 7))


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"SHARD_OF": "8/8"}, "SHARD_OF is '8/8', but must be NUMBER/PROCESSES"),
        ({"SHARD_OF": "3"}, "SHARD_OF is '3', but must be NUMBER/PROCESSES"),
        ({"SHARD_OF": "1/2/3"}, "SHARD_OF is '1/2/3', but must be NUMBER/PROCESSES"),
        ({"SHARD_OF": "0/2", "SHARD_COUNT": "2", "SHARD_IDS": "0"}, "SHARD_IDS and SHARD_OF both say"),
        ({"SHARD_OF": "0/4", "SHARD_COUNT": "2"}, "SHARD_COUNT must not be below the processes"),
    ],
)
def test_a_share_that_cannot_be_is_refused(env: Path, variables: dict[str, str], expected: str) -> None:
    with pytest.raises(BadSettings) as caught:
        read(env, **variables)
    assert str(caught.value).startswith(expected)


@pytest.mark.parametrize(
    ("text", "address"),
    [("off", None), ("0.0.0.0:80", ("0.0.0.0", 80)), ("[::1]:8766", ("::1", 8766)), ("localhost:0", ("localhost", 0))],
)
def test_the_monitor_listens_where_it_is_told_to(env: Path, text: str, address: tuple[str, int] | None) -> None:
    assert read(env, MONITOR=text).monitor == address


@pytest.mark.parametrize("text", ["8766", ":8766", "here:there", "on"])
def test_other_addresses_of_the_monitor_are_refused(env: Path, text: str) -> None:
    with pytest.raises(BadSettings, match=r"^MONITOR is .* must be HOST:PORT, or off"):
        read(env, MONITOR=text)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("TURN_SECONDS", "soon", "TURN_SECONDS is 'soon', but must be a number of seconds from 5 to 3600."),
        ("TURN_SECONDS", "nan", "TURN_SECONDS is 'nan', but must be a number of seconds from 5 to 3600."),
        ("IDLE_SECONDS", "-1", "IDLE_SECONDS is '-1', but must be a number of seconds from 30 to 86400."),
        (
            "STARTING_CHIPS",
            "1.5",
            "STARTING_CHIPS is '1.5', but must be a whole number of chips from 0 to 1,000,000,000.",
        ),
        ("LOG_LEVEL", "loud", "LOG_LEVEL is 'loud', but must be one of DEBUG, INFO, WARNING, ERROR."),
        ("SHARD_IDS", "0,x", "SHARD_IDS is '0,x', but must be shard numbers with commas between them, such as 0,1,2."),
        (
            "PLAYGROUND_PORT",
            "70000",
            "PLAYGROUND_PORT is '70000', but must be a port number from 0 to 65535 (0 takes any",
        ),
    ],
)
def test_a_wrong_value_gets_one_sentence(env: Path, name: str, text: str, expected: str) -> None:
    with pytest.raises(BadSettings) as caught:
        read(env, **{name: text})
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["DISCORD_TOKEN", "DATABASE_URL", "PLAYGROUND_DATABASE_URL"])
def test_a_wrong_secret_is_not_repeated(env: Path, name: str) -> None:
    with pytest.raises(BadSettings, match=f"^{name} is not valid") as caught:
        read(env, **{name: "mysql://me:hunter2@here"})
    assert "hunter2" not in str(caught.value)


def test_secrets_are_not_in_the_repr(env: Path) -> None:
    settings = read(env, DISCORD_TOKEN=TOKEN, DATABASE_URL="postgresql://me:hunter2@here/casino")
    assert TOKEN not in repr(settings)
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize("url", ["sqlite:///casino.db", "sqlite:////srv/casino.db", "postgresql://me:pw@here/casino"])
def test_both_databases_are_taken(env: Path, url: str) -> None:
    assert read(env, DATABASE_URL=url).database_url == url


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite:////",
        "sqlite:////srv/",
        "sqlite:///.",
        "postgres://here/casino",
        "casino.db",
        "postgresql://",
    ],
)
def test_other_databases_are_refused(env: Path, url: str) -> None:
    with pytest.raises(BadSettings, match="DATABASE_URL"):
        read(env, DATABASE_URL=url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TURN_SECONDS\n", "Line 1 of .env must be NAME=value."),
        ("\n\n= 3\n", "Line 3 of .env must be NAME=value."),
        ("LOG_LEVEL='INFO\n", "Line 1 of .env must be NAME=value."),
        ("TURN_SECOND=5\n", "TURN_SECOND in .env is not a setting; TURN_SECONDS is."),
    ],
)
def test_a_broken_file_gets_one_sentence(env: Path, text: str, expected: str) -> None:
    env.write_text(text)
    with pytest.raises(BadSettings) as caught:
        read(env)
    assert str(caught.value) == expected


def test_a_file_that_an_editor_of_windows_saved_keeps_its_first_setting(env: Path) -> None:
    env.write_text("TURN_SECONDS=77\n", encoding="utf-8-sig")
    assert read(env).turn_seconds == 77


def test_a_file_that_is_no_text_gets_one_sentence(env: Path) -> None:
    env.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(BadSettings, match=r"^\.env cannot be read: it is not UTF-8 text\.$"):
        read(env)


def test_a_file_that_is_a_folder_gets_one_sentence(env: Path) -> None:
    env.mkdir()
    with pytest.raises(BadSettings, match=r"^\.env cannot be read: "):
        read(env)


def test_a_folder_that_cannot_be_looked_into_gets_one_sentence(tmp_path: Path) -> None:
    """Its name is too long for any file system, because root may look into every folder that is there."""
    with pytest.raises(BadSettings, match=r"^\.env cannot be read: "):
        read(tmp_path / ("x" * 5_000) / ".env")


def test_other_programs_variables_may_stand_in_the_file(env: Path) -> None:
    env.write_text("COMPOSE_PROJECT_NAME=casino\n")
    assert read(env) == Settings()


def test_limits_must_leave_a_stake(env: Path) -> None:
    with pytest.raises(BadSettings, match="SMALLEST_STAKE must not be above LARGEST_STAKE"):
        read(env, SMALLEST_STAKE="50", LARGEST_STAKE="10")
    assert read(env, SMALLEST_STAKE="10", LARGEST_STAKE="10").house.largest_stake == 1_000


@pytest.mark.parametrize("count", ["", "2"])
def test_shard_numbers_need_a_count_above_them(env: Path, count: str) -> None:
    with pytest.raises(BadSettings, match="SHARD_IDS must come with a SHARD_COUNT"):
        read(env, SHARD_COUNT=count, SHARD_IDS="1,2")


# -- the folder that the bot works in ----------------------------------------------------------------------------------


def test_a_clone_has_its_settings_beside_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CROUPIER_HOME", raising=False)
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "pyproject.toml").touch()
    assert env_file(tmp_path / "clone") == tmp_path / "clone" / ".env"
    assert env_file(tmp_path / "site-packages") == Path(".env"), "an installed bot has them where it is started"


@pytest.mark.parametrize("given", [None, "", "  ", "sqlite:///here.db"])
def test_what_works_on_the_bank_without_the_bot_finds_the_same_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path))
    (tmp_path / ".env").write_text("DATABASE_URL=sqlite:///${HOME}/casino.db\n")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if given is not None:
        monkeypatch.setenv("DATABASE_URL", given)
    assert _configured() == Settings.read().database_url


@pytest.mark.slow
def test_croupier_home_has_the_settings_and_what_they_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_HOME", str(tmp_path))
    (tmp_path / ".env").write_text("TURN_SECONDS=77\n")
    assert env_file() == tmp_path / ".env"
    assert Settings.read({}).turn_seconds == 77
    assert home() / Settings().backup_folder == tmp_path / "var/backups"
