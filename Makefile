# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-slow lint types format schemas docs bench clean

demo: $(STAMP)
	$(BIN)/lmssync demo --dir .demo

test: lint types
	$(BIN)/pytest

test-slow: $(STAMP)
	$(BIN)/pytest -m slow

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

schemas: $(STAMP)
	$(BIN)/lmssync schema --out schemas

docs: $(STAMP)
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/sessions.py

bench: $(STAMP)
	$(BIN)/python bench/run.py

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) .demo build dist .mypy_cache .ruff_cache .pytest_cache
