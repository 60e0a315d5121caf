# Every target sets up what it needs in .venv; a second run finds it there and starts at once.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test test-system test-all test-web test-clients test-pythons check lint docs train soak bench setup lock clean

# Tests start many processes, and each would compile Summit anew without its bytecode.
unexport PYTHONDONTWRITEBYTECODE
# SUMMIT_TEST_DURATIONS=FILE keeps the longest tests of a run.
export SUMMIT_TEST_DURATIONS

# EXTRAS=openai-whisper adds that engine, with torch: several gigabytes. EXTRAS=piper adds a voice, EXTRAS=browser a browser,
# EXTRAS=otel traces.
extras := $(EXTRAS)

# The longest do not hold up the others: a process that has nothing left takes half of what another one has before it.
side_by_side := -n auto --dist worksteal

help: ## Show this list
	@echo "make TARGET [EXTRAS="openai-whisper piper browser"] [PYTHON=/path/to/python3]"
	@echo
	@sed -n 's/^\([a-z-]*\): .*## \(.*\)/  make \1	\2/p' Makefile
	@echo
	@echo "EXTRAS=openai-whisper adds a second speech engine, with torch: several gigabytes;"
	@echo "EXTRAS=piper adds a voice for spoken replies, EXTRAS=browser a browser for runs, EXTRAS=otel traces."

setup: ## Install what `make run` needs into .venv
	@sh scripts/setup.sh $(extras)

run: setup ## Start the server on http://127.0.0.1:8000, with its own database
	.venv/bin/summit serve

test: ## Run the unit and integration tests, side by side; ARGS="-k undo" picks some
	@sh scripts/setup.sh $(extras) dev
	.venv/bin/pytest $(side_by_side) tests/unit tests/integration $(ARGS)

test-system: ## Run the tests with processes of their own: servers, browser, speech, Studio, pages; ARGS="-k undo" picks some
	@sh scripts/setup.sh $(extras) dev
	.venv/bin/pytest $(side_by_side) tests/system $(ARGS)

test-all: test test-system ## Run every test; what cannot run here is named at the end

test-web: ## Run the tests of the page in the Chromium of this system; ARGS="-k undo" picks some
	@sh scripts/setup.sh $(extras) dev
	.venv/bin/pytest tests/system/web $(ARGS)

test-clients: ## Install the clients for Node (npm) that people have, and run their tests against a real server
	@sh scripts/setup.sh $(extras) dev
	npm ci --prefix tests/system/clients --no-audit --no-fund
	sh tests/system/clients/front_ends.sh build/front_ends
	.venv/bin/pytest tests/system/clients $(ARGS)

test-pythons: ## Run a third of the unit tests on the oldest and the newest other Python found here; ARGS goes to pytest
	@sh scripts/setup.sh $(extras) dev
	@.venv/bin/python scripts/pythons.py $(ARGS)

lint: ## Check formatting, style, the house's import rules and types
	@sh scripts/setup.sh $(extras) dev
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/lint-imports
	.venv/bin/lint-imports --config tests/importlinter.toml
	.venv/bin/mypy

docs: ## Build the pages of docs/ into site/; a broken link or anchor is an error
	@sh scripts/setup.sh docs
	.venv/bin/zensical build --clean --strict

check: lint docs test ## Everything a change has to pass: lint, docs, then test

train: ## Train the reader of messages anew from training/utterances, hours; ARGS="--epochs 1 --begin-with agents/reading/model/reader.onnx" goes on
	@sh scripts/setup.sh $(extras) train
	.venv/bin/python -m training $(ARGS)

soak: ## Kill, cut and confuse the server for an hour, and print what held; ARGS=kills picks a section
	@sh scripts/setup.sh $(extras) dev
	.venv/bin/python -m tests.survival.soak $(ARGS)

bench: ## Measure speed and print the tables; ARGS=NAME picks one
	@sh scripts/setup.sh $(extras) dev
	.venv/bin/python -m benchmarks $(ARGS)

lock: ## Write hashes.txt anew after a change of constraints.txt; needs `uv`
	mkdir -p build
	uv pip compile --quiet --no-deps --no-annotate --no-header --generate-hashes --python-version 3.13 constraints.txt --output-file build/hashes.txt
	awk '{ sub(/^ +/, " "); if (sub(/ \\$$/, "")) printf "%s", $$0; else print }' build/hashes.txt > hashes.txt

clean: ## Remove .venv and caches; your data stays where it is
	rm -rf .venv .venv-* build dist site *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find app graph agents tests benchmarks scripts -name __pycache__ -prune -exec rm -rf {} +
