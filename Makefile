# Two commands do everything on a machine with Python 3.11 or newer: `make demo` and `make test`.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo cluster-demo test check base-check examples page screenshots clean

demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

# PostgreSQL, a stand-in for S3 and two nodes of Ray on this machine: do they answer as a corpus in a folder does?
cluster-demo: $(VENV)/.installed-dev
	@$(BIN)/python examples/cluster/demo.py

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/lint-imports
	$(BIN)/basedpyright

# The base install alone, in a virtual environment of its own: every command works there or names the extra it needs.
base-check:
	rm -rf $(VENV)-base
	$(PYTHON) -m venv $(VENV)-base
	$(VENV)-base/bin/python -m pip install --quiet --disable-pip-version-check .
	$(VENV)-base/bin/python tests/base_check.py
	rm -rf $(VENV)-base

examples: $(VENV)/.installed-dev
	$(BIN)/python examples/make_handbook.py
	$(BIN)/python examples/make_deck.py

# The web page's script and styles, from web/ into the package (npm is needed for this alone).
page:
	cd web && npm ci && npm run check && npm run build

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m pytest tests/browser/test_quality.py -k screenshots --screenshots docs/images

clean:
	rm -rf $(VENV) $(VENV)-base .demo build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@echo 'Installing Octavo and what it needs into $(VENV) ...'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	@echo 'Installing Octavo and what its tests need into $(VENV) ...'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(VENV)/.installed $@
