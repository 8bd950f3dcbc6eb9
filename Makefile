# The set-up, the checks and the programs, for a machine with Python 3.11 or newer and make (GNU make 3.81 will do).
# `make help` lists the targets. Another Python: `make play PYTHON=python3.13`; to change it later, `make clean` first.

PYTHON ?= python3
GAME ?= callbreak
ARGS ?=
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
WORDS := build/words
WORDNET ?= /usr/share/wordnet
HUNSPELL ?= /usr/share/hunspell
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
# Every archive is checked against the hashes of the lock, and nothing is built from source.
LOCKED := $(INSTALL) --require-hashes --only-binary :all:
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--default-index https://pypi.org/simple --annotation-style line --custom-compile-command 'make lock'

.PHONY: help setup play test check format bench soak month lock upgrade texts words clean
.DELETE_ON_ERROR:

help:
	@echo 'make play    set up and play $(GAME) in this terminal (GAME=, ARGS="--preset app")'
	@echo 'make setup   what make play needs, and no more (for a server)'
	@echo 'make test    set up and run every test (ARGS="-k callbreak", WORKERS=4)'
	@echo 'make check   formatter, linter, types, layers'
	@echo 'make format  put the code into the form that make check wants'
	@echo 'make bench   figures beside their peers and limits'
	@echo 'make soak    the long proofs that nothing is lost, some minutes each (ARGS="crash", ARGS=--write)'
	@echo 'make month   a month of play in Telegram groups, in some minutes (ARGS="--days 2 --transcript month.txt")'
	@echo 'make texts   extract, update and compile the texts'
	@echo 'make words   build the dictionaries anew (docs/decisions/0012-words.md)'
	@echo 'make lock    write requirements*.lock from pyproject.toml (make upgrade: with the newest releases)'
	@echo 'make clean   remove the environment and all caches'

setup: $(VENV)/.play

play: $(VENV)/.play
	@$(BIN)/tabletalk play $(GAME) $(ARGS)

test: $(VENV)/.test
	$(BIN)/pytest -n $(WORKERS) --dist loadfile $(ARGS)

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.bench
	$(BIN)/python -m tests.bench $(ARGS)

soak: $(VENV)/.test
	$(BIN)/python -m tests.soak $(ARGS)

month: $(VENV)/.test
	$(BIN)/python -m tests.month $(ARGS)

# What the dictionaries are built with, in an environment of its own: it is not what the programs run with.
words:
	$(PYTHON) -m venv $(WORDS) && $(WORDS)/bin/python -m pip install --quiet --disable-pip-version-check \
		--require-hashes --only-binary :all: -r requirements.lock -r requirements-words.lock
	$(WORDS)/bin/python -m service.words.building.english --wordnet $(WORDNET)
	$(WORDS)/bin/python -m service.words.building.french --hunspell $(HUNSPELL)

# What requirements.lock holds is not repeated in the other two: they begin with `-r requirements.lock`.
lock: $(VENV)/.test
	$(COMPILE) pyproject.toml --group build -o requirements.lock $(ARGS)
	@for extra in dev bench; do \
		lock=requirements-$$extra.lock; \
		held=$$(sed -n 's/^\([a-zA-Z0-9_.-]*\)==.*/--no-emit-package \1/p' requirements.lock | sort -u); \
		echo "$$lock"; \
		$(COMPILE) pyproject.toml --extra $$extra -c requirements.lock $$held -o $$lock $(ARGS) || exit 1; \
		{ echo '-r requirements.lock'; cat $$lock; } > $$lock.new && mv $$lock.new $$lock || exit 1; \
	done
	$(COMPILE) --group words -c requirements.lock -o requirements-words.lock $(ARGS)

upgrade:
	@$(MAKE) lock ARGS=--upgrade

TEXTS := service/text/locale

# Catalogues are made by: .venv/bin/pybabel init -D tabletalk -i service/text/locale/tabletalk.pot -d service/text/locale -l de
# English is the source and needs none. Compiled catalogues (.mo) are committed: nothing has to be built to install.
texts: $(VENV)/.test
	@mkdir -p $(TEXTS)
	$(BIN)/pybabel -q extract -F pyproject.toml --no-wrap --add-location=file --sort-output --add-comments=Translators: \
		--project=tabletalk --version=1 --copyright-holder='Tabletalk contributors' -o $(TEXTS)/extracted.pot service
	@grep -v '^"POT-Creation-Date' $(TEXTS)/extracted.pot > $(TEXTS)/tabletalk.pot && rm $(TEXTS)/extracted.pot
	@ls $(TEXTS)/*/LC_MESSAGES/tabletalk.po >/dev/null 2>&1 || exit 0; \
		$(BIN)/pybabel update --no-wrap --no-fuzzy-matching --ignore-pot-creation-date -D tabletalk -i $(TEXTS)/tabletalk.pot -d $(TEXTS) && \
		$(BIN)/pybabel compile -D tabletalk -d $(TEXTS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment, and stamps of what is installed in it: a changed lock or pyproject.toml installs again.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Tabletalk needs Python 3.11 or newer, and '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)."; \
		echo 'Name another one: make PYTHON=python3.13 play'; exit 1; } >&2
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "This Python has no ensurepip, so it cannot make an environment."; \
		echo 'On Debian or Ubuntu: sudo apt install python3-venv. Or name another one: make PYTHON=python3.13 play'; exit 1; } >&2
	@echo 'Setting up in $(VENV) (once; needs the network)...'
	@trap 'rm -rf $(VENV); exit 1' INT TERM; $(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.play: requirements.lock pyproject.toml $(BIN)/python
	@$(LOCKED) -r requirements.lock
	@$(INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.test: requirements-dev.lock $(VENV)/.play
	@$(LOCKED) -r requirements-dev.lock
	@touch $@

# rlcard comes as a source archive only (its hash is checked too), so here one package is built.
$(VENV)/.bench: requirements-bench.lock $(VENV)/.play
	@$(LOCKED) --no-binary rlcard -r requirements-bench.lock
	@touch $@
