"""Sharing pays once: what is computed for one feature is there for the next."""

from __future__ import annotations

from collections.abc import Iterator

from solvers import FeatureHypergraph

from ....figures.picture import Bar, Key, Line, Mark, Picture, Word
from ....figures.scene import Axis
from ....session.link import Visit
from ....session.saved_drawing import graph_text
from ....widgets.text import counted
from .base import Control, Lesson, RevealedAnswer, Shown

SPECTRUM, OWN, ALONE = 6.0, 1.0, 3.0
FEATURES = ("low", "mid", "high", "flux", "mean", "peak")
N_SHARING = 4
ASKED = 3


def world() -> FeatureHypergraph:
    """Return four features of one spectrum and two that need nothing of it.

    Costs in microseconds.
    """
    rows = [[1] * N_SHARING + [0, 0]]
    rows += [[int(i == j) for j in range(6)] for i in range(6)]
    own = [OWN] * N_SHARING + [ALONE, ALONE]
    components = ("spectrum", *(f"{name} itself" for name in FEATURES))
    return FeatureHypergraph(rows, [SPECTRUM, *own], FEATURES, components)


def charged(n_taken: int) -> tuple[float, float]:
    """Return what some features cost together, and the sum of what each costs alone.

    In microseconds.
    """
    graph, taken = world(), range(n_taken)
    return graph.cost(list(taken)), sum(graph.cost([feature]) for feature in taken)


def show(at: int) -> Iterator[Shown]:
    """Draw the features that are taken, what they need, and both sums."""
    together, alone = charged(at)
    rows = [
        (FEATURES[i], f"{world().cost([i]):g}", f"{charged(i + 1)[0]:g}")
        for i in range(at)
    ]
    saved = alone - together
    yield Shown(
        _picture(at, together, alone),
        f"{counted(at, 'feature')} together: {together:g} µs; one by one: {alone:g} "
        f"µs; sharing saves {saved:g} µs.",
        ("feature", "alone (µs)", "all so far (µs)"),
        rows,
    )


def _picture(at: int, together: float, alone: float) -> Picture:
    x = {name: float(i) for i, name in enumerate(FEATURES)}
    lines, marks, words = [], [], []
    for i, name in enumerate(FEATURES):
        is_on = i < at
        colour = "lit" if is_on else "faded"
        width = 2.5 if is_on else 1.5
        top, bottom = (x[name], x[name]), (3.0, 4.0)
        lines.append(Line(top, bottom, colour, width=width))
        if i < N_SHARING:
            shared = "shared" if is_on else "faded"
            lines.append(Line((x[name], 1.5), (4.0, 5.0), shared, width=width))
        marks.append(Mark(x[name], 4.0, colour, "circle", 15, is_on))
        marks.append(Mark(x[name], 3.0, colour, "square", 12, is_on))
        words.append(Word(x[name] + 0.18, 3.55, name, "left"))
        own = OWN if i < N_SHARING else ALONE
        words.append(Word(x[name], 2.55, f"{own:g} µs"))
    spectrum = "shared" if at else "faded"
    marks.append(Mark(1.5, 5.0, spectrum, "square", 17, bool(at)))
    words.append(Word(1.5, 5.5, f"spectrum {SPECTRUM:g} µs, computed once"))
    return Picture(
        Axis("", -0.6, 6.0),
        Axis("", -0.2, 6.0),
        bars=_bars(together, alone),
        lines=tuple(lines),
        marks=tuple(marks),
        words=(*words, *_sums(together, alone)),
        key=(
            Key("feature", "lit", marker="circle"),
            Key("computed", "lit", marker="square"),
            Key("computed once for several", "shared", marker="square"),
            Key("not needed", "faded", marker="square", filled=False),
            Key("paid together", "lit"),
            Key("paid one by one", "faded", hatch=True),
        ),
    )


def _bars(together: float, alone: float) -> tuple[Bar, ...]:
    whole = charged(len(FEATURES))[1]
    scale = 5.4 / whole
    return (
        Bar(-0.4, -0.4 + scale * alone, 0.15, 0.65, "faded", hatch="/"),
        Bar(-0.4, -0.4 + scale * together, 1.05, 1.55, "lit"),
    )


def _sums(together: float, alone: float) -> tuple[Word, ...]:
    return (
        Word(-0.4, 1.85, f"together {together:g} µs", "left"),
        Word(-0.4, 0.9, f"one by one {alone:g} µs", "left", "middle"),
    )


def judge() -> RevealedAnswer:
    """Compute what three features of one spectrum cost."""
    together, alone = charged(ASKED)
    costs = [alone, together, ASKED * OWN]
    return RevealedAnswer(
        costs.index(together),
        f"The spectrum costs {SPECTRUM:g} µs once, and each feature {OWN:g} µs of its "
        f"own: {together:g} µs. Adding up what each costs alone gives {alone:g} µs, "
        f"and counts the spectrum {ASKED} times.",
        ASKED,
    )


def _answers() -> tuple[str, ...]:
    together, alone = charged(ASKED)
    return tuple(f"{cost:g} µs" for cost in (alone, together, ASKED * OWN))


LESSON = Lesson(
    name="sharing",
    order=10,
    short="Features of one source",
    title="Sharing pays once",
    world=(
        f"Four features are read off one spectrum, which takes {SPECTRUM:g} µs to "
        "compute; two others need nothing of it."
    ),
    text=(
        "A feature costs what has to be computed for it. Drawn as a hypergraph, each "
        "feature points to its components; a set of features costs the union of their "
        "components, each once. So the first feature of the spectrum is costly and "
        "every further one is nearly free, and no price list of single features can "
        "say so."
    ),
    limit=(
        "Holds when features need the same component, not when each has its own: from "
        "the fifth feature on, sharing saves nothing more."
    ),
    control=Control("Features taken", tuple(f"{n} of 6" for n in range(7)), start=1),
    question=f"What do the first {ASKED} features cost together?",
    answers=_answers(),
    supposes=(
        "That adds up what each costs alone, and pays for the spectrum three times.",
        "",
        "That forgets the spectrum itself, which the first of them has to pay.",
    ),
    show=show,
    judge=judge,
    visit=Visit("problem", "Prices", f"g={graph_text(world())}"),
    said={
        "feature": ("features",),
        "computed": ("component", "components"),
        "computed once for several": ("spectrum", "same component"),
        "paid together": ("together",),
        "paid one by one": ("one by one", "alone", "single features"),
    },
)
