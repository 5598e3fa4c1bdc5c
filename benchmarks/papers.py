"""The figures and tables of the papers, computed again.

``python -m benchmarks.papers`` writes the findings of each, with the version
of the solvers, to ``solvers/papers/recorded.json``, which the index of figures is read
from. What is there of this version already is not computed again, so the run may be
ended at any time.
"""

import argparse
import json
import time

from threadpoolctl import threadpool_limits

from benchmarks.machine import code_version
from solvers.papers import record
from solvers.papers.studies import RECORDED, computed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--only", nargs="*", help="figures, say 'TEFE Fig. 5'")
    parser.add_argument("--anew", action="store_true", help="also those recorded")
    options = parser.parse_args()
    if unknown := {*(options.only or ())} - {*computed()}:
        parser.error(
            f"there is no figure {', '.join(sorted(unknown))}; quote one of: "
            f"{', '.join(computed())}."
        )
    kept = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    started = time.perf_counter()
    for key, compute in computed().items():
        is_kept = kept.get(key, {}).get("code") == code_version()
        if (options.only and key not in options.only) or (is_kept and not options.anew):
            continue
        if time.perf_counter() - started > 60.0 * options.minutes:
            return
        with threadpool_limits(1):
            record(key, compute(), code_version())
        print(f"{time.perf_counter() - started:6.0f} s: {key}", flush=True)


if __name__ == "__main__":
    main()
