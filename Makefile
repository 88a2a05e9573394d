# Everything a person runs on a checkout. Nothing here needs root or touches another folder.
#
# One rule: set-up happens by itself. Each target that needs .venv depends on its stamps, which
# depend on the lock and on pyproject.toml; an interrupted set-up leaves no stamp and starts again.

SHELL := tools/recipe_shell
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory --no-builtin-rules

BIN := .venv/bin
LOCKED := .venv/.locked
STAMP := .venv/.stamp
SHARE := .venv/share
NPM_STAMP := tools/micropython/node_modules/.stamp
# The first of these that is 3.11 or newer and can make virtual environments.
PYTHONS ?= python3 python3.13 python3.12 python3.11
export PIP_CACHE_DIR := $(CURDIR)/.cache/pip
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export npm_config_cache := $(CURDIR)/.cache/npm
# Python keeps byte code beside our sources, whatever this machine says: tests start thousands of processes,
# and each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
ARGS ?=

.PHONY: help setup run test test-all test-changed soak mutants regulations check audit micropython bus-faults bench bench-call bench-cards bench-health bench-page \
    fast renewed campaign card-campaign kernel-rig evidence docs package \
    diagram lock clean

help:  ## this list
	@echo "make TARGET, where TARGET is one of:"
	@grep -hE '^[a-z -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z -]+):.*## */  \1\t/' | expand -t 18

setup: $(SHARE)/.stamp  ## make .venv with everything for development, as requirements.lock pins it
	@echo ".venv is ready: .venv/bin/cylindre"
	@echo 'Tab completes after: eval "$$(.venv/bin/cylindre completion bash)" (or zsh, fish). The manual:' \
	    'man -M $(SHARE)/man cylindre'

$(LOCKED): requirements.lock
	@python=; for p in $(PYTHONS); do \
	    if "$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	    then python=$$p; break; fi; done; \
	if [ -z "$$python" ]; then \
	    echo "No Python 3.11 or newer with venv found: install python3 and python3-venv," \
	         "or name one (make setup PYTHONS=/path/to/python3)." >&2; exit 1; fi; \
	echo "Setting up .venv (once, about a minute) ..." >&2; \
	rm -rf .venv; "$$python" -m venv .venv
	@# Wheels only: nothing is built, so no compiler and no unpinned build tool takes part.
	@$(BIN)/python -m pip install -qq --require-hashes --only-binary :all: -r requirements.lock
	@touch $@

$(STAMP): $(LOCKED) pyproject.toml
	@$(BIN)/python -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

# What a shell finds of the commands: the manual, and what Tab completes.
$(SHARE)/.stamp: $(STAMP) $(wildcard tools/commands/*.py) tools/docs/shell_files.py
	@$(BIN)/python -m tools.docs.shell_files $(SHARE)
	@touch $@

# 130: Ctrl-C, which is how it is meant to end.
run: $(STAMP)  ## play here, with the table display (ARGS="--board boule_ref"; Ctrl-C stops)
	@$(BIN)/cylindre table $(ARGS) || exit $$(($$? == 130 ? 0 : $$?))

test: $(STAMP)  ## the tests of a change: minutes (ARGS="-k name" or ARGS=tests/bus chooses)
	@exec $(BIN)/python -m tools.testing test $(ARGS)

test-all: $(STAMP)  ## all tests (COMPLETE=1: fails if this machine lacks something for one)
	@exec $(BIN)/python -m tools.testing all $(if $(COMPLETE),--complete) $(ARGS)

test-changed: $(STAMP)  ## of make test what reaches the changed files (ARGS="--since main~3")
	@exec $(BIN)/python -m tools.testing changed $(ARGS)

soak: $(STAMP)  ## large tests at full size; goes on where it stopped (ARGS="--hours 2 --only call")
	@exec $(BIN)/python -m tools.testing.soak $(ARGS)

check: $(STAMP)  ## ruff, mypy, import-linter, codespell, generated docs, mutants that still fit
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python -m tools.docs --check
	$(BIN)/python -m tools.docs.vocabulary
	$(BIN)/python -m tools.mutants --check

audit: $(STAMP)  ## what is published against the dependencies that are pinned; wants a network
	@$(BIN)/python -m tools.testing.audit

micropython: $(STAMP) $(NPM_STAMP)  ## the portable part on real MicroPython (MICROPYTHON=/path/to/interpreter)
	$(BIN)/python -m tools.micropython.check

ifdef MICROPYTHON
export MICROPYTHON
.PHONY: $(NPM_STAMP)
$(NPM_STAMP):
else
$(NPM_STAMP): tools/micropython/package.json tools/micropython/package-lock.json
	@command -v node npm >/dev/null || { echo "make micropython needs node and npm," \
	    "or MICROPYTHON=/path/to/micropython." >&2; exit 1; }
	@cd tools/micropython && npm ci --no-audit --no-fund --silent
	@touch $@
endif

bus-faults: $(STAMP)  ## the fault matrix of the bus, as a table (ARGS="--row delay --frames 1000000")
	@exec $(BIN)/python -m tools.busfaults $(ARGS)

fast: $(STAMP)  ## compile what plays coups, into .venv/fast: sim, campaigns and benches use it (wants gcc)
	@exec $(BIN)/python -m tools.fast $(ARGS)

# A compiled part that is older than its sources is never used: who plays by the thousand builds it anew first.
bench bench-call campaign: renewed
renewed: $(STAMP)
	@if [ -e .venv/fast ]; then exec $(BIN)/python -m tools.fast --renew; fi

bench: $(STAMP)  ## the figures of DESIGN, measured here, row by row as they come
	@exec $(BIN)/python -m tools.bench $(ARGS)

bench-call: $(STAMP)  ## the call beside its rivals, figures and picture (ARGS="--coups 200 --many 3000")
	@exec $(BIN)/python -m tools.bench.call $(ARGS)

bench-cards: $(STAMP)  ## known figures of the card games, beside what the engine counts and plays (ARGS="--rounds 10000000")
	@exec $(BIN)/python -m tools.bench.cards $(ARGS)

bench-health: $(STAMP)  ## how soon a wheel that is not fair is told of, beside rivals and the bound (ARGS="--whole")
	@exec $(BIN)/python -m tools.bench.health $(ARGS)

bench-page: $(STAMP)  ## coups beside five viewers of the service page (ARGS="--coups 500"; a quiet machine, long)
	@exec $(BIN)/python -m tools.bench.page $(ARGS)

campaign: $(STAMP)  ## faults by the thousand, into var/campaign (ARGS="--coups 100000 --pairs 20000 --seed 2")
	@exec $(BIN)/cylindre hil campaign var/campaign $(ARGS)

card-campaign: $(STAMP)  ## the same at card tables, into var/card-campaign (ARGS="--rounds 20000 --pairs 5000 --seed 2 --jobs 2")
	@exec $(BIN)/python -m tools.hil.cards var/card-campaign $(ARGS)

kernel-rig: $(STAMP)  ## the conformance suite and coups in a real kernel (ARGS="--virtual 20 --real 5"; builds it once)
	@exec $(BIN)/python -m tools.hil.kernel.suite $(ARGS)

evidence: $(STAMP)  ## requirements and what shows them, to var/evidence (ARGS="--campaign DIR"; ARGS=--quick runs nothing)
	@exec $(BIN)/python -m tools.docs.evidence $(ARGS)

mutants: $(STAMP)  ## mistakes on purpose, and whether the tests see them (ARGS="--only NAME", "--draw 6 --seed WORD")
	@exec $(BIN)/python -m tools.mutants $(ARGS)

regulations: $(STAMP)  ## what breaks each row of docs/regulations.md, and whether its test sees it (ARGS="--only TEST")
	@exec $(BIN)/python -m tools.mutants --regulations $(ARGS)

docs diagram: $(STAMP)  ## write what docs/ generates from the code: state diagram, faults, bus
	$(BIN)/python -m tools.docs

COMPILE = CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes \
    --strip-extras --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
    --no-emit-options

package: $(STAMP)  ## the Debian package of a device (ARGS="build --arch amd64")
	@exec $(BIN)/python -m tools.image.deb $(or $(ARGS),build)

# Hashes of every file a release has, so that one lock serves Python 3.11 to 3.13 and all machines.
lock: $(STAMP)  ## pin again: requirements.lock from pyproject.toml (ARGS=--upgrade for newer ones)
	$(COMPILE) --extra dev $(ARGS) -o requirements.lock pyproject.toml tools/fuzz/requirements.in
	$(COMPILE) --extra pi -c requirements.lock -o tools/image/requirements.lock pyproject.toml

clean:  ## remove what make made, except what git keeps
	rm -rf .venv .cache tools/micropython/node_modules .mypy_cache .ruff_cache .pytest_cache \
	    .hypothesis .import_linter_cache
