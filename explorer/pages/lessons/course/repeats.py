"""Code repeats work that nobody thought was shared: tracing finds it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from solvers import FeatureHypergraph

from ....figures.picture import Bar, Key, Picture, Word, labelled, round_values
from ....figures.scene import Axis
from ....session.link import Visit
from ....session.state import bundled
from ....widgets.text import counted
from .base import Control, Lesson, RevealedAnswer, Shown

N_FEATURES = 18
_BOUNDS = (1 / 3, 2 / 3)


def world() -> FeatureHypergraph:
    """Return eighteen features of an image as they were traced and measured.

    Costs in microseconds.
    """
    return bundled("digit_images").hypergraph


@cache
def charged() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return what the first n features take as written, and with each step once.

    In microseconds, for n from none to all.
    """
    graph = world()
    alone = np.concatenate([[0.0], np.cumsum(graph.marginal_costs())])
    once = [graph.cost(list(range(n))) for n in range(N_FEATURES + 1)]
    return tuple(alone.tolist()), tuple(once)


def repeated_share() -> float:
    """Return the share of the time of all features that goes into repeats."""
    alone, once = charged()
    return 1 - once[-1] / alone[-1]


def show(at: int) -> Iterator[Shown]:
    """Draw the features as they stand in the code, and what each repeats."""
    alone, once = charged()
    names = world().features
    yield Shown(
        _picture(at),
        f"{counted(at, 'feature')} as written: {alone[at]:.0f} µs; with each step "
        f"computed once: {once[at]:.0f} µs.",
        ("feature", "as written (µs)", "all so far (µs)", "each step once (µs)"),
        [
            (names[n - 1], *(f"{value:.0f}" for value in _row(n)))
            for n in range(1, at + 1)
        ],
    )


def _row(n: int) -> tuple[float, float, float]:
    alone, once = charged()
    return alone[n] - alone[n - 1], alone[n], once[n]


def _picture(at: int) -> Picture:
    """Draw each feature's time: what is new in it, and what was there already."""
    alone, once = charged()
    times = np.diff(alone)
    new = np.diff(once)
    top = float(times.max())
    bars = []
    for n in range(at):
        left, right = n + 0.65, n + 1.35
        bars.append(Bar(left, right, 0.0, float(new[n]), "lit"))
        bars.append(
            Bar(left, right, float(new[n]), float(times[n]), "shared", hatch="/")
        )
    counts = labelled(tuple(range(0, N_FEATURES + 1, 3)))
    return Picture(
        Axis("features, in the order of the code", 0.2, N_FEATURES + 0.8, counts),
        Axis("time of a feature (µs)", 0.0, 1.3 * top, labelled(round_values(top))),
        bars=tuple(bars),
        words=(
            Word(0.4, 1.22 * top, f"as written: {alone[at]:.0f} µs", "left"),
            Word(0.4, 1.12 * top, f"each step once: {once[at]:.0f} µs", "left"),
        ),
        key=(
            Key("computed for the first time", "lit"),
            Key("computed once more", "shared", hatch=True),
        ),
    )


def judge() -> RevealedAnswer:
    """Compute how much of the time goes into what was there already."""
    graph, share = world(), repeated_share()
    users = np.asarray(graph.incidence.sum(axis=1)).ravel()
    most = int(np.argmax(graph.component_costs * (users - 1)))
    alone, once = charged()
    return RevealedAnswer(
        sum(share >= bound for bound in _BOUNDS),
        f"As written all features take {alone[-1]:.0f} µs an image, with each step "
        f"once {once[-1]:.0f} µs. Most is repeated of the step "
        f"{graph.components[most]!r}, which {users[most]} of them compute, each for "
        "itself.",
        N_FEATURES,
    )


LESSON = Lesson(
    name="repeats",
    order=12,
    short="Code that exists",
    title="Code repeats work that nobody thought was shared",
    world=(
        f"{N_FEATURES} features of a handwritten digit, each a plain function that was "
        "written down by itself. Their calls were watched and timed."
    ),
    text=(
        "Who writes one more feature calls the helper that is there. That the same "
        "helper has just run on the same image nobody sees, "
        "because no function knows of the others. Tracing compares calls by function "
        "and arguments, and turns those that are alike into one component. The values "
        "stay the same to the last bit."
    ),
    limit=(
        "Holds where features begin with the same step, not where each goes its own "
        "way: the first feature of this code, which needs the bare image, repeats "
        "nothing, and neither do libraries that compute each feature in a C function."
    ),
    control=Control(
        "Features computed",
        tuple(f"{n} of {N_FEATURES}" for n in range(N_FEATURES + 1)),
        start=1,
    ),
    question=(
        "How much of the time of all features goes into steps that another one has "
        "computed for the same image?"
    ),
    answers=("less than a third", "a third to two thirds", "more than two thirds"),
    supposes=(
        "Each function looks small by itself; what they all begin with is not seen.",
        "It is more: the common first step takes longer than what follows it.",
        "They have less in common than that: most of the time is their own.",
    ),
    show=show,
    judge=judge,
    # Its top says what all features cost, and what they would cost one by one
    visit=Visit("problem", "Prices", "data=digit_images"),
    said={
        "computed once more": ("as written", "same helper", "repeated"),
        "computed for the first time": ("computed once", "one component"),
    },
)
