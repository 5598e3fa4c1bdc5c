# make app    set up, serve, open on a computed frontier
# make test   set up, check everything, browser tests included
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is imported is compiled then: all that is installed would take as long again.
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check \
  -c constraints.txt
# uv takes a fifth of the time, told what pip is told; where it cannot, pip installs.
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX := $(PIP_INDEX_URL)
endif
ifdef PIP_FIND_LINKS
export UV_FIND_LINKS := $(PIP_FIND_LINKS)
endif
INSTALL = $(PIP) uv 2>/dev/null && $(UV) $(1) 2>/dev/null || $(PIP) $(1)
PARTS := unit kernels browser
# What needs one processor, or waits for a network, runs beside the parts.
BESIDE := check audit newest
# What was compiled is kept: every process that a test starts would compile it anew.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest

.PHONY: app test check unit quick kernels browser chromium nginx newest bench fuzz audit docs docs-html notebooks tables clean

app: $(VENV)/.app
	PYTHONDONTWRITEBYTECODE= $(BIN)/thriftscope serve

# Each part runs whatever became of those before it; it fails at the end if one did.
# What ran beside them is told at the end.
test: $(VENV)/.test
	@failed=; beside=; \
	for part in $(BESIDE); do \
	  $(MAKE) --no-print-directory $$part >$(VENV)/$$part.log 2>&1 & beside="$$beside $$part:$$!"; \
	done; \
	for part in $(PARTS); do \
	  $(MAKE) --no-print-directory $$part || failed="$$failed $$part"; \
	done; \
	for one in $$beside; do \
	  wait $${one#*:} || failed="$$failed $${one%%:*}"; cat $(VENV)/$${one%%:*}.log; \
	done; \
	if [ -n "$$failed" ]; then echo "Failed:$$failed."; exit 1; fi

# Everything that needs no browser; for the audit see `test`.
unit: $(VENV)/.test nginx
	$(PYTEST) -n 2 --dist worksteal -m "not browser" --ignore=tests/test_audit.py \
	  --durations=10

# The app as a person drives it, in Chromium.
browser: $(VENV)/.test chromium
	$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder -m browser tests/ui --reruns 1 \
	  -rR --rerun-show-tracebacks --durations=25

# What drives it, installed where it is missing.
chromium:
	@sh tests/ui/ensure_chromium.sh

# What the server is attacked behind, unpacked where it is missing and can be fetched.
nginx:
	@sh tests/ui/ensure_nginx.sh $(VENV)/nginx

# The screen on the newest Python and versions that are here, or a sentence why not.
newest: $(VENV)/.test chromium
	@PYTHONPATH=$(CURDIR) OMP_NUM_THREADS=1 $(BIN)/python -m tests.newest

# What is checked without running anything.
check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The tests that need neither a browser nor minutes.
quick: $(VENV)/.test
	$(PYTEST) -n 2 --dist worksteal -m "not browser and not slow"

# The solvers' tests under every OpenBLAS kernel that this processor can run.
kernels: $(VENV)/.test
	$(BIN)/python -m tests.kernels

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

# Thousands of broken files for every loader; SEED=n for others. `test` does a few.
fuzz: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/python -W error -m tests.fuzz --seed $(or $(SEED),0)

# Known faults of every pinned version, a part of `test` too. Needs a network, or says so.
audit: $(VENV)/.test
	$(BIN)/python -m pytest tests/test_audit.py -rs

# The pictures in docs/images, taken from the app.
docs: $(VENV)/.test
	$(BIN)/python -m docs.screenshots

# The docs as web pages in build/html; a warning is an error, nothing is fetched.
docs-html: $(VENV)/.test
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/html

# The teaching notebooks as .ipynb in build/notebooks.
notebooks: $(VENV)/.test
	$(BIN)/python -m docs.notebooks build/notebooks

# The tables of the docs that come from code and benchmarks.
tables: $(VENV)/.test
	$(BIN)/python -m docs.tables

$(BIN)/python:
	@$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11)' 2>/dev/null || \
	  { echo "Thriftscope needs Python 3.11 or newer; set PYTHON to one."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: $(BIN)/python pyproject.toml constraints.txt
	$(call INSTALL,-e .)
	@touch $@

# All at once: what serves needs is among it.
$(VENV)/.test: $(BIN)/python pyproject.toml constraints.txt
	$(call INSTALL,-e ".[test]")
	@touch $(VENV)/.app $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .import_linter_cache
