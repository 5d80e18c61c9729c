# Every target sets up what it needs by itself, from nothing but Python 3.11 or newer and a package index.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

# What was installed is known by the requirements' checksum: a changed pin is installed, an unchanged one is not asked for.
RUNTIME := $(VENV)/runtime-$(shell cksum <requirements.txt | tr ' ' -)
PLAYGROUND := $(VENV)/playground-$(shell cksum <requirements-playground.txt | tr ' ' -)
DEVELOP := $(VENV)/develop-$(shell cksum <requirements-dev.txt | tr ' ' -)
PEERS := $(VENV)/peers-$(shell cksum <requirements-bench.txt | tr ' ' -)

# The same examples each time; make test SEED=$$RANDOM looks elsewhere.
SEED ?= 21
# One more than cores: tests wait for disks, servers and timers now and then. Four take as long as three.
WORKERS ?= 3
N ?= 300

.PHONY: help run doctor test slow lint browser golden messages screenshot gallery long crash simulate contract bench \
	fast plain pins clean
.DEFAULT_GOAL := help

help:
	@echo "make run         play: on Discord with a DISCORD_TOKEN, in the browser without"
	@echo "make doctor      see whether token, permissions, database, clock and disk are as they should be"
	@echo "make test        lint, types and tests (under five minutes on two cores)"
	@echo "make slow        types on macOS and Windows, statistics, more kills and more examples (five minutes)"
	@echo "make browser     play a hand in the playground with Chromium (under three minutes)"
	@echo "make lint        lint and types only"
	@echo "make bench       every figure, kept in docs/performance.md (BENCH=\"picture press\" for some)"
	@echo "make fast        compile the rounds of blackjack (needs a C compiler), and run the same tests on what was compiled"
	@echo "make plain       remove what make fast compiled; make does so by itself once the games' sources have changed"
	@echo "make crash N=300 kill the bank N times and audit it after each"
	@echo "make simulate    the whole house in a box: 100,000 events with faults and kills, all from SEED (EVENTS=...)"
	@echo "make contract    compare what the tests know of Discord with its document (needs npm; ADOPT=1 takes it over)"
	@echo "make long        what takes long: about two hours"
	@echo "make golden      write anew what people read (tests/golden), to be reviewed as a difference"
	@echo "make messages    bring the catalogues of the languages up to date with the code (LANGUAGE=it begins one)"
	@echo "make screenshot  the README's pictures, taken anew from the playground"
	@echo "make gallery     everything people see, on a phone and a desk, in every language: sheets in tests/browser/out"
	@echo "make pins        write requirements*.txt from pyproject.toml (UPGRADE=1: with the newest of what it leaves open)"
	@echo "make clean       remove the environment and the caches (chips in var/ stay)"

# -- set-up ------------------------------------------------------------------------------------------------------------

$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; name it with make PYTHON=..." >&2; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

PIP := $(RUN) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes

$(RUNTIME): | $(RUN)
	$(PIP) -r requirements.txt
	@rm -f $(VENV)/runtime-* && touch $@

$(PLAYGROUND): | $(RUN)
	$(PIP) -r requirements-playground.txt
	@rm -f $(VENV)/playground-* $(VENV)/runtime-* && touch $@ $(RUNTIME)

$(DEVELOP): | $(RUN)
	$(PIP) -r requirements-dev.txt
	@rm -f $(VENV)/develop-* $(VENV)/playground-* $(VENV)/runtime-* && touch $@ $(RUNTIME) $(PLAYGROUND)

$(PEERS): | $(DEVELOP)
	$(PIP) -r requirements-bench.txt
	@rm -f $(VENV)/peers-* && touch $@

# What is compiled belongs to these very sources. Python prefers it to them, so make removes it when they have changed.
COMPILED := $(wildcard *__mypyc.* engine/games/blackjack/*.so engine/games/blackjack/*.pyd)
FAST := $(VENV)/fast-$(shell find engine/games bench/_compiled.py -name '*.py' | LC_ALL=C sort | xargs cat | cksum | tr ' ' -)
ifneq ($(COMPILED),)
ifeq ($(wildcard $(FAST)),)
$(info What make fast compiled is older than the sources: it is removed.)
$(shell rm -f $(COMPILED))
endif
endif

# -- pins --------------------------------------------------------------------------------------------------------------

# Everything that is installed, from pyproject.toml: exact versions, and a hash of every file for every platform. Without
# UPGRADE=1 only what pyproject.toml asks for changes.
COMPILE = $(if $(PIP_INDEX_URL),UV_DEFAULT_INDEX=$(PIP_INDEX_URL)) $(VENV)/bin/uv pip compile --quiet --universal \
	--python-version 3.11 --generate-hashes --custom-compile-command "make pins" $(if $(UPGRADE),--upgrade)
PLAY := --extra postgres --extra playground

pins: | $(RUN)
	$(PIP) -r requirements-pins.txt
	$(COMPILE) pyproject.toml $(PLAY) --group dev -o requirements-dev.txt >/dev/null
	$(COMPILE) pyproject.toml $(PLAY) -c requirements-dev.txt -o requirements-playground.txt >/dev/null
	$(COMPILE) pyproject.toml --extra postgres -c requirements-dev.txt -o requirements.txt >/dev/null
	$(COMPILE) pyproject.toml $(PLAY) --group dev --group bench -c requirements-dev.txt -o requirements-bench.txt >/dev/null
	$(COMPILE) --group pins -o requirements-pins.txt >/dev/null

# -- targets -----------------------------------------------------------------------------------------------------------

# Exit code 3: no token is set. What is wrong with the settings is said by the bot itself.
ASK_FOR_TOKEN := from settings import Settings; raise SystemExit(3 * (Settings.read().discord_token is None))

# The bot says in a sentence what is wrong, and make's "Error 1" would only hide it, so the exit code is dropped: scripts
# run bot.py. With exec, a signal to make's child reaches the bot.
BOT := exec $(RUN) -c 'import bot; bot.main()'

run: $(RUNTIME)
	@test -e $(PLAYGROUND) || { $(RUN) -c '$(ASK_FOR_TOKEN)' 2>/dev/null; test $$? -ne 3 \
		|| $(MAKE) --no-print-directory $(PLAYGROUND); }
	@$(BOT)

# Unlike the bot, the doctor is also run by scripts: it fails if anything is wrong.
doctor: $(RUNTIME)
	@exec $(RUN) bot.py doctor $(if $(CHANNEL),--channel $(CHANNEL))

# Types are checked for each system: where nothing is cached yet, each takes ten seconds of a core.
SYSTEMS := linux darwin win32

lint: $(DEVELOP)
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	printf '%s\n' $(SYSTEMS) | xargs -P 3 -I SYSTEM $(RUN) -m mypy -n 2 --platform SYSTEM --cache-dir .mypy_cache/SYSTEM

# Python keeps what it compiled, whatever the environment says: many tests start a Python of their own.
test: export PYTHONDONTWRITEBYTECODE :=
test: SYSTEMS := linux
test: lint
	$(RUN) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --hypothesis-seed=$(SEED)

slow: export PYTHONDONTWRITEBYTECODE :=
slow: SYSTEMS := darwin win32
slow: lint
	$(RUN) -m pytest -m slow -n $(WORKERS) --hypothesis-seed=$(SEED)

browser: $(DEVELOP)
	@tests/browser/chromium >/dev/null
	CHROMIUM="$$(tests/browser/chromium)" $(RUN) -m pytest tests/browser

golden: $(DEVELOP)
	$(RUN) -m pytest -q tests/cogs/pages tests/data/test_columns.py --golden -m "not long"
	$(RUN) -m tests.golden.blackjack
	@git diff --stat -- tests/golden docs/columns.md

messages: $(RUNTIME)
	$(RUN) -m cogs.words.messages $(if $(filter command line,$(origin LANGUAGE)),$(LANGUAGE))

screenshot: $(DEVELOP)
	@tests/browser/chromium >/dev/null
	CHROMIUM="$$(tests/browser/chromium)" $(RUN) -m tests.browser.screenshot docs

SCENES ?=

gallery: $(DEVELOP)
	@tests/browser/chromium >/dev/null
	CHROMIUM="$$(tests/browser/chromium)" $(RUN) -m tests.browser.gallery tests/browser/out/gallery $(SCENES)

BENCH ?= $(filter-out _%,$(basename $(notdir $(wildcard bench/*.py))))

bench: $(DEVELOP) $(PEERS)
	@$(RUN) -m bench all --only $(BENCH) $(if $(filter file,$(origin BENCH)),--keep docs/performance.md)

fast: $(DEVELOP)
	@rm -f $(VENV)/fast-*
	$(RUN) -m bench._compiled
	@touch $(FAST)
	@$(RUN) -m pytest -q -n $(WORKERS) --dist loadfile --hypothesis-seed=$(SEED) tests/engine/games tests/engine/fairness \
		|| { $(MAKE) --no-print-directory plain; exit 1; }

plain:
	rm -f *__mypyc.* engine/games/blackjack/*.so engine/games/blackjack/*.pyd $(VENV)/fast-*

crash: $(DEVELOP)
	$(RUN) -m tests.crash $(N)

EVENTS ?= 100000

simulate: $(DEVELOP)
	$(RUN) -m tests.simulate --seed $(SEED) --events $(EVENTS) --workers $(WORKERS)

contract: $(DEVELOP)
	$(RUN) -m tests.contract $(if $(ADOPT),--adopt)

long: $(DEVELOP)
	@echo "This takes about two hours on two cores; make long began at $$(date +%H:%M)."
	HYPOTHESIS_PROFILE=long $(RUN) -m pytest -m long -n $(WORKERS) --hypothesis-seed=$(shell date +%s)
	$(RUN) -m tests.crash 10000
	$(RUN) -m tests.simulate --seed $$(date +%s) --events 1000000 --workers $(WORKERS)
	$(RUN) -m tests.processes 60
	$(RUN) -m tests.soak 3000

clean: plain
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/browser/out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
