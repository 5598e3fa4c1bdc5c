"""Testing stops paying where a test saves less in mistakes than it costs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from solvers import MistakeCosts

from ....figures.picture import Bar, Key, Line, Mark, Picture, labelled
from ....figures.scene import Axis
from ....session.link import Visit
from .base import Control, Lesson, RevealedAnswer, Shown

N_TESTS, N_ROWS = 8, 40_000
# How far apart the classes are in each test, in its standard deviation.
STRENGTH = 0.7
ILL, FALSE_ALARM = 0.2, 15.0
MISSES = (5, 20, 50, 100, 200, 500, 1000, 2000, 5000, 50_000)
START = MISSES.index(100)
TOP = 18.0


@cache
def beliefs() -> NDArray[np.float64]:
    """Return how likely each row is ill after 0, 1, ... 8 tests, (9, n_rows).

    Each test shows the label with normal noise of its own: Bayes' rule is exact.
    """
    rng = np.random.default_rng(0)
    y = rng.random(N_ROWS) < ILL
    tests = rng.standard_normal((N_TESTS, N_ROWS)) + STRENGTH * (2 * y - 1)
    told = np.vstack([np.zeros(N_ROWS), 2 * STRENGTH * tests]).cumsum(axis=0)
    return np.asarray(expit(np.log(ILL / (1 - ILL)) + told))


@cache
def mistakes(miss: float) -> tuple[float, ...]:
    """Return what mistakes cost a row after 0, 1, ... 8 tests, answered cheapest."""
    priced = MistakeCosts.binary(miss=miss, false_alarm=FALSE_ALARM)
    return tuple(float(priced.expected(one).min(axis=1).mean()) for one in beliefs())


def totals(miss: float) -> NDArray[np.float64]:
    """Return tests and mistakes of a row after 0, 1, ... 8 tests, a dollar each."""
    return np.array(mistakes(miss)) + np.arange(N_TESTS + 1)


def worth(miss: float) -> int:
    """Return at how many dollars of tests the total is least."""
    return int(np.argmin(totals(miss)))


def show(at: int) -> Iterator[Shown]:
    """Draw the total against the money spent on tests, its minimum ringed."""
    miss = MISSES[at]
    total, stop = totals(miss), worth(miss)
    every = ILL * miss, (1 - ILL) * FALSE_ALARM
    free = "well" if every[0] < every[1] else "ill"
    where = (
        f"testing stops paying at {stop} {'dollar' if stop == 1 else 'dollars'} a row, "
        f"{total[stop]:.1f} in all; without a test {total[0]:.1f}"
        if stop
        else f"no test pays: to call everyone {free} costs {total[0]:.1f}"
    )
    yield Shown(
        _picture(miss),
        f"A missed case costs {miss:,} dollars: {where}.",
        ("dollars for tests", "mistakes", "total"),
        [
            (f"{k}", f"{wrong:.2f}", f"{total[k]:.2f}")
            for k, wrong in enumerate(mistakes(miss))
        ],
    )


def _picture(miss: float) -> Picture:
    total, stop = totals(miss), worth(miss)
    bars = []
    for k in range(N_TESTS + 1):
        bars.append(Bar(k - 0.32, k + 0.32, 0.0, float(k), "lit"))
        bars.append(Bar(k - 0.32, k + 0.32, float(k), float(total[k]), "wrong"))
    ill = (1 - ILL) * FALSE_ALARM
    return Picture(
        Axis("dollars spent on tests, a row", -0.5, N_TESTS + 0.5, labelled(range(9))),
        Axis("dollars a row", 0, TOP, labelled((0, 5, 10, 15))),
        bars=tuple(bars),
        lines=(Line((-0.5, N_TESTS + 0.5), (ill, ill), "budget", "dotted", 1.5),),
        marks=(
            Mark(float(stop), float(total[stop]), "text", "circle", 22, filled=False),
        ),
        key=(
            Key("tests", "lit"),
            Key("mistakes", "wrong"),
            Key("least in all", "text", marker="circle", filled=False),
            Key("everyone called ill", "budget", "dotted"),
        ),
    )


def judge() -> RevealedAnswer:
    """Compute how many tests pay as a missed case gets dearer."""
    bought, dear = [worth(miss) for miss in MISSES], MISSES[-1]
    most, last = max(bought), bought[-1]
    right = 2 if most == min(bought) else 0 if last == most else 1
    return RevealedAnswer(
        right,
        f"They are worth {bought[0]} dollars at first and {most} at most; where a "
        f"missed case costs {dear:,} they are worth {last}. There, hardly anybody is "
        "so surely well that one would not call them ill: to call everyone ill costs "
        f"{(1 - ILL) * FALSE_ALARM:.1f}, and with all {N_TESTS} tests mistakes still "
        f"cost {mistakes(dear)[-1]:.2f}, so that tests save less than they cost.",
        len(MISSES) - 1,
    )


LESSON = Lesson(
    name="stops-paying",
    order=18,
    short="What a missed case costs",
    title="Testing stops paying where a test saves less than it costs",
    world=(
        f"One row of five is ill. {N_TESTS} tests cost a dollar each; each shows the "
        f"truth with noise of its own. A false alarm costs {FALSE_ALARM:g} dollars. "
        "Each row gets the answer that is expected to cost least."
    ),
    text=(
        "Tests and mistakes are paid in one currency, so their sum has a least. Left "
        "of it a further test saves more in mistakes than it costs, right of it less. "
        "What a mistake costs moves it, and the threshold with it: the dearer a missed "
        "case, the sooner one is called ill."
    ),
    limit=(
        "Holds when both kinds of mistakes compete, not when one is so dear, or so "
        "cheap, that the answer is settled beforehand: then no test pays, whatever it "
        "tells."
    ),
    control=Control(
        "A missed case costs", tuple(f"{miss:,} dollars" for miss in MISSES), START
    ),
    question=(
        "A missed case gets dearer and dearer. What becomes of the money that tests "
        "are worth?"
    ),
    answers=(
        "it rises all the way",
        "it rises, and falls to nothing in the end",
        "it stays the same",
    ),
    supposes=(
        "The dearer a mistake, the more it pays to avoid it by a test; but it can be "
        "avoided by an answer, too.",
        "Testing has no end here: however dear a missed case, a test still tells.",
        "What a test tells is the same, but what a mistake costs is not.",
    ),
    show=show,
    judge=judge,
    visit=Visit("frontier", "Frontier", "data=heart"),
    said={
        "tests": ("tests", "test"),
        "mistakes": ("mistakes", "mistake"),
        "least in all": ("least",),
        "everyone called ill": ("call everyone ill",),
    },
)
