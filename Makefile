# Every target does its whole set-up: a fresh machine needs Python 3.11 or newer, git and make.
# Versions and hashes of all packages are in requirements*.txt; `make lock` writes them anew.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV := .venv
BIN := $(VENV)/bin
#: Python compiles what it imports when it first does; of all that is installed, that is a part.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --no-compile --progress-bar off
#: Of what pip says, a line for each package, so that nobody waits for a silent minute. Errors go past it.
TELL := sed -un 's/^Collecting \([^ ;=<>]*\).*/  \1/p; s/^Successfully installed.*/  done/p'
#: What `signalbox` itself runs on, and what its tests and checks need besides.
RUN := $(VENV)/.run
DEV := $(VENV)/.dev
#: Extra words for the command of a target: `make demo ARGS=--once`, `make test ARGS="-k approve"`.
ARGS ?=
#: Test processes at a time.
WORKERS ?= 3
#: Byte code is kept, whatever the environment says: dozens of processes of the tests would compile the same text anew.
export PYTHONDONTWRITEBYTECODE :=
COMPILE := $(BIN)/pip-compile --quiet --no-strip-extras --allow-unsafe --newline=lf \
	--generate-hashes --no-emit-index-url --no-emit-find-links

.PHONY: help
help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' Makefile

.PHONY: demo
demo: $(RUN) ## See one issue become a merge, on a simulated GitHub (ARGS=--once ends by itself)
	@$(BIN)/signalbox demo $(ARGS)

.PHONY: serve
serve: $(RUN) ## Run Signalbox here, with the settings of .env
	@exec $(BIN)/signalbox serve

.PHONY: test
test: $(DEV) examples ## Run all tests (ARGS="-k approve" runs some)
	@echo "Running the tests: several minutes, a dot for each" >&2
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

.PHONY: examples
examples: $(DEV) ## Of check and test: GitHub's example payloads
	@echo "Fetching GitHub's example payloads, if npm is here" >&2
	@$(BIN)/python -m tests.kit.fetch_examples || test "$${CI:-}" != true

.PHONY: check
check: $(DEV) ## Format, lint, types, layers, rules of the source
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target types style layers sources $(if $(CI),examples)

.PHONY: types
types: $(DEV) ## Of check: types
	@$(BIN)/mypy

.PHONY: style
style: $(DEV) ## Of check: format and lint
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

.PHONY: layers
layers: $(DEV) ## Of check: which layer imports which
	@$(BIN)/lint-imports

.PHONY: sources
sources: $(DEV) ## Of check: rules of the source; all tests are collected, which leaves their byte code for `make test`
	@$(BIN)/python -m pytest -k test_sources

.PHONY: fix
fix: $(DEV) ## Format, and repair what the linter can repair
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: docs
docs: $(DEV) ## Write the generated pages and tables anew
	@$(BIN)/python docs/generate.py

.PHONY: proof
proof: $(DEV) ## The long run: a crash at every point, thousands of seeds
	@PROOF=1 $(BIN)/python -m pytest -n $(WORKERS) tests/simulation tests/rules/test_mutants.py $(ARGS)

.PHONY: soak
soak: $(DEV) ## Eight minutes of three processes that are restarted and killed under load (ARGS="--minutes 2")
	@$(BIN)/python -m tests.soak $(ARGS)

.PHONY: bench
bench: $(DEV) ## Speed beside what one would take instead, about 25 minutes (ARGS="core --rounds 3" measures some)
	@$(BIN)/python -m bench $(ARGS)

.PHONY: lock
lock: $(DEV) ## Choose versions anew and write requirements*.txt with hashes
	@$(PIP) --quiet pip-tools
	@CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) -o requirements.txt pyproject.toml $(ARGS)
	@CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) -o requirements-build.txt --only-build-deps --build-deps-for=wheel pyproject.toml $(ARGS)
	@CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) -o requirements-dev.txt --extra dev --build-deps-for=editable pyproject.toml $(ARGS)

.PHONY: clean
clean: ## Remove the environment and all caches
	@rm -rf $(VENV) .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache *.egg-info

$(RUN): requirements.txt requirements-build.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found. Name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { echo "Making the environment $(VENV) with $(PYTHON)" >&2; $(PYTHON) -m venv --clear $(VENV); }
	@echo "Installing what signalbox runs on into $(VENV), about a minute" >&2
	@$(PIP) --require-hashes -r requirements.txt -r requirements-build.txt | $(TELL) >&2
	@$(PIP) --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): $(RUN) requirements-dev.txt
	@echo "Installing what its tests and checks need, about a minute" >&2
	@$(PIP) --require-hashes -r requirements-dev.txt | $(TELL) >&2
	@touch $@
