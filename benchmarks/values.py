"""How long a million words of a column take to be understood and read.

Run ``python -m benchmarks.values [N_WORDS]``: distinct words of each form, by the
processor's time; beside them ``float`` of plain numbers. Writes
``benchmarks/results/values.json``.
"""

import json
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.machine import code_version, machine
from solvers.values import guessed_form

RESULTS = Path(__file__).parent / "results" / "values.json"


def columns(n_words, seed=0):
    """Return distinct words of each form."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(0, 1e5, n_words).tolist()
    seconds = rng.integers(0, 10**9, n_words).tolist()
    moments = [datetime(2000, 1, 1) + timedelta(seconds=s) for s in seconds]
    return {
        "plain": list(map(repr, numbers)),
        "thousands": [f"{x:,.4f}" for x in numbers],
        "money": [f"${abs(x):,.4f}" for x in numbers],
        "percent": [f"{x / 1e5:.8f}%" for x in numbers],
        "moments": [moment.isoformat() for moment in moments],
        "slashed": [f"{moment:%d/%m/%Y %H:%M:%S}" for moment in moments],
    }


def seconds(function, *arguments):
    """Return what a function returns, and the processor's time it took."""
    started = time.process_time()
    found = function(*arguments)
    return found, round(time.process_time() - started, 2)


def main(n_words):
    """Measure each form, print and write."""
    rows = {}
    for name, words in columns(n_words).items():
        guess, understood = seconds(guessed_form, words)
        values, read = seconds(guess.form.read_all, words)
        rows[name] = {"understood in s": understood, "read in s": read}
        assert not np.isnan(values).any()
        if name == "plain":
            rows[name]["float in s"] = seconds(lambda w: [*map(float, w)], words)[1]
        print(f"{name:10}", rows[name])
    told = {"machine": machine(), "code": code_version(), "words": n_words}
    RESULTS.write_text(json.dumps({**told, "forms": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
