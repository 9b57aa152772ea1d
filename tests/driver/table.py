"""Write docs/generated/gpu.md, whose fault each error is said to be: each code, at each call of the driver."""

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.tables import write_tables
from driver import standin, strikes
from driver.test_standin import struck, whose

PAGE = standin.ROOT / "docs/generated/gpu.md"
_NAMED = re.compile(r"CUDA_ERROR_[A-Z_]+")


def main():
    installations = standin.installations()
    if not installations:
        sys.exit("no installation of Numba with a CUDA target here: make gpu-environments")
    rows, count = {}, 0
    for installation in installations.values():
        with tempfile.TemporaryDirectory() as folder:
            driver = standin.pose(Path(folder, "driver"), standin.MACHINES[installation.suited])
            found = struck(installation, driver) + struck(installation, driver, *map(str, strikes.OURS))
        print(f"{installation.name}: {len(found)} errors")
        count += len(found)
        for one in found:
            rows.setdefault(one["code"], {}).setdefault(one["where"], set()).add(whose(one))
            for name in _NAMED.findall(one["text"]):
                if name != "CUDA_ERROR_OF_THE_STAND_IN":
                    rows[one["code"]].setdefault("name", name)
    write_tables(PAGE, {"errors": render(rows, count, [*installations])})


def render(rows, count, names):
    places = ["start", *strikes.STRIKES]
    yield f"{count} errors with {', '.join(names)}."
    yield ""
    yield f"| code | {' | '.join(places)} |"
    yield f"|---|{'---|' * len(places)}"
    for code, seen in sorted(rows.items()):
        cells = ["/".join(sorted(seen.get(place, {"-"}))) for place in places]
        name = seen.get("name", "").removeprefix("CUDA_ERROR_").lower().replace("_", " ")
        yield f"| {code} {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
