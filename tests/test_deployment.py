"""The image has all that the bot needs and nothing else, and the dashboard asks for figures that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import create_bot
from cogs.operations import figures
from settings import ROOT, Settings

#: Told by Prometheus itself, or by its client about the process.
_NOT_OURS = {"up"}


def instructions(word: str) -> list[str]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.removeprefix(word).strip() for line in text.splitlines() if line.startswith(f"{word} ")]


def copied() -> list[str]:
    """Return what comes from this repository into the image."""
    lines = [line.split() for line in instructions("COPY") if not line.startswith("--from")]
    return [name for line in lines for name in line[:-1]]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image's folder, as the Dockerfile copies it."""
    folder = tmp_path_factory.mktemp("image")
    for name in copied():
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(source, folder / name)
    return folder


def run(image: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the hosted bot's requirements only: the playground's and the tests' cannot be imported."""
    blocked = "import sys; sys.modules.update(dict.fromkeys(('simcord', 'av', 'pytest', 'markdown_it'))); "
    return subprocess.run(
        [sys.executable, "-c", blocked + code],
        cwd=image,
        env={"DISCORD_TOKEN": "", "PATH": "", "MONITOR": "off"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_the_image_has_all_that_the_bot_imports(image: Path) -> None:
    done = run(image, "import bot; print(len(bot.extensions()) > 10)")
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_image_opens_a_bank(image: Path) -> None:
    code = (
        "import asyncio, bot; from data import Bank\n"
        "async def main():\n"
        "    async with Bank.open('sqlite:///var/casino.db', bot.Settings().house, bot.DiscordClock()) as bank:\n"
        "        print(await bank.auditor.stakes_stopped())\n"
        "asyncio.run(main())"
    )
    done = run(image, code)
    assert (done.stdout, done.stderr) == ("None\n", "")


def typed(image: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(image, f"import runpy; sys.argv = {['bot.py', *words]}; runpy.run_path('bot.py', run_name='__main__')")


@pytest.mark.slow
def test_the_image_has_the_programs_but_no_benchmarks(image: Path) -> None:
    assert typed(image, "data", "--help").stdout.startswith("usage: croupier data")
    assert "best" in typed(image, "solver", "vegas", "--hand", "A,7", "--up", "9").stdout
    assert "invalid choice: 'bench'" in typed(image, "bench").stderr


def test_without_a_token_and_a_playground_it_says_what_to_do(image: Path) -> None:
    done = typed(image)
    assert done.stderr.strip() == (
        "Set DISCORD_TOKEN, or install the extra `playground` too (in a clone, make run does it)."
    )
    assert done.returncode == 2


def test_the_image_gets_nothing_that_is_not_named() -> None:
    first, *allowed = [
        line
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith(("#", "**/"))
    ]
    assert first == "*"
    assert {line.removeprefix("!") for line in allowed} == set(copied())


def test_the_image_is_not_root_and_writes_to_its_volume_alone() -> None:
    assert instructions("USER") == ["10001:10001"]
    assert instructions("VOLUME") == ["/app/var"]
    assert instructions("ENTRYPOINT") == ['["python", "bot.py"]']


def test_both_stages_begin_with_the_one_base() -> None:
    assert instructions("ARG") == ["BASE=python:3.11-slim-bookworm"]
    assert instructions("FROM") == ["${BASE} AS built", "${BASE}"]


# -- what builds and runs it -------------------------------------------------------------------------------------------

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.name)
def test_actions_of_others_are_pinned_by_their_commit(workflow: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", workflow.read_text(encoding="utf-8"))
    assert used
    assert [
        action for action, tag in used if not re.search(r"@[0-9a-f]{40}$", action) or not tag.startswith(" # v")
    ] == []


def test_the_oldest_python_of_the_workflow_is_the_one_that_the_package_asks_for() -> None:
    tried = re.search(r'python: \["([\d.]+)"', (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    asked = re.search(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert tried is not None
    assert asked is not None
    assert tried[1] == asked[1]


def services() -> dict[str, str]:
    """Return what compose.yaml says of each service."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8").partition("\nservices:\n")[2]
    parts = re.split(r"^  (\w+):\n", re.split(r"^\w", text, maxsplit=1, flags=re.MULTILINE)[0], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("service", ["croupier", "postgres", "prometheus", "grafana"])
def test_a_service_has_no_more_power_than_it_needs(service: str) -> None:
    said = services()[service]
    assert "read_only: true" in said
    assert "cap_drop:\n      - ALL\n" in said
    assert "no-new-privileges:true" in said
    assert "mem_limit:" in said


def test_every_service_is_back_after_a_reboot_unless_somebody_stopped_it() -> None:
    restarts = {name: re.findall(r"restart: (\S+)", said) for name, said in services().items()}
    assert restarts == {name: ["unless-stopped"] for name in ("croupier", "postgres", "prometheus", "grafana")}


def test_no_service_has_a_password_that_everybody_knows() -> None:
    assert list(services()) == ["croupier", "postgres", "prometheus", "grafana"]
    given = re.findall(r"\w*PASSWORD\w*: (.*)", "".join(services().values()))
    assert given == ["${POSTGRES_PASSWORD:-}"], "PostgreSQL does not start without one"
    assert 'GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: "true"' in services()["grafana"]


def test_only_grafana_opens_a_port_and_only_to_this_machine() -> None:
    ports = {name: re.findall(r"ports:\n      - (\S+)", said) for name, said in services().items()}
    assert {name: found for name, found in ports.items() if found} == {"grafana": ["127.0.0.1:3000:3000"]}


# -- dashboard and alerts ----------------------------------------------------------------------------------------------


def told() -> set[str]:
    """The figures that there are."""
    text = figures.exposition(create_bot(Settings())).decode()
    families = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))
    lazily = {"croupier_open_tables"}  # needs a registry
    return families | lazily


def asked_for(expression: str) -> set[str]:
    names = set(re.findall(r"\b((?:croupier|process)_[a-z_]+|up(?=\{))", expression))
    return {re.sub(r"_(bucket|count|sum)$", "", name) if name not in _NOT_OURS else name for name in names}


def expressions(node: Any) -> Iterator[str]:
    """Yield every expression for Prometheus, however deep it lies."""
    if isinstance(node, dict):
        yield from (value for key, value in node.items() if key == "expr")
        for value in node.values():
            yield from expressions(value)
    elif isinstance(node, list):
        for value in node:
            yield from expressions(value)


async def test_the_dashboard_asks_for_figures_that_there_are() -> None:
    asked = {
        name
        for text in expressions(json.loads((ROOT / "deploy/grafana/croupier.json").read_text(encoding="utf-8")))
        for name in asked_for(text)
    }
    assert asked
    assert asked - told() - _NOT_OURS == set()


async def test_the_alerts_ask_for_figures_that_there_are() -> None:
    text = (ROOT / "deploy/prometheus/alerts.yaml").read_text(encoding="utf-8")
    asked = {name for line in text.splitlines() if not line.strip().startswith("#") for name in asked_for(line)}
    assert asked
    assert asked - told() - _NOT_OURS == set()


def test_every_alert_is_tried() -> None:
    alerts = re.findall(r"- alert: (\w+)", (ROOT / "deploy/prometheus/alerts.yaml").read_text(encoding="utf-8"))
    tried = (ROOT / "deploy/prometheus/alerts_test.yaml").read_text(encoding="utf-8")
    assert [alert for alert in alerts if f"alertname: {alert}\n" not in tried] == []


def test_every_alert_is_as_tried() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool (Debian: prometheus) is not installed")
    done = subprocess.run(
        [promtool, "test", "rules", "deploy/prometheus/alerts_test.yaml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_processes_of_the_manifest_share_all_shards() -> None:
    text = (ROOT / "deploy/kubernetes/croupier.yaml").read_text(encoding="utf-8")
    (replicas,) = re.findall(r"replicas: (\d+)\n", text)
    (processes,) = re.findall(r"value: \$\(ORDINAL\)/(\d+)", text)
    assert replicas == processes
    mine = [Settings(shard_of=(number, int(processes))).shards.mine or () for number in range(int(replicas))]
    assert sorted(shard for shards in mine for shard in shards) == list(range(int(replicas)))


def test_make_starts_the_bot_in_its_own_place_and_says_only_the_bots_sentence() -> None:
    """With exec a signal to make reaches the bot; an exit code would bring make's "Error 1" below the sentence."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    program = re.search(r"^BOT := exec \$\(RUN\) -c '(.+)'$", makefile, re.MULTILINE)
    assert program is not None
    assert re.findall(r"^\t@\$\(BOT\)( \w+|$)", makefile, re.MULTILINE) == [""]
    command = [sys.executable, "-c", program[1]]
    done = subprocess.run(
        command, cwd=ROOT, env={"DISCORD_TOKEN": "nonsense"}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr.startswith("DISCORD_TOKEN is not valid")
    assert done.returncode == 0


def test_make_doctor_fails_where_something_is_wrong() -> None:
    """Scripts ask it whether the bot may start."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"^doctor: .*\n\t@exec \$\(RUN\) (\S+) (\S+)", makefile, re.MULTILINE) == [("bot.py", "doctor")]
    command = [sys.executable, "bot.py", "doctor"]
    done = subprocess.run(command, cwd=ROOT, env={"LOG_LEVEL": "loud"}, capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
