"""What exports take: flash, RAM and instructions of C, and seconds of Python."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..numerics.arrays import Floats
from ..values import TimeForm
from .policy import DeployablePolicy, ValueKind
from .python import python_text
from .text import part_text

_TARGET = ("-mcpu=cortex-m0plus", "-mthumb", "-Os", "-std=c99", "-fstack-usage")
_SECONDS = 15
MOST_ROWS = 100


@dataclass(frozen=True)
class CFootprint:
    """What a policy takes; None where it was not measured."""

    flash: int | None = None  # Bytes of code and tables on a Cortex-M0+
    ram: int | None = None  # Bytes of variables that stay, there
    stack: int | None = None  # Bytes of its largest function's frame, there
    instructions: float | None = None  # Of a decision, in the mean, on this computer


def measure_c(texts: Mapping[str, str], rows: Floats | None = None) -> CFootprint:
    """Return what exported C takes, as far as compilers and valgrind are installed.

    Parameters
    ----------
    texts : mapping of str to str
        As `to_c` gives them.
    rows : ndarray of float, shape (n_rows, n_asked), optional
        What instructions are counted on: values of the policy's features, in its order.

    Returns
    -------
    CFootprint
    """
    name = _name_of(texts)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
        sizes = _sizes(folder, name)
        counted = None if rows is None else _instructions(folder, name, rows)
    return CFootprint(*sizes, counted)


def _name_of(texts: Mapping[str, str]) -> str:
    return next(file for file in texts if file.endswith(".h")).removesuffix(".h")


def _sizes(folder: Path, name: str) -> tuple[int | None, int | None, int | None]:
    compiled = run_tool(folder, "arm-none-eabi-gcc", *_TARGET, "-c", f"{name}.c")
    told = run_tool(folder, "arm-none-eabi-size", f"{name}.o")
    if compiled is None or told is None:
        return None, None, None
    code, data, zeros = map(int, told.stdout.splitlines()[1].split()[:3])
    frames = (folder / f"{name}.su").read_text(encoding="utf-8").splitlines()
    stack = max(int(line.split("\t")[1]) for line in frames)
    return code + data, data + zeros, stack


def _instructions(folder: Path, name: str, rows: NDArray) -> float | None:
    sources = (f"{name}.c", f"{name}_example.c")
    built = run_tool(folder, "gcc", "-O2", "-g", *sources, "-o", "example", "-lm")
    if built is None or not len(rows):
        return None
    chosen = rows[:MOST_ROWS]
    lines = "\n".join(" ".join(map(repr, row)) for row in chosen.tolist())
    told = run_tool(
        folder,
        "valgrind",
        "--tool=callgrind",
        f"--toggle-collect={name}_decide",
        "--callgrind-out-file=callgrind.out",
        "./example",
        given=lines,
    )
    found = re.search(r"Collected : (\d+)", "" if told is None else told.stderr)
    return None if found is None else int(found[1]) / len(chosen)


def run_tool(
    folder: Path, tool: str, *arguments: str, given: str = ""
) -> subprocess.CompletedProcess[str] | None:
    """Return what a tool says in a folder; None where it is not there, or fails."""
    if shutil.which(tool) is None:
        return None
    try:
        return subprocess.run(
            [tool, *arguments],
            cwd=folder,
            input=given,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return None


def c_readme(texts: Mapping[str, str], taken: CFootprint) -> str:
    """Return what exported C is, how it is built, and what it takes.

    Parameters
    ----------
    texts : mapping of str to str
        As `to_c` gives them.
    taken : CFootprint
        As `measure_c` gives it.

    Returns
    -------
    str
        Markdown.
    """
    name = _name_of(texts)

    def number(value: float | None, unit: str) -> str:
        return "not measured" if value is None else f"{value:,.0f} {unit}"

    words = ""
    if "With --words" in texts[f"{name}_example.c"]:
        words = "; with\n  `--words`, about rows of words that are parted by tabs"
    return f"""\
# {name}: a policy in C99

- `{name}.h`: what it computes in which order, at what cost; the callbacks to write
- `{name}.c`: the policy; it allocates nothing and needs `math.h` alone
- `{name}_example.c`: decides about rows of numbers from the standard input{words}
- `features.h`, `features.c`: sample features of a signal: mean, moments, quantiles,
  magnitudes of a Fourier transform, zero crossings

```
gcc -std=c99 -O2 {name}.c {name}_example.c -lm -o example
```

Check `error` of a decision first. It is `{name.upper()}_OK`, or
`{name.upper()}_NOT_FINITE`: the feature whose place is in `odd_feature` was `NAN` or
infinite, and the policy was trained without gaps. Then the label is -1, scores are
`NAN`, nothing more was computed, and the cost is what was paid until there. Do not
compile with `-ffast-math`, which takes every number as finite.

Where columns were encoded, bits of a decision say what was odd: `guessed`, what had no
value though training had all; `unseen`, what had a word that training did not know
(`{name.upper()}_WORD_..._ANY_OTHER`, which counts as a rare one), or a date far from
all that training knew.

With `-D{name.upper()}_TRACE` for all sources a decision also has its bill: what was
bought in which order, what each purchase added and what was already paid, what the
policy said then, and why it stopped.

| what it takes | measured |
|---|---|
| flash, Cortex-M0+, -Os | {number(taken.flash, "bytes")} |
| RAM that stays, there | {number(taken.ram, "bytes")} |
| largest stack frame, there | {number(taken.stack, "bytes")} |
| instructions of a decision, where it was measured, -O2 | \
{number(taken.instructions, "in the mean")} |

Flash and RAM are those of `{name}.o`: your callbacks, and what `math.h` and arithmetic
without a floating-point unit link in, come on top. Instructions are counted by
callgrind inside of `{name}_decide`, with callbacks that copy a number.
"""


def sample_features() -> dict[str, str]:
    """Return the sample features in C, by file name.

    Returns
    -------
    dict of str to str
    """
    return {name: part_text(name) for name in ("features.h", "features.c")}


# The first round warms up; of the others each row's quickest is taken: other work on
# the machine makes a decision longer, never shorter.
_SCRIPT = """\
import json, sys, time
sys.path.insert(0, sys.argv[1])
from policy import decide
samples = json.load(sys.stdin)
best = [1e9] * len(samples)
for number in range(8):
    for i, sample in enumerate(samples):
        before = time.perf_counter()
        decide(sample)
        took = time.perf_counter() - before
        best[i] = min(best[i], took) if number else 1e9
print(json.dumps([sum(best), sum(decide(sample).cost for sample in samples)]))
"""


@dataclass(frozen=True)
class DecisionTime:
    """What a decision takes in Python, and what it asks for, in the mean over rows."""

    seconds: float  # Beside the features
    cost: float  # Of the features, in the unit of the costs


def measure_python(policy: DeployablePolicy, rows: Floats) -> DecisionTime | None:
    """Return what a decision of the exported Python file takes.

    Parameters
    ----------
    policy : DeployablePolicy
        As `policy_from` gives it.
    rows : ndarray of float, shape (n_rows, n_asked)
        Values of the policy's features, in its order: numbers, codes, NaN for a gap.

    Returns
    -------
    DecisionTime or None
        None where there are no rows, or the file did not run in time.
    """
    samples = [_sample(policy, row) for row in rows[:MOST_ROWS].tolist()]
    if not samples:
        return None
    with tempfile.TemporaryDirectory() as made:
        (Path(made) / "policy.py").write_text(python_text(policy), encoding="utf-8")
        script, given = ("-I", "-c", _SCRIPT, made), json.dumps(samples)
        ran = run_tool(Path(made), sys.executable, *script, given=given)
    if ran is None:
        return None
    seconds, cost = json.loads(ran.stdout)
    return DecisionTime(seconds / len(samples), cost / len(samples))


def _sample(policy: DeployablePolicy, row: Sequence[float]) -> dict[str, Any]:
    """Return a row as people give it: words and dates in place of codes."""
    return {
        name: _as_given(kind, value)
        for name, kind, value in zip(policy.features, policy.kinds, row, strict=True)
    }


def _as_given(kind: ValueKind, code: float) -> Any:
    if math.isnan(code):
        return None
    if kind.kind == "number":
        return code
    if kind.kind == "time":
        return TimeForm().write(code)
    if kind.kind == "date":
        return (datetime(1970, 1, 1) + timedelta(days=code)).isoformat()
    return dict(enumerate(kind.words)).get(int(code), "another")
