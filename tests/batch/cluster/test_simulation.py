"""The simulated cluster: whatever it loses, each hand-in ends once, and nothing ends sooner than it can."""

from dataclasses import replace

import numpy as np
import pytest
from cluster_simulation import HOUR_S, Scenario, draw_arrivals, simulate
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as some
from rows import each

from grader.batch.cluster.slurm import MAX_TRIES
from grader.errors import UsageError

SERVICE_S = some.lists(some.floats(0.1, 100), min_size=1, max_size=5)
CALM = Scenario(submissions=100, nodes=4, rush_h=0.0, node_life_h=0.0, task_loss=0.0, start_s=0.0, array_notice_s=0.0)
SCENARIOS = some.builds(
    Scenario,
    submissions=some.integers(1, 60),
    nodes=some.integers(1, 5),
    gpus=some.integers(1, 3),
    rush_h=some.sampled_from([0.0, 0.1, 2.0]),
    node_life_h=some.sampled_from([0.0, 0.01, 0.1, 10.0]),
    repair_h=some.sampled_from([0.0, 0.01, 1.0]),
    task_loss=some.sampled_from([0.0, 0.1, 0.9, 1.0]),
    start_s=some.floats(0, 5),
    array_size=some.integers(1, 70),
    seed=some.integers(0, 1000),
)


@settings(deadline=None, max_examples=examples(100))
@given(SCENARIOS, SERVICE_S)
def test_every_hand_in_ends_exactly_once_after_at_most_two_further_tries(scenario, service_s):
    outcome = simulate(scenario, service_s)
    assert len(outcome.ended_s) == len(outcome.tries) == scenario.submissions
    assert all(1 <= tries <= MAX_TRIES for tries in outcome.tries)
    assert all(outcome.tries[handin] == MAX_TRIES for handin in outcome.given_up)
    shortest_s = min(service_s) + scenario.start_s
    for handin, (arrived_s, ended_s) in enumerate(zip(outcome.arrived_s, outcome.ended_s, strict=True)):
        assert ended_s >= arrived_s + (0 if handin in outcome.given_up else shortest_s) * 0.999
    assert outcome.regraded == sum(outcome.tries) - scenario.submissions


@settings(deadline=None, max_examples=examples(100))
@given(SCENARIOS, SERVICE_S)
def test_a_cluster_is_never_faster_than_its_gpus(scenario, service_s):
    outcome = simulate(scenario, service_s)
    graded = scenario.submissions - len(outcome.given_up)
    assert outcome.work_s >= graded * (min(service_s) + scenario.start_s) * 0.999
    assert outcome.makespan_s >= (outcome.work_s + outcome.wasted_s) / (scenario.nodes * scenario.gpus) * 0.999


@given(some.integers(1, 50), some.integers(1, 5), some.integers(0, 99))
def test_without_losses_nothing_is_tried_twice_and_no_gpu_idles_behind_a_queue(submissions, nodes, seed):
    outcome = simulate(replace(CALM, submissions=submissions, nodes=nodes, seed=seed), [10.0])
    assert outcome.tries == (1,) * submissions
    assert outcome.makespan_s == pytest.approx(-(-submissions // nodes) * 10)


def test_the_same_seed_gives_the_same_batch_and_another_one_another():
    scenario = Scenario(submissions=500, task_loss=0.1)
    assert simulate(scenario, [5.0, 9.0]) == simulate(scenario, [5.0, 9.0])
    assert simulate(scenario, [5.0, 9.0]) != simulate(replace(scenario, seed=1), [5.0, 9.0])


def test_as_many_tasks_are_lost_as_asked_and_one_that_always_is_is_given_up_after_three_tries():
    outcome = simulate(replace(CALM, task_loss=1.0), [10.0])
    assert set(outcome.tries) == {MAX_TRIES}
    assert len(outcome.given_up) == CALM.submissions
    assert outcome.work_s == 0
    outcome = simulate(replace(CALM, submissions=20_000, nodes=50, task_loss=0.05), [10.0])
    # 5 % of the first tries, and 5 % of those again: 0.05 + 0.0025, give or take four standard deviations
    assert outcome.regraded / 20_000 == pytest.approx(0.0525, abs=0.0065)


def test_a_dead_node_costs_what_it_ran_and_delays_only_that():
    calm = simulate(CALM, [10.0])
    deadly = simulate(replace(CALM, submissions=2000, node_life_h=0.2, repair_h=0.05), [10.0])
    assert calm.wasted_s == 0
    assert deadly.lost_nodes > 5
    assert deadly.wasted_with_nodes_s == deadly.wasted_s
    assert 0 < deadly.wasted_s <= deadly.lost_nodes * 10


@each(
    "impossible", [{"nodes": 0}, {"submissions": -1}, {"task_loss": 1.5}, {"rush_h": -1.0}, {"repair_h": float("nan")}]
)
def test_what_cannot_be_is_refused(impossible):
    with pytest.raises(UsageError, match=f"{next(iter(impossible))} = .* cannot be simulated: give"):
        Scenario(**impossible)


def test_most_hand_ins_come_in_the_last_hours():
    scenario = Scenario(submissions=20_000, rush_h=2.0)
    arrived_s, deadline_s = draw_arrivals(scenario, np.random.default_rng(3))
    left_h = (deadline_s - arrived_s) / HOUR_S
    assert arrived_s[0] == 0
    assert left_h.min() >= 0
    assert left_h.max() <= 24
    assert np.mean(left_h < 2) == pytest.approx(1 - np.exp(-1), abs=0.02)
