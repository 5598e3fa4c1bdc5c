"""Random programs that remember, change and count: shared values are plain values."""

import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.features.tracing import trace_extractor

HEAD = """
import collections, warnings
import numpy as np
import pandas as pd
RATE = 1.0
LOG, TABLE, COUNT = [], {"a": 1.0, "b": [1.0, 2.0]}, collections.Counter(a=1)
BUFFER = np.zeros(9)

class Box:
    level = 1.0
    def __init__(self, held):
        self.held, self.n = held, 0
    def bump(self):
        self.n += 1

BOX = Box(2.0)

def far(x):
    return np.ravel(x)[0] > 10

def number(value):
    if isinstance(value, list | tuple):
        return sum(map(number, value))
    if isinstance(value, dict):
        return sum(map(number, value.values()))
    if isinstance(value, Box):
        return number(value.held) + value.n
    return float(np.sum(np.abs(np.asarray(value, dtype=float))))
"""
READS = ["RATE", "len(LOG)", "TABLE['b'][0]", "BUFFER[0]", "COUNT['a']", "Box.level"]
READS += ["BOX.held", "BOX.n", "getattr(h0, 'tag', 2.0)"]
WRITES = ["LOG.append(1)", "TABLE['b'][0] += 1", "BUFFER[0] += 1", "COUNT['a'] += 1"]
WRITES += ["BOX.held = 3.0", "BOX.bump()", "Box.level = 2.0", "h0.tag = 1.0", "x *= 2"]
WRITES += ["globals()['RATE'] = 3.0", "setattr(BOX, 'held', 4.0)", "x[1] = 0.0"]
WRITES += ["np.add(x, 1, out=BUFFER)", "TABLE.update(a=5.0)", "warnings.warn('far')"]
GIVES = [
    "x * {}",
    "x[:4]",
    "(x + {0}, {0})",
    "[x, {}]",
    "[x * 1, x * {}]",
    "number(x) * {}",
]
GIVES += ["{{'v': x * {}}}", "BUFFER", "TABLE['b']", "Box(x * {})", "pd.Series(x * {})"]
GIVES += ["x[::2] * {}", "1 / (x - x[0] + {} * (not far(x)))", "np.broadcast_to({}, 3)"]
ARGUMENTS = ["x", "x.copy()", "x * 1.0", "x[:]", "y"]
FAR_ARGUMENTS = ["x * 2", "x[::-1]", "x.astype('>f8')", "x + 1e-15", "x[:5]"]
CHANGES = [
    "isinstance(v{0}, np.ndarray) and v{0}.flags.writeable: v{0}[...] = 0.0",
    "isinstance(v{0}, list): v{0}.append(1.0)",
    "isinstance(v{0}, tuple): v{0}[0][...] = 1.0",
    "isinstance(v{0}, dict): v{0}['z'] = 3.0",
    "isinstance(v{0}, Box): v{0}.held = 0.0",
]
CALLS = {
    "plainly": "    v{0} = {1}",
    "strictly": "    with np.errstate(divide='raise' if far(x) else 'ignore'):\n"
    "        try: v{0} = {1}\n        except FloatingPointError: v{0} = -1.0",
    "counting": "    with warnings.catch_warnings(record=True) as caught:\n"
    "        warnings.simplefilter('always')\n        v{0} = {1}\n"
    "    v{0} = number(v{0}) + len(caught)",
}


@st.composite
def programs(draw):
    """Helpers that do something else on far samples, and features that call them."""

    def one(options):
        return draw(st.sampled_from(options))

    lines, n = [HEAD], draw(st.integers(1, 3))
    for i in range(n):
        lines.append(f"def h{i}(x, k=1):")
        if draw(st.booleans()):
            lines.append(f"    if far(x): {one(WRITES)}")
        if i and draw(st.booleans()):
            lines.append(
                f"    number(h{draw(st.integers(0, i - 1))}({one(ARGUMENTS)}))"
            )
        lines.append(f"    return {one(GIVES).format(one(READS))}")
    for f in range(3):
        lines += [f"def f{f}(x):", "    y = x.copy()"]
        calls = draw(st.integers(1, 3))
        for i in range(calls):
            given = one(ARGUMENTS)
            if draw(st.booleans()):
                given = f"{one(FAR_ARGUMENTS)} if far(x) else {given}"
            call = f"h{draw(st.integers(0, n - 1))}({given}{one(['', ', 1', ', k=1'])})"
            lines.append(CALLS[one(["plainly", "plainly", *CALLS])].format(i, call))
        for _ in range(draw(st.integers(0, 2))):
            change = one(CHANGES).format(draw(st.integers(0, calls - 1)))
            lines.append(f"    if far(x) and {change}")
        if draw(st.booleans()):
            lines.append(f"    if far(x): {one(WRITES)}")
        values = " + ".join(f"number(v{i})" for i in range(calls))
        lines.append(f"    return {values} + number(y)")
    return "\n".join(lines)


def outcome(compute, sample):
    try:
        return [float(value).hex() for value in compute(sample)]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
        return type(e.__cause__ or e).__name__


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=25)
@given(programs())
def test_shared_values_are_plain_values_whatever_the_program_does(program):
    ours, theirs = types.ModuleType("ours"), types.ModuleType("theirs")
    for made in (ours, theirs):
        exec(program, vars(made))
    near = [np.linspace(1.0, 2.0, 9), np.linspace(2.0, -1.0, 9)]
    traced = trace_extractor([ours.f0, ours.f1, ours.f2], near, share_above=0.0)
    trimmed = traced.trim(traced.features)

    def plain(sample):
        return [theirs.f0(sample), theirs.f1(sample), theirs.f2(sample)]

    for at in (1.0, 11.0, 2.0, 12.0, 13.0):
        one, other = (np.array([at, *near[0][:8]]) for _ in range(2))
        expected = outcome(plain, one)
        assert outcome(trimmed, other) == expected
        assert one.tolist() == other.tolist()
        if isinstance(expected, str):
            return  # what has run before it failed is theirs to say
