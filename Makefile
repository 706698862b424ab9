# islebots: from a bare checkout with Python 3.11+, a C compiler and make.
# Everything is built into .venv and build/; nothing is installed elsewhere.

PYTHON ?= python3
ARGS   ?=
JOBS   ?= auto#  pytest workers
N      ?= 200#   games a game in `make asan`
GAMES  ?= $(filter-out %_text,$(basename $(notdir $(wildcard core/games/*.pyx)))) $(EXAMPLES)#  in `make asan`

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install -q --no-build-isolation
TESTS := $(BIN)/python -m pytest -n $(JOBS)

export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: help build serve test test-long test-system lint bench golden asan clean force

help:  ## print this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

# ---- Build ------------------------------------------------------------------
# Plain .py files need no build: the install is editable. A list of the sources is kept beside
# them, so that a file that went away counts as a change too.
HEADERS  := $(sort $(shell find core ai -name '*.pxd' -o -name '*.h'))
SOURCES  := $(HEADERS) $(sort $(shell find core ai proto -name '*.pyx' -o -name '*.proto'))
PACKAGES := $(sort $(shell find islebots core ai server client cli -name '__init__.py'))
EXAMPLES := $(patsubst examples/%/pyproject.toml,%,$(wildcard examples/*/pyproject.toml))

build: build/.built $(EXAMPLES:%=build/.example-%)  ## build everything into .venv, the games in examples/ too

# What the machine must have. Asked in this order; the first that is missing stops with one line.
define ask
$(shell $(PYTHON) -c 'import os, shlex, shutil, sys, sysconfig; print($(1))' 2>/dev/null)
endef
define need
$(if $(filter True,$(call ask,sys.version_info >= (3, 11))),,\
  $(error Python 3.11 or newer is needed, "$(PYTHON)" is not: install it, or say make PYTHON=/path/to/python3))
$(if $(filter True,$(call ask,__import__("ensurepip") is not None)),,\
  $(error Python module "ensurepip" is missing: install python3-venv))
$(if $(filter True,$(call ask,shutil.which(shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC"))[0]) is not None)),,\
  $(error a C compiler is missing: install gcc))
$(if $(filter True,$(call ask,os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))),,\
  $(error Python.h is missing: install python3-dev))
endef

define REQUIREMENTS
import tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
print(*project["build-system"]["requires"], *project["project"]["dependencies"], sep="\n")
print(*project["project"]["optional-dependencies"]["dev"], sep="\n")
endef
export REQUIREMENTS

$(VENV)/.installed: pyproject.toml
	$(need)
	@echo "build: tools and libraries, into $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c "$$REQUIREMENTS" > $(VENV)/requirements.txt
	@$(PIP) install -q -r $(VENV)/requirements.txt
	@touch $@

build/.sources: force
	@mkdir -p build
	@echo "$(SOURCES) $(PACKAGES)" | cmp -s - $@ || echo "$(SOURCES) $(PACKAGES)" > $@

build/.built: $(VENV)/.installed build/.sources setup.py $(SOURCES)
	$(need)
	@echo "build: islebots"
	@$(INSTALL) --no-deps -e .
	@touch $@

# An example is rebuilt when it changed, or what it compiles against.
build/.example-%: $$(shell find examples/$$* -type f -not -path '*/build/*' \
		-not -path '*.egg-info/*' -not -name '*.so' -not -name '*.c' -not -name '*.pyc') \
		$(HEADERS) $(VENV)/.installed | build/.built
	@echo "build: examples/$*"
	@$(INSTALL) -e examples/$*
	@touch $@

# ---- Run --------------------------------------------------------------------
serve: build  ## run the service; options in ARGS="--port 50052"
	@exec $(BIN)/islebots serve $(ARGS)

bench: build  ## measure speed and print the signature
	@$(BIN)/islebots bench $(ARGS)

# ---- Check ------------------------------------------------------------------
lint: build  ## style, types, hidden uses of the GIL, the API's own rules
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy --no-error-summary
	@set -e; for example in $(EXAMPLES); do \
		echo "mypy examples/$$example"; $(BIN)/mypy --no-error-summary examples/$$example; done
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint core ai $(wildcard examples/*/*/*.pyx examples/*/*/*.pxd)
	$(BIN)/python setup.py --quiet check_gil
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

test: lint  ## lint, then every test that is neither long nor system
	$(TESTS) -m "not long and not system" $(ARGS)

test-long: build  ## the tests that take minutes
	$(TESTS) -m "long and not system" $(ARGS)

test-system: build  ## the tests that need the network or other programs
	$(TESTS) -m system $(ARGS)

golden: build  ## write tests/golden anew; read the diff
	@$(BIN)/python -m tests.golden $(ARGS)

# A second copy in build/asan, found before the usual one. Python itself is not sanitized, so the
# run-time library comes first by LD_PRELOAD, and libstdc++ with it, for the exceptions of others.
ASAN_SITE := build/asan/site
ASAN = LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	PYTHONPATH=$(ASAN_SITE) PYTHONSAFEPATH=1
asan: build  ## play N games of each game in GAMES with address and UB sanitizers
	@echo "asan: building"
	@ISLEBOTS_SANITIZE=1 $(INSTALL) --no-deps --upgrade --target $(ASAN_SITE) .
	@set -e; for game in $(EXAMPLES); do \
		rm -rf build/asan/$$game && cp -r examples/$$game build/asan/$$game && \
		rm -rf build/asan/$$game/build && \
		CFLAGS="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all" \
		LDFLAGS="-fsanitize=address,undefined" \
		$(INSTALL) --no-deps --upgrade --target $(ASAN_SITE) build/asan/$$game; done
	@set -e; for game in $(GAMES); do \
		echo "asan: $$game"; $(ASAN) $(BIN)/islebots check $$game --games $(N); done

clean:  ## remove all that was built, .venv too
	rm -rf $(VENV) build dist *.egg-info examples/*/build examples/*/*.egg-info
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find core ai examples -name '*.so' -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
