# Each target sets up what it needs. A stamp in .stamps is older than its sources when the step must run again.
.DELETE_ON_ERROR:
.PHONY: run test test-lowest cover check check-js fmt-js check-workflows conformance components sweep soak gen bench corpora tasks bundle \
	release-notes fmt lock hooks clean

PYTHON ?= python3
BIN := .venv/bin
# One more than processors: on two cores, two more took a quarter of a minute longer.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 pyproject.toml
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# As an installer does with a wheel: some environments keep Python from storing bytecode as it goes, and every start would compile anew.
COMPILE := $(BIN)/python -m compileall -q src

run: .stamps/dev .stamps/browser
	$(BIN)/tabwright $(or $(ARGS),serve)

NODE_BIN := .stamps/js/node_modules/.bin
TEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal
# Without npm, or without its registry, the tests on component libraries are skipped and the others decide.
COMPONENTS := $(MAKE) --no-print-directory .stamps/components/built || echo "The tests on component libraries are skipped."

test: .stamps/dev .stamps/browser .stamps/display
	@$(COMPILE)
	@$(COMPONENTS)
	$(TEST)

# Unit and conformance tests, and those of the MCP door, with the lowest versions of our dependencies that pyproject.toml allows.
test-lowest: .stamps/dev .stamps/browser
	$(BIN)/uv pip compile --quiet --resolution lowest-direct --no-header --no-annotate --python $(BIN)/python \
		--output-file .stamps/lowest.txt pyproject.toml
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .stamps/lowest
	$(BIN)/uv pip install --quiet --python .stamps/lowest --constraints .stamps/lowest.txt --group dev --editable .
	.stamps/lowest/bin/pytest -q tests/unit tests/conformance tests/doors/mcp/test_door.py tests/doors/mcp/test_http.py

# As `test`, a quarter slower, and how much of the source has run: too little of it is a failure. Hubs that tests start
# do not count. What has not run: COVERAGE_FILE=.stamps/coverage .venv/bin/coverage report
cover: export COVERAGE_FILE = $(CURDIR)/.stamps/coverage
cover: .stamps/dev .stamps/browser .stamps/display
	@$(COMPILE)
	@$(COMPONENTS)
	$(TEST) --cov --cov-report=json:.stamps/covered.json
	@$(BIN)/python scripts/covered.py .stamps/covered.json

check: .stamps/dev .stamps/browser
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src tests bench scripts
	$(BIN)/lint-imports --no-logo
	@$(MAKE) --no-print-directory check-workflows
	$(BIN)/pytest -q tests/unit tests/conformance

# Format, lint and types of the JavaScript, with tools from npm: development only.
check-js: .stamps/js/installed
	$(NODE_BIN)/biome check --error-on-warnings
	@for world in page extension dashboard pages; do $(NODE_BIN)/tsc -p scripts/js/tsconfig.$$world.json || exit 1; done

fmt-js: .stamps/js/installed
	$(NODE_BIN)/biome check --write

# Offline: zizmor looks for what an attacker could use, the schemas for what GitHub would reject.
SCHEMA := $(BIN)/check-jsonschema --quiet --builtin-schema
check-workflows: .stamps/dev
	$(BIN)/zizmor --offline --no-progress --quiet --pedantic .github
	$(SCHEMA) vendor.github-workflows .github/workflows/*.yml
	$(SCHEMA) vendor.dependabot .github/dependabot.yml
	$(SCHEMA) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(SCHEMA) vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

# The official MCP suite and client, from npm: development only, and nothing that CI needs.
conformance: .stamps/dev .stamps/browser .stamps/node/installed
	$(BIN)/python -m tests.conformance.mcp .stamps/node/node_modules

# Tries every control of 22 component libraries, from npm; `make test` takes a sample: ARGS="-k mui".
components: .stamps/dev .stamps/browser .stamps/components/built
	$(TEST) --whole-sweep tests/components $(ARGS)

# The whole of what `make test` takes a sample of: loses, delays and doubles every message of the protocol in turn, about an
# hour, fuzzes HTTP for 20 minutes, tries tools and refs on all pages of the corpus, and every case of some long lists.
sweep: .stamps/dev .stamps/browser
	$(BIN)/pytest --whole-sweep tests/faults tests/doors/http/test_rest_fuzzed.py tests/page_tools/test_corpus.py \
		tests/dialects/test_agent_browser_refs.py tests/runner/test_reports.py tests/actions/test_compare_seeded.py

# Many clients for a while: ARGS="--minutes 10". Fails when memory, processes or open files grow.
soak: .stamps/dev .stamps/browser
	$(BIN)/python -m bench.soak $(ARGS)

gen: .stamps/dev .stamps/browser
	$(BIN)/python scripts/protocol.py "$$(cat .stamps/browser)" tests/conformance/protocol.json
	$(BIN)/python -m scripts.catalogue

# The engine beside Playwright for Python, page tools beside what is expected of them by hand, then `tabwright mcp`
# beside other MCP servers, which npm brings.
bench: .stamps/bench .stamps/browser .stamps/peers/installed
	$(COMPILE)
	$(BIN)/python -m bench $(ARGS)

# What Tabwright sees on pages that other people wrote: ARGS="--only forms".
CORPORA ?= ../shared/corpora
corpora: .stamps/dev .stamps/browser
	$(BIN)/python -m bench.corpora $(CORPORA) $(ARGS)

# Small interface tasks, solved by refs only: ARGS="--server tabwright agent-browser", ARGS="--only click-tab use-slider".
tasks: .stamps/dev .stamps/browser .stamps/tasks/installed
	$(BIN)/python -m bench.tasks $(ARGS)

# All that is released: the wheel, what Claude Desktop opens (which holds the wheel), and the source.
bundle: .stamps/dev
	$(BIN)/python -m scripts.release dist
	$(BIN)/hatchling build -t sdist -d dist

# Checks that TAG names the version of the package, and prints what CHANGELOG.md says about it: TAG=v0.1.0
release-notes:
	@$(PYTHON) scripts/release_notes.py "$$TAG"

fmt: .stamps/dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: .stamps/dev
	$(LOCK) --group dev --extra documents --output-file requirements/dev.lock
	$(LOCK) --group bench --constraints requirements/dev.lock --output-file requirements/bench.lock
	$(LOCK) --constraints requirements/dev.lock --output-file requirements/run.lock

# Checks what is about to be committed, from now on (.pre-commit-config.yaml).
hooks: .stamps/dev
	$(BIN)/pre-commit install

clean:
	rm -rf .venv .stamps .mypy_cache .pytest_cache .ruff_cache .coverage

# The virtual environment holds exactly what the lock names; the package itself is linked from src, or installed
# from the wheel that WHEEL names (in a fresh checkout, or after `make clean`).
.stamps/dev: requirements/dev.lock pyproject.toml
	@mkdir -p .stamps
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || \
		{ echo "Tabwright needs Python 3.11 or newer; $(PYTHON) is older or missing. Try: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) scripts/environment.py $(WHEEL)
	@$(COMPILE)
	@touch $@

.stamps/bench: .stamps/dev requirements/bench.lock
	$(PIP) --no-deps --require-hashes -r requirements/bench.lock
	@touch $@

.stamps/node/installed: tests/conformance/mcp/package.json tests/conformance/mcp/package-lock.json
	@command -v npm > /dev/null || { echo "make conformance needs npm, which comes with Node.js." >&2; exit 1; }
	@mkdir -p $(@D)
	cp $^ $(@D)
	npm ci --prefix $(@D) --no-audit --no-fund --loglevel=error
	@touch $@

.stamps/js/installed: scripts/js/package.json scripts/js/package-lock.json
	@command -v npm > /dev/null || { echo "make check-js needs npm, which comes with Node.js." >&2; exit 1; }
	@mkdir -p $(@D)
	cp $^ $(@D)
	npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.stamps/components/installed: tests/components/package.json tests/components/package-lock.json
	@command -v npm > /dev/null || { echo "make components needs npm, which comes with Node.js." >&2; exit 1; }
	@mkdir -p $(@D)
	cp $^ $(@D)
	npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# One page for each library. The alias brings Vue's compiler, for the template in its page.
ESBUILD := NODE_PATH=.stamps/components/node_modules .stamps/components/node_modules/.bin/esbuild --bundle --minify --log-level=warning \
	--jsx=automatic --define:process.env.NODE_ENV='"production"' $(patsubst %,--loader:.%=dataurl,ttf svg png gif) \
	--alias:vue=vue/dist/vue.esm-bundler.js --define:__VUE_OPTIONS_API__=true --define:__VUE_PROD_DEVTOOLS__=false \
	--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false
.stamps/components/built: .stamps/components/installed $(wildcard tests/components/*.js tests/components/*/*.js* tests/components/*/*.css)
	rm -rf $(@D)/dist
	$(ESBUILD) --outbase=tests/components --outdir=$(@D)/dist $(wildcard tests/components/*/page.js*)
	@touch $@

# Their install scripts would fetch browsers, and all of them drive the one that is here.
.stamps/peers/installed: bench/mcp/package.json bench/mcp/package-lock.json
	@command -v npm > /dev/null || { echo "make bench needs npm, which comes with Node.js." >&2; exit 1; }
	@mkdir -p $(@D)
	cp $^ $(@D)
	npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error
	chmod +x $(@D)/node_modules/agent-browser/bin/agent-browser-*
	@touch $@

# Only the pages of the package are used; what it depends on is not installed.
.stamps/tasks/installed: bench/tasks/requirements.txt .stamps/dev
	@rm -rf $(@D) && mkdir -p $(@D)
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes -r $< -d $(@D)
	$(BIN)/python -m zipfile -e $(@D)/miniwob-*.whl $(@D)
	@touch $@

# Looked for again once the program that the stamp names is gone.
ifneq ($(shell test -x "$$(cat .stamps/browser 2> /dev/null)" || echo gone),)
.PHONY: .stamps/browser
endif
.stamps/browser: .stamps/dev
	@$(BIN)/python -m scripts.install_browser > $@ && echo "Browser: $$(cat $@)"

.stamps/display: .stamps/dev
	@$(BIN)/python -m scripts.display > $@ && echo "Screen: $$(cat $@)"
