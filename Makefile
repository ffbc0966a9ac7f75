# The project's commands; `make help` lists them. GNU Make 3.81 (macOS) is enough.

SHELL  := /bin/sh
VENV   := .venv
BIN    := $(VENV)/bin
EXTRAS ?= dev
PYTHON ?=
PYTEST_ARGS ?=
GAMES  ?= 8400

# Stamps: an install is repeated only when pyproject.toml has changed.
CORE := $(VENV)/.installed-core
DEV  := $(VENV)/.installed-$(EXTRAS)
FAST := $(VENV)/.installed-fast

.PHONY: help demo test check build-fast clean-fast bench bench-study notebooks picture ladder golden soak rules-coverage mutate lab docs clean
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/  -/'

demo: $(CORE) ## play 200 four-player games into results/demo (does all the set-up)
	@rm -rf results/demo
	@$(BIN)/aoi-sim run --games 200 --players 4 --heuristics expert --seed 1 --out results/demo
	@$(BIN)/aoi-sim report results/demo
	@echo
	@echo "The run lies in results/demo: manifest.json, and the tables games, seats, rounds, offers and events as Parquet."
	@echo "Read the report: open results/demo/report.html in a browser."
	@echo "One faction:     $(BIN)/aoi-sim report results/demo --faction philosophers"
	@echo "Load a table:   $(BIN)/python -c \"import aoi_sim as aoi; print(aoi.open_run('results/demo').seats().collect())\""
	@echo "Read a game:    $(BIN)/aoi-sim replay results/demo --game 0 --record results/game-0.txt"
	@echo "Look at it:     $(BIN)/aoi-sim show results/game-0.txt"
	@echo "Step through it: $(BIN)/aoi-sim replay results/demo --game 0 --html results/game-0.html"

test: $(DEV) ## run all tests on all cores (does all the set-up); PYTEST_ARGS="-m 'not slow'" for the quick ones
	$(BIN)/python -m pytest -n auto $(PYTEST_ARGS)

check: $(DEV) ## lint, format, types, arrows between the rooms
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

build-fast: $(FAST) ## compile engine and players beside their sources (needs a C compiler)
	@$(BIN)/python -m aoi_sim.fast build

clean-fast: ## remove the compiled build
	@find aoi_sim -name '*.so' -exec rm -f {} +
	@rm -f aoi_sim/fast/built.*.txt

bench: $(DEV) ## measure the speed of both builds against a fixed unit of work
	$(BIN)/python -m tests.bench

bench-study: $(DEV) ## play the balanced study with expert: time, and standard error of every pairing; GAMES=420 for a small one
	$(BIN)/python -m tests.bench.study --games $(GAMES)

notebooks: $(DEV) ## run all notebooks in full; with their outputs they lie in results/notebooks
	$(BIN)/python -m tests.notebooks

picture: $(DEV) ## draw the picture of README.md again from the run of `make demo`
	$(BIN)/python -m tests.report.picture

ladder: $(DEV) ## measure the tables of docs/players.md (12 heuristics, 29,000 games)
	$(BIN)/python -m tests.strength --out results/ladder

golden: $(DEV) ## play the golden games again and rewrite their records; read the diff
	$(BIN)/python -m tests.golden.regenerate

soak: $(DEV) ## play 8,000 games of all kinds with every invariant checked; kill runs at 40 moments; loads of 100,000 games
	$(BIN)/python -m tests.soak
	AOI_SIM_SOAK=1 $(BIN)/python -m pytest -q -n 2 tests/sim/test_killed_runs.py
	$(BIN)/python -m tests.soak.loads

rules-coverage: $(DEV) ## list every rule of docs/rules.md with the number of its tests
	$(BIN)/python -m tests.rules_coverage

mutate: $(DEV) ## change every number of the rules and many engine lines; do the rule tests notice?
	$(BIN)/python -m tests.mutate

lab: $(DEV) ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab notebooks

docs: $(DEV) ## run the examples of README and docs and check their links
	$(BIN)/python -m pytest tests/test_docs.py

clean: clean-fast ## remove the environment, the compiled build and all caches (results stay)
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find aoi_sim heuristics tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up: an environment of the first Python that is new enough, then the package in place.

$(VENV)/.created:
	@set -e; \
	for candidate in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found=$$candidate; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo "error: no Python 3.11 or newer found, install one or name it: make PYTHON=/path/to/python3" >&2; exit 2; \
	fi; \
	echo "Creating $(VENV) with `"$$found" --version`"; \
	"$$found" -m venv --clear $(VENV) || { \
	    echo "error: $$found has no working venv module, install it (Debian and Ubuntu: apt install python3-venv)" >&2; exit 2; }; \
	touch $@

$(CORE): $(VENV)/.created pyproject.toml
	@echo "Installing aoi-sim into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(DEV): $(VENV)/.created pyproject.toml
	@echo "Installing aoi-sim with its extras ($(EXTRAS)) into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$(EXTRAS)]"
	@touch $(CORE) $@

$(FAST): $(VENV)/.created pyproject.toml
	@echo "Installing aoi-sim with what compiling needs into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[fast]"
	@touch $(CORE) $@
