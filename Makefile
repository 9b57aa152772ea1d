# Everything this project does, one target each. `make` alone lists them.
# Each target sets up what it needs: a virtual environment in .venv, renewed when pyproject.toml changes.

PYTHON ?= python3
NAMED := $(if $(filter undefined,$(origin ASSIGNMENT)),,yes)
ASSIGNMENT ?= hw1
OUT ?= out
WORKERS ?= auto
ifeq ($(origin ASSIGNMENTS),undefined)
ASSIGNMENTS := $(wildcard courses)
endif

# What people give to `make` is often the name of a student's file, and may hold anything. So make does not expand it
# (`$(value …)`; this stands before anything is run), and no shell reads it: recipes say "$$NAME", from the environment.
# ARGS alone is meant for the shell: words as on the command line of `grader`, with quotes.
# What make itself does cannot be undone here: it drops leading spaces, and runs what stands in `NAME:=…` and `NAME!=…`.
GIVEN := PYTHON ASSIGNMENT ASSIGNMENTS OUT DATA WORKERS NUMBA SUBMISSION SUBMISSIONS BATCH STUDENTS BACKEND RUBRIC \
	PROVISIONAL OLD NEW HTML CORES FOR FINAL MARKS AGAINST SAMPLE SEED KIND
$(foreach name,$(GIVEN) ARGS,$(eval override $(name) := $$(value $(name))))
export $(GIVEN)

VENV := .venv
RUN := $(VENV)/bin/python -m
# In the shell's place, so that it gets the SIGTERM that ends make.
GRADER := exec $(RUN) grader
# Where uv is installed, it takes seconds for what takes pip half a minute; it does not read pip's own settings.
UV := $(if $(value PIP_CONSTRAINT)$(value PIP_INDEX_URL)$(value PIP_EXTRA_INDEX_URL),,$(shell command -v uv 2>/dev/null))
ENVIRONMENT := $(if $(UV),"$(UV)" venv --quiet --seed --python "$$(command -v "$$PYTHON")","$$PYTHON" -m venv) $(VENV)
PIP := $(if $(UV),"$(UV)" pip install --quiet --python $(VENV)/bin/python,$(VENV)/bin/python -m pip --disable-pip-version-check install --quiet --no-compile)
# pip compiles every file on one core, tests of other projects included: half of its time. uv compiles none.
# The grader's own files, too: workers read them in a sandbox, where they could not keep what they compile. The same
# goes for the object code of the executor's routines.
COMPILE := $(VENV)/bin/python -m compileall -q -j 0 -x "/tests?/" $(VENV)/lib grader; \
	$(VENV)/bin/python -m grader.cuda_cpu --keep-routines

# What grading needs: mpi4py and an MPI library only where ranks communicate.
RUNTIME := $(VENV)/.runtime $(if $(filter distributed,$(ASSIGNMENT)),$(VENV)/.mpi)

# Shell: where the staff's solution lies; in the assignment's own folder, if it is one of ASSIGNMENTS.
FIND_REFERENCE := reference="$$ASSIGNMENTS/$$ASSIGNMENT/reference"; \
	[ -n "$$ASSIGNMENTS" ] && [ -d "$$reference" ] || reference="reference/$$ASSIGNMENT";

# Shell: an environment of its own, as numba-cuda takes the place of numba.cuda for all that is installed beside it.
CONFORMANCE := .venv-conformance$${NUMBA:+-$$NUMBA}
CONFORM := "$(CONFORMANCE)/bin/python" -m pip install --quiet

# Options of `grader` that several targets share. A folder that is named has to be there; without DATA, data/ may be.
FOR_ASSIGNMENT := --assignment="$$ASSIGNMENT"
WITH_DATA := $(if $(DATA),--data="$$DATA")

# Tests get the folder by another name, and nothing of this make: some run a `make` of their own. pytest keeps the
# bytecode of its assertions, or each of its processes would compile them in each run.
FOR_TESTS := $(if $(DATA),GRADER_DATA=$$(cd -- "$$DATA" && pwd) && export GRADER_DATA &&) unset DATA MAKEFLAGS \
	PYTHONDONTWRITEBYTECODE && \
	$(RUN) pytest -q -n "$$WORKERS" --dist worksteal

need = $(foreach name,$1,$(if $($(name)),,$(error Say which: $2)))

.DEFAULT_GOAL := help
.PHONY: new package selftest constraints handout sheet transcript messages-table texts-table bench-kit help help-all grade batch bench-batch rescore merge diff test setup data clean lint format test-all review similarity screenshots conformance reference-report \
        doctor sandbox-table gpu-table gpu-environments bench ladder bench-grade bench-executor bench-versions bench-pages bench-mpi simulate-noise leftovers evidence first-contact outcomes sass

EVERYDAY := grade batch rescore merge diff review similarity bench doctor setup data handout package new selftest clean test
help: ## list the everyday targets
help-all: ## list all targets
help help-all:
	@awk -v shown=" $(if $(filter help,$@),$(EVERYDAY)) " -F ':.*## ' '/^## / {section = substr($$0, 4)} /^[a-z-]+:.*## / && \
		(shown == "  " || index(shown, " " $$1 " ")) {if (section) print "\n" section; section = ""; printf "  make %-18s %s\n", $$1, $$2}' \
		$(MAKEFILE_LIST)
	@echo
	$(if $(filter help,$@),@echo "  make help-all lists all targets")
	@echo "  SUBMISSION=hw1.zip  what to grade (default: the reference)    DATA=dir   folder with MNIST (default: data, if it is there)"
	@echo "  ASSIGNMENT=hw1      which assignment                          OUT=out    where reports go"
	@echo "  ASSIGNMENTS=folder  where further assignments lie, see docs/assignment.md"
	@echo "  ARGS='--only max'   more options, as on the command line of grader; for names of files, use the other variables"

## Grading

grade: $(RUNTIME) ## grade SUBMISSION=path/hw1.zip; the reference without it
	@$(FIND_REFERENCE) $(if $(SUBMISSION),,echo "No SUBMISSION=... is given: this grades the reference, $$reference" >&2;) \
		$(GRADER) grade $(FOR_ASSIGNMENT) --out="$$OUT" $(WITH_DATA) $(ARGS) -- "$${SUBMISSION:-$$reference}"

batch: $(RUNTIME) $(if $(filter %.ods %.xlsx,$(STUDENTS)),$(VENV)/.staff) ## grade SUBMISSIONS=folder (or a platform's archive) into OUT/<folder>/; STUDENTS=list.csv, BACKEND=slurm
	$(call need,SUBMISSIONS,make batch SUBMISSIONS=folder)
	@$(GRADER) batch $(FOR_ASSIGNMENT) --out="$$OUT" $(WITH_DATA) $(if $(BACKEND),--backend="$$BACKEND") \
		$(if $(STUDENTS),--students="$$STUDENTS") $(if $(filter-out auto,$(WORKERS)),--workers="$$WORKERS") $(ARGS) -- "$$SUBMISSIONS"

rescore: $(VENV)/.staff ## score BATCH=out/<batch> again without running anything; RUBRIC=new.toml, ARGS='--late late.csv'
	$(call need,BATCH,make rescore BATCH=out/<batch>)
	@$(GRADER) rescore $(if $(RUBRIC),--rubric="$$RUBRIC") $(ARGS) -- "$$BATCH"

merge: $(VENV)/.staff ## join a platform's PROVISIONAL=export.zip with BATCH=out/<batch>, graded on a GPU, into out/<batch>-final
	$(call need,BATCH PROVISIONAL,make merge BATCH=out/<batch> PROVISIONAL=export.zip)
	@$(GRADER) merge $(ARGS) -- "$$BATCH" "$$PROVISIONAL"

diff: $(VENV)/.runtime ## what changed between OLD=out/<batch> and NEW=out/<other>, and why; HTML=diff.html for a page
	$(call need,OLD NEW,make diff OLD=out/old NEW=out/new)
	@$(GRADER) diff $(if $(HTML),--html="$$HTML") $(ARGS) -- "$$OLD" "$$NEW"

review: $(VENV)/.staff ## read the reports of BATCH=out/folder and give points in the browser, on this machine only
	$(call need,BATCH,make review BATCH=out/<batch>)
	@$(GRADER) review $(ARGS) -- "$$BATCH"

similarity: $(VENV)/.staff ## pairs of BATCH=out/folder that are alike in structure, side by side
	$(call need,BATCH,make similarity BATCH=out/<batch>)
	@$(GRADER) similarity $(ARGS) -- "$$BATCH"

bench: $(VENV)/.runtime ## the sheet's time comparisons of SUBMISSION on CORES=1,2,4,8, with charts in OUT/bench
	@$(FIND_REFERENCE) $(if $(SUBMISSION),,echo "No SUBMISSION=... is given: this measures the reference, $$reference" >&2;) \
		$(GRADER) bench $(FOR_ASSIGNMENT) --out="$$OUT/bench" $(if $(CORES),--cores="$$CORES") $(ARGS) \
		-- "$${SUBMISSION:-$$reference}"

doctor: $(VENV)/.runtime ## what this machine has for grading, what it lacks, and what would help
	@$(GRADER) doctor $(WITH_DATA)

## Setting up

setup: $(VENV)/.runtime ## set up the environment for grading, nothing else

constraints: $(VENV)/.runtime ## write the versions that are installed to constraints.txt, for PIP_CONSTRAINT=constraints.txt make setup
	@$(RUN) pip --disable-pip-version-check freeze --exclude-editable > $@.part
	@mv $@.part $@.txt

data: $(VENV)/.runtime ## fetch MNIST into DATA once and verify it
	@$(GRADER) data -- "$${DATA:-data}"

handout: $(RUNTIME) ## pack what students get: OUT/<assignment>-handout.zip
	@$(GRADER) handout $(FOR_ASSIGNMENT) --out="$$OUT"

package: $(RUNTIME) ## pack ASSIGNMENT for a platform: FOR=gradescope, ARGS=--wheelhouse, DATA=data; FINAL=out/<batch>-final; see docs/platforms.md
	$(call need,FOR,make package FOR=gradescope)
	@$(GRADER) package $(FOR_ASSIGNMENT) --out="$$OUT" $(WITH_DATA) $(if $(FINAL),--final="$$FINAL") $(ARGS) -- "$$FOR"

new: $(VENV)/.runtime ## begin an assignment: ASSIGNMENT=tiny writes courses/tiny/, which grades as it is; KIND=classes or ranks
	@$(GRADER) new --into="$${ASSIGNMENTS:-courses}" --kind="$${KIND:-functions}" -- "$$ASSIGNMENT"

selftest: $(RUNTIME) ## try reference, template, mistakes, cheats and kit of ASSIGNMENT, before students do
	@$(GRADER) selftest $(FOR_ASSIGNMENT) $(WITH_DATA) $(ARGS)

sheet: $(VENV)/.dev ## the sheet of ASSIGNMENT, its template's README.md, as a PDF: OUT/<assignment>-sheet.pdf
	@$(VENV)/bin/python tests/kit/sheet.py "$$ASSIGNMENT" "$$OUT"

reference-report: $(VENV)/.dev ## measure the reference of ASSIGNMENT and write its report
	@$(FIND_REFERENCE) $(VENV)/bin/python "$$reference/make_report.py"

clean: ## remove the environment, caches and reports
	rm -rf $(VENV) .venv-* out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

## Developing

test: $(VENV)/.dev lint ## lint, types and the fast tests, under 6 minutes on 2 cores
	@$(FOR_TESTS) -m "$${MARKS:-not slow and not wide}" $(ARGS)

test-all: $(VENV)/.dev lint ## every test, the slow ones included
	@$(FOR_TESTS) $(ARGS)

outcomes: $(VENV)/.dev ## what every check comes to for every case of the tests (hours; can be continued), or of ASSIGNMENT; SAMPLE=60, SEED=word, AGAINST=before.txt
	@$(VENV)/bin/python tests/outcomes --out="$$OUT" $(if $(NAMED),$(FOR_ASSIGNMENT)) \
		$(if $(SAMPLE),--sample="$$SAMPLE") $(if $(SEED),--seed="$$SEED") $(if $(AGAINST),--against="$$AGAINST") $(ARGS)

lint: $(VENV)/.dev ## ruff and mypy
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) mypy

format: $(VENV)/.dev ## format the code with ruff
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .

conformance: pyproject.toml ## run numba's own CUDA tests on the executor (3 minutes); NUMBA=0.67.0 or newest, ARGS='--only atomics'
	@test "$(CONFORMANCE)/.ready" -nt pyproject.toml || { "$$PYTHON" -m venv "$(CONFORMANCE)" \
		&& $(CONFORM) --editable . \
		&& $(CONFORM) --no-deps numba-cuda==0.30.4 \
		&& $(CONFORM) cffi filecheck ml_dtypes psutil packaging \
		$(if $(NUMBA),&& $(CONFORM) --upgrade "numba$(if $(filter-out newest,$(NUMBA)),==$$NUMBA)") \
		&& "$(CONFORMANCE)/bin/python" -c 'import numba; print("Numba " + numba.__version__)' \
		&& touch "$(CONFORMANCE)/.ready"; }
	@"$(CONFORMANCE)/bin/python" tests/conformance --baseline tests/cuda_cpu/conformance.json $(ARGS)

screenshots: $(VENV)/.dev ## take the pictures of the reports in docs/ (needs chromium)
	@$(VENV)/bin/python tests/reports/screenshots.py

transcript: $(VENV)/.dev ## play a student's first session with the handout of ASSIGNMENT and write docs/generated/kit-transcript.md, or its own page
	@$(VENV)/bin/python tests/kit/transcript.py "$$ASSIGNMENT"

messages-table: $(VENV)/.dev ## check every known mistake of ASSIGNMENT with the kit and write docs/generated/messages.md, or its own page (3 minutes)
	@$(VENV)/bin/python tests/kit/messages.py "$$ASSIGNMENT" $(ARGS)

texts-table: $(VENV)/.dev ## write docs/generated/texts.md, what the texts ask for and where it is covered, from docs/texts.toml
	@PYTHONPATH=. $(VENV)/bin/python tests/test_texts.py

sandbox-table: $(VENV)/.dev ## try the attacks at each level and write docs/generated/sandbox.md
	@$(VENV)/bin/python tests/sandbox/table.py

gpu-table: $(VENV)/.dev ## let each call of the driver fail with each of 44 codes and write docs/generated/gpu.md (2 minutes)
	@$(VENV)/bin/python tests/driver/table.py

## Figures

bench-grade: $(VENV)/.dev ## time the grading of the reference beside its main.py, in turns; ARGS="--against COMMIT" beside another version
	@$(VENV)/bin/python tests/benchmarks/grade.py $(WITH_DATA) $(ARGS)

bench-batch: $(VENV)/.dev ## throughput of 100 mixed submissions against the ideal; ARGS='--submissions 10' for a quick look
	@$(VENV)/bin/python tests/benchmarks/batch.py $(ARGS)

bench-kit: $(VENV)/.dev ## time the student kit on the reference
	@$(VENV)/bin/python tests/benchmarks/kit.py $(WITH_DATA)

bench-executor: $(VENV)/.dev ## time the executor against numba's simulator and against njit; ARGS=--quick lets that run a part
	@$(VENV)/bin/python tests/benchmarks/executor.py $(ARGS)

bench-versions: $(VENV)/.dev ## kit, batch, pages, clone-to-report and CI of this version and of AGAINST=commit; a table in docs/generated/performance.md (an hour)
	$(call need,AGAINST,make bench-versions AGAINST=commit)
	@$(VENV)/bin/python tests/benchmarks/versions.py $(WITH_DATA) --against="$$AGAINST" $(ARGS)

bench-pages: $(VENV)/.dev ## size and browser times of a class's page, and how long comparing it takes (needs chromium)
	@$(VENV)/bin/python tests/benchmarks/pages.py

bench-mpi: $(VENV)/.dev ## time a message and an Allreduce of two ranks, traced and by the MPI library alone
	@$(RUN) grader.mpi -n 2 tests/benchmarks/mpi.py $(ARGS)

leftovers: $(VENV)/.dev ## grade 100 hand-ins of distributed, half of them hanging: is anything left? (10 minutes); ARGS='--gradings 10'
	@$(VENV)/bin/python tests/benchmarks/leftovers.py $(ARGS)

evidence: $(VENV)/.dev ## keep what this machine, best one with a GPU, says about the reference: tests/evidence/<machine>/ (15 minutes)
	@$(VENV)/bin/python tests/benchmarks/evidence.py $(WITH_DATA) $(ARGS)

first-contact: $(VENV)/.dev ## what a borrowed server with a GPU has to show first, predicted beside measured, in OUT (40 minutes; can be continued)
	@$(VENV)/bin/python tests/benchmarks/first_contact.py $(WITH_DATA) --out="$$OUT/first-contact" $(ARGS)

ladder: $(VENV)/.dev ## count what each rung of the reference's kernels costs, time them on a GPU, write docs/generated/kernels.md; ASSIGNMENT=gemm its own
	@$(VENV)/bin/python tests/benchmarks/$(if $(filter gemm,$(ASSIGNMENT)),gemm,kernel)_ladder.py

sass: .venv-gpu13/.ready ## count machine instructions of the GEMM kernels by NVIDIA's wheels, without a GPU; the table in docs/generated/kernels.md
	@.venv-gpu13/bin/python -W ignore tests/benchmarks/sass.py

simulate-noise: $(VENV)/.dev ## how often the speed verdict errs under simulated noise; the table in docs/generated/speed.md (3 minutes)
	@$(VENV)/bin/python tests/benchmarks/simulate_noise.py

$(VENV)/bin/python:
	@echo "Setting up $(VENV) (once; about a minute) …" >&2
	@"$$PYTHON" -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Say PYTHON=python3.12") if sys.version_info < (3, 11) else 0'
	@$(ALONE) sh -c 'test -x $@ || $(ENVIRONMENT)'

# Two that begin at once in one checkout take turns, and the second finds all done; macOS has no flock.
ALONE := $(if $(shell command -v flock),flock Makefile)

# With an NVIDIA driver, numba-cuda and the wheels that suit it come along.
install = @$(ALONE) sh -c 'test $@ -nt pyproject.toml || { \
	$(PIP) --editable "$$("$$PYTHON" -I grader/sandbox/gpudriver.py $1)" && { $(COMPILE) || true; } && touch $@ $2; }'

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
	@"$$PYTHON" -m venv $(@D)
	@$(@D)/bin/python -m pip --disable-pip-version-check install --quiet --editable '.[gpu$*]' fpdf2 psutil $(if $(filter 13,$*),nvidia-cuda-nvdisasm)
	@touch $@
