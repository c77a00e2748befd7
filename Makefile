# Two commands do everything on a machine with Python 3.11 or newer: `make demo` and `make test`.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Folders are named as the packages are imported: pip keeps wheels of folders whose names look like NAME-VERSION, as
# "octavo-lab" does, and would install an old one after an update.
PACKAGES := octavo_documents octavo octavo_methods octavo_server octavo_cluster octavo_lab
EDITABLE = $(PACKAGES:%=-e packages/%)
DECLARED := pyproject.toml $(PACKAGES:%=packages/%/pyproject.toml)
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Compiled modules are kept, also where a container's settings say not to: the tests start thousands of programs, and one
# that finds none compiles them first.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo cluster-demo test alone check dist base-check sbom site examples page screenshots clean

demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

# PostgreSQL, a stand-in for S3 and two nodes of Ray on this machine: do they answer as a corpus in a folder does?
cluster-demo: $(VENV)/.installed-dev
	@$(BIN)/python examples/cluster/demo.py

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# The tests of each package where only it and what is under it are installed; `make alone-octavo_documents` is one.
UNDER_octavo = octavo_documents
UNDER_octavo_methods = $(UNDER_octavo) octavo
UNDER_octavo_server = $(UNDER_octavo_methods)
UNDER_octavo_cluster = $(UNDER_octavo_methods)
UNDER_octavo_lab = $(UNDER_octavo_methods) octavo_methods
EXTRA_octavo_documents = [ocr]
EXTRA_octavo_server = [mcp]
alone: $(PACKAGES:%=alone-%)
alone-%:
	rm -rf $(VENV)-alone
	$(PYTHON) -m venv $(VENV)-alone
	$(VENV)-alone/bin/python -m pip install --quiet --disable-pip-version-check \
	  $(foreach package,$(UNDER_$*) $*,-e 'packages/$(package)$(EXTRA_$(package))') -r tests/requirements.txt
	$(VENV)-alone/bin/python -m pytest packages/$*/tests
	rm -rf $(VENV)-alone

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check packages tests benchmarks examples publishing conftest.py
	$(BIN)/ruff check packages tests benchmarks examples publishing conftest.py
	$(BIN)/lint-imports
	$(BIN)/basedpyright

# What is published: a wheel and an sdist of each package, in dist/, each wheel built from its sdist.
dist: $(VENV)/.installed-dev
	rm -rf dist
	$(BIN)/python publishing/manual.py
	for package in $(PACKAGES); do $(BIN)/python -m build --outdir dist packages/$$package || exit 1; done

# Each package installed alone from what was built, then the base install from this folder, in a virtual environment of its
# own: what is there works, and what is not there is named with what installs it.
ALONE = $(VENV)-base/bin/python -m pip install --quiet --disable-pip-version-check
base-check: dist
	rm -rf $(VENV)-base
	$(PYTHON) -m venv $(VENV)-base
	$(ALONE) --find-links dist octavo-documents
	$(VENV)-base/bin/python tests/base_check.py octavo-documents
	$(ALONE) --find-links dist octavo
	$(VENV)-base/bin/python tests/base_check.py octavo
	$(ALONE) .
	$(VENV)-base/bin/python tests/base_check.py base
	rm -rf $(VENV)-base

# What comes with all packages: a bill of materials (CycloneDX) and the licences, in out/; a licence that forbids their use
# in other programs is an error.
FORBIDDEN = GPL-2.0-only;GPL-2.0-or-later;GPL-3.0-only;GPL-3.0-or-later;AGPL-3.0-only;AGPL-3.0-or-later;$\
GNU General Public License v2 (GPLv2);GNU General Public License v3 (GPLv3);GNU Affero General Public License v3
sbom: dist
	rm -rf $(VENV)-base && mkdir -p out
	$(PYTHON) -m venv $(VENV)-base
	$(ALONE) --find-links dist 'octavo[all]'
	$(PIP) cyclonedx-bom pip-licenses
	$(BIN)/cyclonedx-py environment --output-format JSON --output-file out/sbom.json $(VENV)-base/bin/python
	$(BIN)/pip-licenses --python=$(VENV)-base/bin/python --format=csv --with-urls --fail-on='$(FORBIDDEN)' > out/licences.csv
	rm -rf $(VENV)-base

# The documentation as a site, in out/site.
site: $(VENV)/.installed-dev
	$(PIP) zensical
	$(BIN)/python publishing/documentation_site.py
	cd out && $(abspath $(BIN))/zensical build --strict --config-file mkdocs.yml

examples: $(VENV)/.installed-dev
	$(BIN)/python examples/make_handbook.py
	$(BIN)/python examples/make_deck.py

# The web page's script and styles, from web/ into the package (npm is needed for this alone).
page:
	cd web && npm ci && npm run check && npm run build

screenshots: $(VENV)/.installed-dev
	$(BIN)/python -m pytest packages/octavo_server/tests/browser/test_quality.py \
		packages/octavo_server/tests/browser/test_chat_page.py -k screenshot --screenshots docs/images

clean:
	rm -rf $(VENV) $(VENV)-base .demo build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(DECLARED) | $(VENV)/bin/python
	@echo 'Installing Octavo and what it needs into $(VENV) ...'
	$(PIP) -e packages/octavo_documents -e packages/octavo -e packages/octavo_methods -e packages/octavo_lab
	@touch $@

$(VENV)/.installed-dev: $(DECLARED) tests/requirements.txt | $(VENV)/bin/python
	@echo 'Installing Octavo and what its tests need into $(VENV) ...'
	$(PIP) $(EDITABLE) -e 'packages/octavo_server[mcp]' -r tests/requirements.txt
	@touch $(VENV)/.installed $@
