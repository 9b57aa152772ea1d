"""How long a cluster takes for thousands of submissions while it loses nodes and tasks: `make simulate-batch`.

Nothing is graded here. Service times are drawn from `service_times.json`, gradings that were really measured on the
machine that it names, or from a batch of yours: `--batch out/hw1-2026`. With `--keep`, that batch becomes the new
sample. Times on your GPUs differ: measure a batch of ten there first.
"""

import json
import statistics
from dataclasses import asdict, fields, replace
from pathlib import Path

import numpy as np
import tables
from cluster_simulation import HOUR_S, Outcome, Scenario, simulate

from grader.course.model import Store
from grader.errors import UsageError
from grader.reports.evidence import decode

SAMPLE = Path(__file__).with_name("service_times.json")


def read_batch(folder: Path) -> dict[str, object]:
    """Return the gradings of a batch as a sample: seconds each, and where they were measured."""
    found = [decode(path.read_bytes()) for path in sorted(Store(folder).submissions.glob("*/evidence.json"))]
    if not found:
        raise SystemExit(f"{folder} holds no graded submissions: name the folder of a batch")
    run = max(found, key=lambda one: one.wall_s).run
    return {
        "machine": dict(run.hardware),
        "device": run.device,
        "data": run.data,
        "sandbox": run.sandbox,
        "grading_s": [round(one.wall_s, 2) for one in found],
    }


def describe(outcome: Outcome, scenario: Scenario) -> dict[str, str]:
    waits_s = np.array(outcome.ended_s) - np.array(outcome.arrived_s)
    return {
        "makespan_h": f"{outcome.makespan_s / HOUR_S:.2f}",
        "late_h": f"{outcome.after_deadline_s / HOUR_S:.2f}",
        "per_hour": f"{outcome.per_hour:.0f}",
        "busy": f"{outcome.work_s / (outcome.makespan_s * scenario.nodes * scenario.gpus):.2f}",
        "median_min": f"{np.median(waits_s) / 60:.1f}",
        "worst_min": f"{waits_s.max() / 60:.1f}",
        "lost_nodes": str(outcome.lost_nodes),
        "regraded": str(outcome.regraded),
        "given_up": str(len(outcome.given_up)),
        "wasted_gpu_h": f"{outcome.wasted_s / HOUR_S:.2f}",
    }


def main() -> None:
    settings = {field.name: (field.default, field.metadata["help"]) for field in fields(Scenario)}
    keep = (False, f"keep the times of --batch in {SAMPLE.name}")
    batch = ("", "the folder of a graded batch to draw service times from")
    options = tables.parse_options(__doc__, **settings, batch=batch, keep=keep)
    try:
        scenario = Scenario(**{name: getattr(options, name) for name in settings})
    except UsageError as error:
        raise SystemExit(str(error)) from error
    sample = read_batch(Path(options.batch)) if options.batch else json.loads(SAMPLE.read_text())
    if options.batch and options.keep:
        SAMPLE.write_text(json.dumps(sample, indent=1) + "\n")
    times_s = sample["grading_s"]
    rows = {
        "as asked": scenario,
        "all there at the start": replace(scenario, rush_h=0.0),
        "and nothing is lost": replace(scenario, rush_h=0.0, node_life_h=0.0, task_loss=0.0),
        "and nodes die 20x as often": replace(scenario, rush_h=0.0, node_life_h=scenario.node_life_h / 20),
        "and half the nodes": replace(scenario, rush_h=0.0, nodes=max(1, scenario.nodes // 2)),
    }
    outcomes = {name: simulate(one, times_s) for name, one in rows.items()}
    print_table(scenario, sample, rows, outcomes)
    write_figures(scenario, sample, outcomes["as asked"], outcomes["all there at the start"])


def print_table(scenario: Scenario, sample: dict, rows: dict[str, Scenario], outcomes: dict[str, Outcome]) -> None:
    times_s = sample["grading_s"]
    print(
        f"{scenario.submissions} submissions on {scenario.nodes} nodes of {scenario.gpus} GPU; {len(times_s)} measured "
        f"gradings of {min(times_s):.1f} to {max(times_s):.1f} s, mean {statistics.mean(times_s):.1f} s\n"
        f"measured on: {sample['machine']['cpu']}, {sample['machine']['cuda']}\n"
    )
    shown = {name: describe(outcomes[name], one) for name, one in rows.items()}
    print(" " * 28 + " ".join(f"{column:>{len(column) + 1}}" for column in shown["as asked"]))
    for name, cells in shown.items():
        print(f"{name:28}" + " ".join(f"{cell:>{len(column) + 1}}" for column, cell in cells.items()))
    cost = price_node(scenario, times_s)
    print(
        f"\nA node that dies costs {cost['regraded']:.1f} gradings that start again ({cost['wasted_s']:.0f} s of GPU), "
        f"noticed after {scenario.node_notice_s:.0f} s, and its GPUs for {scenario.repair_h:g} h (mean of "
        f"{cost['lost_nodes']} dead nodes under full load)."
    )


def price_node(scenario: Scenario, times_s: list[float]) -> dict[str, float]:
    """Return what a dead node costs on average, from a scenario in which many die and all are busy."""
    outcome = simulate(replace(scenario, rush_h=0.0, node_life_h=1.0, task_loss=0.0), times_s)
    deaths = max(1, outcome.lost_nodes)
    return {
        "lost_nodes": outcome.lost_nodes,
        "regraded": outcome.regraded / deaths,
        "wasted_s": outcome.wasted_with_nodes_s / deaths,
    }


def write_figures(scenario: Scenario, sample: dict, outcome: Outcome, at_once: Outcome) -> None:
    figures = {
        "submissions": scenario.submissions,
        "nodes": scenario.nodes,
        "makespan_h": outcome.makespan_s / HOUR_S,
        "lost_nodes": outcome.lost_nodes,
        "regraded": outcome.regraded,
        "given_up": len(outcome.given_up),
        "after_deadline_h": outcome.after_deadline_s / HOUR_S,
        "at_once_makespan_h": at_once.makespan_s / HOUR_S,
        "per_hour": at_once.per_hour,
        "lost_node": price_node(scenario, sample["grading_s"]),
        "scenario": asdict(scenario),
        "measured_on": sample["machine"],
    }
    tables.write_figures("simulate-batch", figures)


if __name__ == "__main__":
    main()
