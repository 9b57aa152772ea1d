"""No attack gains a point or leaves a trace, and none makes the grader fail."""

from itertools import count

import attack_runs
import handins
import pytest

from grader.sandbox.levels import try_level

ATTACKS = attack_runs.attacks()
ONE_IN = 3  # so many attacks run in `make test-all` for each that runs in `make test` or in CI
ONE_IN_SLICES = 9  # of the attacks on slices, which no sandbox stops or lets through


def works(level: str) -> bool:
    return level == "limits" or try_level(level, "cpu").launcher is not None


def cases():
    """Yield every attack at every level that should stop it; the fast ones at the strongest level that works here."""
    strongest = [level for level in attack_runs.LEVELS if works(level)][-1]
    chosen = count()
    for number, attack in enumerate(ATTACKS):
        levels = attack_runs.LEVELS[attack_runs.LEVELS.index(attack.level) :]
        for level in [strongest] if attack.is_on_slices else levels:
            one_in = ONE_IN_SLICES if attack.is_on_slices else ONE_IN
            fast = level == strongest and number % one_in == 0 and "slow" not in attack.keys
            marks = [*(handins.in_turn(next(chosen)) if fast else [pytest.mark.slow]), *handins.not_yet(attack)]
            case = f"{attack.target.removesuffix('.py')}-{attack.name}-{level}"
            yield pytest.param(attack, level, id=case, marks=marks)


@pytest.mark.parametrize(("attack", "level"), list(cases()))
def test_an_attack_gains_nothing_and_leaves_nothing(attack, level, tmp_path):
    if not works(level):
        pytest.skip(f"level {level} does not work here: {try_level(level, 'cpu').problem}")
    trial = attack_runs.attempt(attack, level, tmp_path)
    assert (trial.gained(attack), trial.traces, handins.errors(trial.report)) == ({}, [], [])


@pytest.mark.slow  # CI grades it by the command line, too
def test_an_honest_solution_keeps_every_point(tmp_path):
    control = attack_runs.attack_of("honest", "utils.py", '"""No.\n\nruns: utils. max. matmul. train. report.\n"""\n')
    trial = attack_runs.attempt(control, "auto", tmp_path)
    assert (handins.explained(trial.report), (trial.report.flags, trial.traces)) == ({}, ((), []))


def test_a_wrong_solution_is_caught_without_any_attack(tmp_path):
    text = '"""Wrong.\n\naims: utils.sigmoid\n"""\n\n\ndef sigmoid(x):\n    return 0.5 + 0 * x\n'
    control = attack_runs.attack_of("wrong", "utils.py", text)
    trial = attack_runs.attempt(control, "auto", tmp_path)
    assert trial.gained(control) == {}
    assert "utils.sigmoid" in handins.lost(trial.report)


@pytest.mark.slow
def test_no_limit_ends_a_check_of_a_file_that_takes_long_to_read(tmp_path):
    trial = attack_runs.attempt(attack_runs.dos_methods(), "auto", tmp_path)
    assert handins.errors(trial.report) == []
    assert [row.criterion.id for row in trial.report.results if "ran longer than" in str(row.finding)] == []


def test_each_attack_says_what_it_tries():
    for attack in ATTACKS:
        assert "aims" in attack.keys, attack.name
        assert attack.level in attack_runs.LEVELS, attack.name
