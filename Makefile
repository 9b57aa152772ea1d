# Everything this project does, one target each. `make` alone lists them.
# Each target sets up what it needs: a virtual environment in .venv, renewed when pyproject.toml changes.

PYTHON ?= python3
ASSIGNMENT ?= hw1
ASSIGNMENTS ?= $(wildcard courses)
OUT ?= out
DATA ?= data
WORKERS ?= auto
NUMBA ?=

VENV := .venv
RUN := $(VENV)/bin/python -m
CONFORMANCE := .venv-conformance$(if $(NUMBA),-$(NUMBA))
# Where uv is installed, it takes seconds for what takes pip half a minute; it does not read pip's own settings.
UV := $(if $(PIP_CONSTRAINT)$(PIP_INDEX_URL)$(PIP_EXTRA_INDEX_URL),,$(shell command -v uv 2>/dev/null))
ENVIRONMENT := $(if $(UV),"$(UV)" venv --quiet --seed --python "$$(command -v $(PYTHON))",$(PYTHON) -m venv) $(VENV)
PIP := $(if $(UV),"$(UV)" pip install --quiet --python $(VENV)/bin/python,$(VENV)/bin/python -m pip --disable-pip-version-check install --quiet --no-compile)
# pip compiles every file on one core, tests of other projects included: half of its time. uv compiles none.
COMPILE := $(VENV)/bin/python -m compileall -q -j 0 -x "/tests?/" $(VENV)/lib

# What grading needs: mpi4py and an MPI library only where ranks communicate.
RUNTIME := $(VENV)/.runtime $(if $(filter distributed,$(ASSIGNMENT)),$(VENV)/.mpi)

# Where the staff's solution lies: in the assignment's own folder, if it is one of ASSIGNMENTS.
OWN_REFERENCE := $(if $(ASSIGNMENTS),$(wildcard $(ASSIGNMENTS)/$(ASSIGNMENT)/reference))
REFERENCE := $(or $(OWN_REFERENCE),reference/$(ASSIGNMENT))
export ASSIGNMENTS

.DEFAULT_GOAL := help
.PHONY: new package selftest constraints handout sheet transcript messages-table bench-kit help grade batch bench-batch rescore merge diff test setup data clean lint format test-all review similarity screenshots conformance reference-report \
        doctor sandbox-table gpu-table gpu-environments attack-table fuzz bench ladder bench-grade bench-sandbox bench-executor bench-versions bench-pages simulate-noise simulate-batch bench-verdict bench-quadrants leftovers evidence

help: ## list all targets
	@awk -F ':.*## ' '/^## / {print "\n" substr($$0, 4)} /^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  SUBMISSION=hw1.zip  what to grade (default: the reference)    DATA=data  folder with MNIST"
	@echo "  ASSIGNMENT=hw1      which assignment                          OUT=out    where reports go"
	@echo "  ASSIGNMENTS=folder  where further assignments lie, see docs/assignment.md"

## Grading

grade: $(RUNTIME) ## grade SUBMISSION=path/hw1.zip; the reference without it
	@$(RUN) grader grade "$(or $(SUBMISSION),$(REFERENCE))" --assignment $(ASSIGNMENT) --out $(OUT) --data $(DATA) $(ARGS)

batch: $(RUNTIME) $(if $(filter %.ods %.xlsx,$(STUDENTS)),$(VENV)/.staff) ## grade SUBMISSIONS=folder (or a platform's archive) into OUT/<folder>/; STUDENTS=list.csv, BACKEND=slurm
	@$(RUN) grader batch "$(or $(SUBMISSIONS),$(error Say which: make batch SUBMISSIONS=folder))" --assignment $(ASSIGNMENT) --out $(OUT) --data $(DATA) \
		$(if $(BACKEND),--backend $(BACKEND)) $(if $(STUDENTS),--students "$(STUDENTS)") $(if $(filter-out auto,$(WORKERS)),--workers $(WORKERS)) $(ARGS)

rescore: $(VENV)/.staff ## score BATCH=out/<batch> again without running anything; RUBRIC=new.toml, ARGS='--late late.csv'
	@$(RUN) grader rescore "$(or $(BATCH),$(error Say which: make rescore BATCH=out/<batch>))" $(if $(RUBRIC),--rubric "$(RUBRIC)") $(ARGS)

merge: $(VENV)/.staff ## join a platform's PROVISIONAL=export.zip with BATCH=out/<batch>, graded on a GPU, into out/<batch>-final
	@$(RUN) grader merge "$(or $(BATCH),$(error Say which: make merge BATCH=out/<batch> PROVISIONAL=export.zip))" \
		"$(or $(PROVISIONAL),$(error Say which: make merge BATCH=out/<batch> PROVISIONAL=export.zip))" $(ARGS)

diff: $(VENV)/.runtime ## what changed between OLD=out/<batch> and NEW=out/<other>, and why; HTML=diff.html for a page
	@$(RUN) grader diff "$(or $(OLD),$(error Say which: make diff OLD=out/old NEW=out/new))" "$(or $(NEW),$(error Say which: make diff OLD=out/old NEW=out/new))" $(if $(HTML),--html "$(HTML)") $(ARGS)

review: $(VENV)/.staff ## read the reports of BATCH=out/folder and give points in the browser, on this machine only
	@$(RUN) grader review "$(or $(BATCH),$(error Say which: make review BATCH=out/<batch>))" $(ARGS)

similarity: $(VENV)/.staff ## pairs of BATCH=out/folder that are alike in structure, side by side
	@$(RUN) grader similarity "$(or $(BATCH),$(error Say which: make similarity BATCH=out/<batch>))" $(ARGS)

bench: $(VENV)/.runtime ## the sheet's time comparisons of SUBMISSION on CORES=1,2,4,8, with charts in OUT/bench
	@$(RUN) grader bench "$(or $(SUBMISSION),$(REFERENCE))" --assignment $(ASSIGNMENT) --out $(OUT)/bench $(if $(CORES),--cores $(CORES)) $(ARGS)

doctor: $(VENV)/.runtime ## what this machine has for grading, what it lacks, and what would help
	@$(RUN) grader doctor --data $(DATA)

## Setting up

setup: $(VENV)/.runtime ## set up the environment for grading, nothing else

constraints: $(VENV)/.runtime ## write the versions that are installed to constraints.txt, for PIP_CONSTRAINT=constraints.txt make setup
	@$(RUN) pip --disable-pip-version-check freeze --exclude-editable > $@.part
	@mv $@.part $@.txt

data: $(VENV)/.runtime ## fetch MNIST into DATA once and verify it
	@$(RUN) grader data $(DATA)

handout: $(RUNTIME) ## pack what students get: OUT/<assignment>-handout.zip
	@$(RUN) grader handout --assignment $(ASSIGNMENT) --out $(OUT)

package: $(RUNTIME) ## pack ASSIGNMENT for a platform: FOR=gradescope, ARGS=--wheelhouse, DATA=data; FINAL=out/<batch>-final; see docs/platforms.md
	@$(RUN) grader package "$(or $(FOR),$(error Say which: make package FOR=gradescope))" --assignment $(ASSIGNMENT) --out $(OUT) --data $(DATA) \
		$(if $(FINAL),--final "$(FINAL)") $(ARGS)

new: $(VENV)/.runtime ## begin an assignment: ASSIGNMENT=axpy writes courses/axpy/, which grades as it is
	@$(RUN) grader new $(ASSIGNMENT) --into $(or $(ASSIGNMENTS),courses)

selftest: $(RUNTIME) ## try reference, template, mistakes, cheats and kit of ASSIGNMENT, before students do
	@$(RUN) grader selftest --assignment $(ASSIGNMENT) --data $(DATA) $(ARGS)

sheet: $(VENV)/.dev ## the sheet of ASSIGNMENT, its template's README.md, as a PDF: OUT/<assignment>-sheet.pdf
	@$(VENV)/bin/python tests/kit/sheet.py $(ASSIGNMENT) $(OUT)

reference-report: $(VENV)/.dev ## measure the reference of ASSIGNMENT and write its report
	@$(VENV)/bin/python $(REFERENCE)/make_report.py

clean: ## remove the environment, caches and reports
	rm -rf $(VENV) .venv-* out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

## Developing

test: $(VENV)/.dev lint ## lint, types and the fast tests, about 4 minutes on 2 cores
	@GRADER_DATA=$(abspath $(DATA)) $(RUN) pytest -q -m "$(or $(MARKS),not slow and not wide)" -n $(WORKERS) --dist worksteal $(ARGS)

test-all: $(VENV)/.dev lint ## every test, the slow ones included
	@GRADER_DATA=$(abspath $(DATA)) $(RUN) pytest -q -n $(WORKERS) --dist worksteal $(ARGS)

lint: $(VENV)/.dev ## ruff and mypy
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) mypy

format: $(VENV)/.dev ## let ruff lay out the code
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

conformance: $(CONFORMANCE)/.ready ## run numba's own CUDA tests on the executor (3 minutes); NUMBA=0.67.0 or newest, ARGS='--only atomics'
	@$(CONFORMANCE)/bin/python tests/conformance --baseline tests/cuda_cpu/conformance.json $(ARGS)

fuzz: $(VENV)/.dev ## fuzz what crosses the process boundary for a minute
	@$(PIP) atheris
	@$(VENV)/bin/python tests/fuzz/fuzz_wire.py -max_total_time=60

screenshots: $(VENV)/.dev ## take the pictures of the reports in docs/ (needs chromium)
	@$(VENV)/bin/python tests/reports/screenshots.py

transcript: $(VENV)/.dev ## live a new student's life with the handout of ASSIGNMENT and write docs/kit-transcript.md, or its own page
	@$(VENV)/bin/python tests/kit/transcript.py $(ASSIGNMENT)

messages-table: $(VENV)/.dev ## check every known mistake of ASSIGNMENT with the kit and write docs/messages.md, or its own page (3 minutes)
	@$(VENV)/bin/python tests/kit/messages.py $(ASSIGNMENT) $(ARGS)

sandbox-table: $(VENV)/.dev ## try the attacks at each level and write the table into docs/sandbox.md
	@$(VENV)/bin/python tests/sandbox/table.py

gpu-table: $(VENV)/.dev ## let each call of the driver fail with each of 44 codes and write the table into docs/gpu.md (2 minutes)
	@$(VENV)/bin/python tests/driver/table.py

attack-table: $(VENV)/.dev ## grade every attack at each level and write docs/attacks.md (15 minutes)
	@$(VENV)/bin/python tests/attacks/table.py

## Figures

bench-grade: $(VENV)/.dev ## time the grading of the reference beside its main.py, in turns; ARGS="--against COMMIT" beside another version
	@$(VENV)/bin/python tests/benchmarks/grade.py --data $(DATA) $(ARGS)

bench-batch: $(VENV)/.dev ## throughput of 100 mixed submissions against the ideal; ARGS='--submissions 10' for a quick look
	@$(VENV)/bin/python tests/benchmarks/batch.py $(ARGS)

bench-kit: $(VENV)/.dev ## time the student kit on the reference
	@$(VENV)/bin/python tests/benchmarks/kit.py --data $(DATA)

bench-executor: $(VENV)/.dev ## time the executor against numba's simulator and against njit; ARGS=--quick lets that run a part
	@$(VENV)/bin/python tests/benchmarks/executor.py $(ARGS)

bench-versions: $(VENV)/.dev ## kit, batch, pages, clone-to-report and CI of this version and of AGAINST=commit; a table in docs/performance.md (an hour)
	@$(VENV)/bin/python tests/benchmarks/versions.py --data $(DATA) --against $(or $(AGAINST),$(error Say which: make bench-versions AGAINST=commit)) $(ARGS)

bench-sandbox: $(VENV)/.dev ## time what the sandbox costs
	@$(VENV)/bin/python tests/benchmarks/sandbox.py --data $(DATA)

bench-pages: $(VENV)/.dev ## size and browser times of a class's page, and how long comparing it takes (needs chromium)
	@$(VENV)/bin/python tests/benchmarks/pages.py

bench-verdict: $(VENV)/.dev ## 50 speed verdicts on a real pair of functions beside busy processes (15 minutes)
	@$(VENV)/bin/python tests/benchmarks/verdict.py

bench-quadrants: $(VENV)/.dev ## train the network of layers from 50 seeds: does right code pass, and nothing else?
	@$(VENV)/bin/python tests/benchmarks/quadrants.py $(ARGS)

leftovers: $(VENV)/.dev ## grade 100 hand-ins of distributed, half of them hanging: is anything left? (10 minutes); ARGS='--gradings 10'
	@$(VENV)/bin/python tests/benchmarks/leftovers.py $(ARGS)

evidence: $(VENV)/.dev ## keep what this machine, best one with a GPU, says about the reference: tests/evidence/<machine>/ (15 minutes)
	@$(VENV)/bin/python tests/benchmarks/evidence.py --data $(DATA) $(ARGS)

ladder: $(VENV)/.dev ## count what each rung of the reference's kernels costs, time them on a GPU, write docs/kernels.md; ASSIGNMENT=gemm its own
	@$(VENV)/bin/python tests/benchmarks/$(if $(filter gemm,$(ASSIGNMENT)),gemm,kernel)_ladder.py

simulate-noise: $(VENV)/.dev ## how often the speed verdict errs under simulated noise; the table in docs/speed.md (3 minutes)
	@$(VENV)/bin/python tests/benchmarks/simulate_noise.py

simulate-batch: $(VENV)/.dev ## simulate 10,000 submissions on a cluster that loses nodes; ARGS='--nodes 50'
	@$(VENV)/bin/python tests/benchmarks/simulate_batch.py $(ARGS)

$(VENV)/bin/python:
	@echo "Setting up $(VENV) (once; about a minute) …" >&2
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Say PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	@$(ALONE) sh -c 'test -x $@ || $(ENVIRONMENT)'

# Two that begin at once in one checkout take turns, and the second finds all done; macOS has no flock.
ALONE := $(if $(shell command -v flock),flock Makefile)

# With an NVIDIA driver, numba-cuda and the wheels that suit it come along.
install = @$(ALONE) sh -c 'test $@ -nt pyproject.toml || { \
	$(PIP) --editable "$$($(PYTHON) -I grader/sandbox/gpudriver.py $1)" && { $(COMPILE) || true; } && touch $@ $2; }'

$(VENV)/.runtime: pyproject.toml | $(VENV)/bin/python
	$(call install)

$(VENV)/.mpi: pyproject.toml | $(VENV)/bin/python
	$(call install,mpi,$(VENV)/.runtime)

$(VENV)/.staff: pyproject.toml | $(VENV)/bin/python
	$(call install,staff,$(VENV)/.runtime)

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(call install,dev,$(VENV)/.runtime $(VENV)/.staff)

# For tests on the stand-in driver: what servers with CUDA 12 and with CUDA 13 have; 1.1 GB each, a minute.
gpu-environments: .venv-gpu12/.ready .venv-gpu13/.ready ## install what a GPU server has, so that tests meet it on a stand-in driver

.venv-gpu%/.ready: pyproject.toml
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check install --quiet --editable '.[gpu$*]' fpdf2 psutil
	@touch $@

# An environment of its own: numba-cuda takes the place of numba.cuda for everything that is installed beside it.
$(CONFORMANCE)/.ready: pyproject.toml
	@$(PYTHON) -m venv $(CONFORMANCE)
	@$(CONFORMANCE)/bin/python -m pip install --quiet --editable .
	@$(CONFORMANCE)/bin/python -m pip install --quiet --no-deps numba-cuda==0.30.4
	@$(CONFORMANCE)/bin/python -m pip install --quiet cffi filecheck ml_dtypes psutil packaging
	@$(if $(NUMBA),$(CONFORMANCE)/bin/python -m pip install --quiet --upgrade numba$(if $(filter-out newest,$(NUMBA)),==$(NUMBA)))
	@$(CONFORMANCE)/bin/python -c 'import numba; print("Numba " + numba.__version__)'
	@touch $@
