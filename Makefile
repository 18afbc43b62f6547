# The commands people type. `make` alone prints them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help build night test test-slow lint bench proto clean

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?= python3
# Some tools start others by name (cython-lint starts pycodestyle).
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
# One build at a time in a checkout, however many commands ask for it.
LOCK := $(if $(shell command -v flock),flock build/.lock)
# On Intel's processors of 2015 to 2019 a jump that crosses 32 bytes is decoded anew each time (erratum SKX102), which costs whole
# hands 8 %. An assembler that knows how avoids such jumps; one for other processors does not know the option.
BRANCHES := -Wa,-mbranches-within-32B-boundaries
LAYOUT := $(shell echo 'int x;' | $(CC) -x c -c $(BRANCHES) -o /dev/null - 2>/dev/null && echo $(BRANCHES))
# The editable install and the in-place build share one cache of compiled modules (see `build`).
EXT_CACHE := PYTHONWARNINGS=ignore DIST_EXTRA_CONFIG=build/inplace.cfg CFLAGS="$(CFLAGS) $(LAYOUT)"
ROOTS := engine server sim clients/python proto/gen/python
PACKAGES := $(wildcard engine/homegame_engine server/homegame_server sim/homegame_sim \
  clients/python/homegame_client clients/python/homegame_cli)
SOURCES := $(PACKAGES) engine/tools proto/generate.py tests
CYTHON = $(shell find engine sim -name '*.pyx' -o -name '*.pxd' 2>/dev/null)
COMPILED_MODULES = $(shell sed -n 's/^  { name = "\([a-z_.]*\)".*/\1/p' pyproject.toml)
SPACE := $(subst ,, )
SAY := printf '\n== %s\n'

help:  ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "make %-10s %s\n", $$1, $$2}'

build:  ## create .venv if it is missing, install what is needed, compile the engine in place
	@mkdir -p build
	@$(LOCK) $(MAKE) --no-print-directory build-locked

# What the environment was made from: pyproject.toml and the set of top-level packages.
FINGERPRINT = { cat pyproject.toml; ls -d $(addsuffix /homegame*,$(ROOTS)) 2>/dev/null || true; } | sha256sum
# Cython does not see that a directive changed, so a change there compiles everything anew.
DIRECTIVES = { sed -n '/^\[tool.setuptools\]/,/^\[tool.ruff\]/p' pyproject.toml; echo '$(LAYOUT)'; } | sha256sum
REQUIREMENTS = import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
  print(*p["dependencies"], *sum(p["optional-dependencies"].values(), []), sep="\n")

.PHONY: build-locked
build-locked:
	@test -x $(PY) || { \
	  $(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("homegame needs Python 3.11 or later; name one: make PYTHON=...")'; \
	  $(SAY) "creating the environment in $(VENV) with $$($(PYTHON) --version)"; \
	  $(PYTHON) -m venv $(VENV); \
	}
	@stamp=$$($(FINGERPRINT)); directives=$$($(DIRECTIVES)); changed=; force=; \
	[ "$$(cat $(VENV)/homegame.stamp 2>/dev/null)" = "$$stamp" ] || changed=1; \
	[ "$$(cat build/directives.stamp 2>/dev/null)" = "$$directives" ] || force=--force; \
	printf '[build_ext]\nbuild_lib = build/lib\nbuild_temp = build/temp\n' > build/inplace.cfg; \
	if [ -n "$$changed" ]; then \
	  $(SAY) "installing what pyproject.toml names (the first time this downloads a few hundred megabytes)"; \
	  $(PY) -c '$(REQUIREMENTS)' > build/requirements.txt; \
	  $(PY) -m pip install --disable-pip-version-check $(if $(CI),--progress-bar off) --requirement build/requirements.txt \
	    | { grep -v '^Requirement already satisfied' || true; }; \
	fi; \
	if [ -n "$$changed$$force" ]; then $(SAY) "compiling the engine (about a minute when nothing is compiled yet)"; fi; \
	$(EXT_CACHE) $(PY) -c 'from setuptools import setup; setup()' --quiet build_ext --inplace $$force; \
	printf '%s\n' "$$directives" > build/directives.stamp; \
	if [ -n "$$changed" ]; then \
	  $(SAY) "installing the homegame command into $(VENV)"; \
	  $(EXT_CACHE) $(PY) -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation --editable .; \
	  printf '%s\n' "$$stamp" > $(VENV)/homegame.stamp; \
	fi

night: build  ## play one points night of six bots over gRPC, with a live view and the sheet (two minutes)
	$(VENV)/bin/homegame night

test: build  ## run the tests, without those marked slow
	$(PY) -m pytest -q -m "not slow" --numprocesses 2 --dist loadfile

test-slow: build  ## run the tests marked slow
	$(PY) -m pytest -q -m slow

bench: build  ## measure speed as ratios against a floor of the same run
	$(VENV)/bin/homegame bench

proto: build  ## regenerate what follows from the contract and from the rulebook
	$(PY) proto/generate.py
	$(PY) engine/tools/generate_rules.py

lint: build  ## check style, types, stubs, the contract, and that generated code is unchanged
	@$(SAY) "ruff"
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	@$(SAY) "mypy --strict"
	$(VENV)/bin/mypy --strict $(SOURCES)
	@$(SAY) "cython-lint"
	$(VENV)/bin/cython-lint $(CYTHON)
	@$(SAY) "stubtest: the .pyi of compiled modules against what was compiled"
	MYPYPATH=$(subst $(SPACE),:,$(ROOTS)) $(VENV)/bin/stubtest --mypy-config-file pyproject.toml \
	  --ignore-unused-allowlist --allowlist tests/architecture/stubtest-allowlist.txt $(COMPILED_MODULES)
	@$(SAY) "buf lint"
	$(VENV)/bin/buf lint proto
	@$(SAY) "generated code"
	$(PY) proto/generate.py --check
	for generator in engine/tools/generate_*.py; do $(PY) $$generator --check; done

clean:  ## remove what the build wrote (not .venv)
	rm -rf build *.egg-info
	find engine sim \( -name '*.so' -o -name '*.c' \) -delete
