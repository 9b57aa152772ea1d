from grader.authoring import check, expect
from grader.authoring.judges import chains, scenarios

USES = [("tiny", "Total")]  # what is graded of all that the scenario calls


def add_all(student, rng, note, *, cpu_only):
    matrices = [rng.uniform(size=(20, 30)) for _ in range(3)]
    subject = f"The total of three matrices on the {'CPU' if cpu_only else 'GPU'}"
    run = scenarios.run(student, ("total_scenarios", "add_all"), (matrices, cpu_only), USES, subject)

    def compare(value):
        mistakes = {"It is the last matrix alone.": matrices[-1]}
        expect(subject, value["total"], sum(matrices), rtol=1e-9, mistakes=mistakes)

    return run.compared(compare, note), matrices


@check("total.cpu")
def test_total_cpu(student, rng, note):
    """`Total` adds up matrices with cpu_only=True."""
    add_all(student, rng, note, cpu_only=True)


@check("total.gpu")
def test_total_gpu(student, rng, note):
    """`Total` adds up matrices, and its kernels do that."""
    total, matrices = add_all(student, rng, note, cpu_only=False)
    chains.expect_made_by_kernels(total, ["total"], matrices, note)
