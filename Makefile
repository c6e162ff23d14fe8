# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS := .cache/tools
PIP = $(BIN)/pip install --quiet --disable-pip-version-check
LOCK := $(TOOLS)/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 \
  --generate-hashes --no-annotate --custom-compile-command 'make lock' --upgrade

# Tests and benches start hundreds of processes, and each would compile the whole package anew on a
# machine that forbids Python to keep what it has compiled.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo install test test-slow test-exhaustive lint types format schemas docs pictures shape bench bench-page bench-quiet workflows \
  release-check language-server browser clients site lint-docs vscode lock clean

demo: $(STAMP)
	$(BIN)/lmssync demo --dir .demo

# Every file by its hash. What has no wheel is built by what the first two lines bring.
define dependencies
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r .ci/setuptools.txt
	$(PIP) --require-hashes --no-build-isolation -r .ci/build.txt
	$(PIP) --require-hashes --no-build-isolation -r $(1)
endef

# lmssync and its sandbox, to be used and not to be worked on: from this folder, or a wheel of it.
PACKAGE ?= .
install:
	$(call dependencies,requirements.txt)
	$(PIP) --no-deps --no-build-isolation $(PACKAGE)

# Half of the time tests wait for a platform: two workers a processor.
WORKERS = $$((2 * $$(getconf _NPROCESSORS_ONLN)))

# Where memory has 4 GB for files, no test waits for a disk.
IN_MEMORY = $$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 {print "TMPDIR=/dev/shm"}')

# mypy takes one processor while the workers of the tests load what they need.
test: lint
	$(BIN)/mypy & types=$$!; \
	env $(IN_MEMORY) $(BIN)/pytest -o tmp_path_retention_count=1 -n $(WORKERS); tests=$$?; \
	wait $$types || { echo "mypy has found mistakes: make types shows them"; exit 1; }; exit $$tests

test-slow: $(STAMP)
	env $(IN_MEMORY) $(BIN)/pytest -o tmp_path_retention_count=1 -n $(WORKERS) -m slow --timeout 900 -o faulthandler_timeout=1200

# Runs that are killed at each moment, with each home of a state; large sizes and whole tables.
test-exhaustive: $(STAMP)
	$(BIN)/pytest -n $(WORKERS) -m exhaustive --timeout 3600 -o faulthandler_timeout=4000

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
	$(BIN)/python docs/draw.py

# Screenshots of pages, by the browser of the tests.
pictures: $(STAMP) browser
	PYTHONPATH=. $(BIN)/python docs/screenshots.py

shape: $(STAMP)
	$(BIN)/python docs/shape.py

bench: $(STAMP)
	$(BIN)/python bench/run.py

# The tables of bench/README.md: on a machine that has nothing else to do.
bench-page: $(STAMP)
	$(BIN)/python bench/felt.py --write
	$(BIN)/python bench/run.py --courses 10000 --write
	$(BIN)/python bench/run.py --courses 1000 100000 --only validate plan apply fmt --limit 14400 --write
	$(BIN)/python bench/memory.py --write
	$(BIN)/python bench/peers/run.py --write
	$(BIN)/python bench/calls.py --courses 10000 1000 --instance core times --only apply --write
	$(BIN)/python bench/calls.py --courses 1000 --instance core times --verify needed --account off --write
	$(BIN)/python bench/calls.py --courses 10000 --instance core times --verify needed --account off --only apply --write
	$(BIN)/python bench/calls.py --courses 1826 --instance times --verify needed --account off --only import --write
	$(BIN)/python bench/calls.py --courses 2562 --instance core times --verify all --account off --only adopt --write

# Those of them that another program at work would change, in about 20 minutes.
bench-quiet: $(STAMP)
	$(BIN)/python bench/felt.py --write
	$(BIN)/python bench/run.py --courses 10000 --only help look validate plan apply --runs 2 --write
	$(BIN)/python bench/calls.py --courses 10000 1000 --instance core times --only apply --write

$(STAMP): pyproject.toml constraints.txt
	$(call dependencies,constraints.txt)
	$(PIP) --no-deps --no-build-isolation -e .
	touch $(STAMP)

# What looks at workflows, and what pins: neither is needed to work on lmssync.
$(TOOLS)/.installed: .ci/tools.txt
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	  --require-hashes -r .ci/tools.txt
	touch $@

# A release without its publishing; the image only where docker or podman runs.
release-check: .cache/release/.installed
	PYTHON=$(PYTHON) .ci/release

.cache/release/.installed: .ci/release.txt
	$(PYTHON) -m venv .cache/release
	.cache/release/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	  --require-hashes -r .ci/release.txt
	touch $@

workflows: $(TOOLS)/.installed
	$(TOOLS)/bin/zizmor --quiet --offline --no-config --persona pedantic .github/workflows/*.yml \
	  lmssync/catalog/starter/repository/dot-github/workflows/*.yml action.yml

# The language server that editors use for YAML: the tests of the schemas ask it.
language-server:
	mkdir -p .cache/yaml-language-server
	cp .ci/language-server/package.json .ci/language-server/package-lock.json .cache/yaml-language-server
	cd .cache/yaml-language-server && npm ci --silent --ignore-scripts --no-audit --no-fund

# What reads the sandbox's OpenAPI document elsewhere: two generators of clients, the compilers of
# what they write in Go and TypeScript, and a linter.
clients:
	$(PYTHON) -m venv .cache/clients
	.cache/clients/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	  --require-hashes -r .ci/clients.txt
	mkdir -p .cache/redocly .cache/typescript
	cp .ci/redocly/package.json .ci/redocly/package-lock.json .cache/redocly
	cd .cache/redocly && npm ci --silent --ignore-scripts --no-audit --no-fund
	cp .ci/typescript/package.json .ci/typescript/package-lock.json .cache/typescript
	cd .cache/typescript && npm ci --silent --ignore-scripts --no-audit --no-fund

# The documentation as a site, in build/site; a link that leads nowhere fails.
SITE := .cache/site

$(SITE)/.installed: .ci/site.txt
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: \
	  --require-hashes -r .ci/site.txt
	touch $@

site: $(SITE)/.installed
	$(SITE)/bin/python docs/build_site.py

# The English of the pages and of all messages: words that make a sentence hard to read, in
# .ci/textlint/vocabulary.yml.
TEXTLINT := .cache/textlint

$(TEXTLINT)/.installed: .ci/textlint/package-lock.json
	mkdir -p $(TEXTLINT)
	cp .ci/textlint/package.json .ci/textlint/package-lock.json $(TEXTLINT)
	cd $(TEXTLINT) && npm ci --silent --ignore-scripts --no-audit --no-fund
	touch $@

lint-docs: $(TEXTLINT)/.installed $(STAMP)
	$(BIN)/python docs/list_messages.py > $(TEXTLINT)/messages.txt
	$(TEXTLINT)/node_modules/.bin/textlint --config .ci/textlint/textlintrc.json \
	  --rules-base-directory $(CURDIR)/$(TEXTLINT)/node_modules README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md \
	  'docs/*.md' $(TEXTLINT)/messages.txt

# The extension of Visual Studio Code, tested with a real server, as editors/vscode/dist/lmssync.vsix.
vscode: $(STAMP)
	cd editors/vscode && npm ci --silent --ignore-scripts --no-audit --no-fund
	cd editors/vscode && LMSSYNC=$(CURDIR)/$(BIN)/lmssync npm test --silent
	cd editors/vscode && npm run package --silent

# What looks at the sandbox's pages in Chromium, which is the system's own.
browser:
	mkdir -p .cache/browser
	cp .ci/browser/package.json .ci/browser/package-lock.json .cache/browser
	cd .cache/browser && npm ci --silent --ignore-scripts --no-audit --no-fund

# The newest versions that pyproject.toml allows, with the hashes of all their files.
lock: $(TOOLS)/.installed
	$(LOCK) --extra dev pyproject.toml -o constraints.txt
	$(LOCK) --extra sandbox -c constraints.txt pyproject.toml -o requirements.txt
	$(LOCK) -c constraints.txt .ci/build.in -o .ci/build.txt
	$(LOCK) -c .ci/build.txt .ci/setuptools.in -o .ci/setuptools.txt
	$(LOCK) .ci/tools.in -o .ci/tools.txt
	$(LOCK) .ci/clients.in -o .ci/clients.txt
	$(LOCK) .ci/site.in -o .ci/site.txt
	$(LOCK) -c .ci/build.txt .ci/release.in -o .ci/release.txt

clean:
	rm -rf $(VENV) .demo .cache/tools .cache/release build dist .mypy_cache .ruff_cache .pytest_cache
