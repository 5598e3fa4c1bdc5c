"""Figures over the selectivity and the number kept, and of algorithms side by side."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import param

from solvers.methods.selective_ridge.chronometry import CONTENDERS
from solvers.values.rounding import rounded

from ...figures.live import SceneView
from ...figures.regularisation_path import BOUNDARY, N_LINES, path_scene
from ...figures.scene import Axis, Hover, Layer, Scene, dots, line, upright
from ...widgets.page_layout import TOLD
from ...widgets.theme import PLOT_HEIGHT, MethodStyle, Role, method_style
from .state import SelectivityState
from .streams import PATH_POINTS, SMALLEST
from .text import ALGORITHM_TITLES, gaps_text, largest_coefficients, timings_text

FUNNEL = (
    "The dash-dotted funnel is |a| = μ: inside it a coefficient is on the boundary, "
    "outside it is ridge."
)
PRICED = "Each has a boundary of its own, |a| = μ √cost."
MU = "selectivity μ"
# Where none is kept stands on an axis of powers of ten, which begin at one.
NONE_KEPT, LEFT = 0.5, 0.42
# Below this a gap is rounding, and a log axis has no zero.
LEAST_GAP = 1e-12
# What who is compared looks like.
OURS = method_style("selective_ridge")
PUBLISHED = MethodStyle("#8f4a78", "#CC79A7", "triangle", "dashed")
TITLED = {"training": "training rows", "validation": "validation rows"}


def marked(
    name: str,
    title: str,
    x: Sequence[float],
    y: Sequence[float],
    look: tuple[Role, str, str],
    hover: Hover,
    told: dict[str, Any] | None = None,
    size: int = 7,
) -> list[Layer]:
    """Return a line, and marks on it; `look`: role, marker and dash."""
    role, marker, dash = look
    marks = {"marker": marker, "size": size, "hover": hover, "told": told or {}}
    return [
        line(f"{name}: line", x, y, role, key=title, dash=dash),
        dots(name, x, y, role, key=title, **marks),
    ]


class _AlongPath(SceneView):
    """A figure of the path, with the chosen model upright."""

    state = param.ClassSelector(class_=SelectivityState)

    legend = "above"
    follows = ("path", "answer")
    label: ClassVar[str]  # Of the upright axis, and of the one below
    across: ClassVar[str] = MU

    def scene(self) -> Scene:
        """Return the path as far as it is traced; before that, its axes."""
        path, answer = self.state.path, self.state.answer
        if not path:
            x, layers = Axis(self.across, SMALLEST, 1.0, is_log=True), self._layers([])
            return Scene(x, Axis(self.label, 0.0, 1.0), layers)
        here = [] if answer is None else [upright(self._here(answer), "ring")]
        return self._along(path, here)

    @abstractmethod
    def _along(self, path: Sequence[Any], here: list[Layer]) -> Scene:
        """Return the scene of a path."""

    def _layers(self, path: Sequence[Any]) -> list[Layer]:
        """Return what is drawn of a path."""
        return []

    def _here(self, answer: Any) -> float:
        """Return where an answer stands on the axis below."""
        return float(answer.fit.mu)


class CoefficientPath(_AlongPath):
    """The largest coefficients as they grow, by state: zero, on the boundary, ridge."""

    called, label = "path", "coefficient (training rows)"
    height = PLOT_HEIGHT

    def _layers(self, path: Sequence[Any]) -> list[Layer]:
        return [line("limit +1", [], [], "quiet_text")]

    def _along(self, path: Sequence[Any], here: list[Layer]) -> Scene:
        bench, chosen = path[0].bench, largest_coefficients(tuple(path), N_LINES)
        if not len(chosen):  # every coefficient is zero where the path begins
            return Scene(_mu_axis(path), Axis(self.label, 0.0, 1.0), self._layers([]))
        coef = np.array([answer.fit.coef[chosen] for answer in path])
        limit = np.geomspace(SMALLEST * bench.largest, bench.largest, 80)
        # Priced features have a boundary each.
        is_priced = bench.question.is_priced
        limit = limit[limit <= (-1.0 if is_priced else 1.5 * np.abs(coef).max())]
        return path_scene(
            _mu_axis(path),
            np.array([answer.fit.mu for answer in path]),
            coef,
            np.array([answer.fit.states[chosen] for answer in path]),
            [bench.data.names[j] for j in chosen],
            beyond=here,
            limit=limit,
            said=f"The {len(chosen)} largest of {len(bench.data.names)} coefficients. "
            f"{PRICED if is_priced else FUNNEL} The upright line is the μ chosen.",
        )


class PathCounts(_AlongPath):
    """How many features are used, and in which state."""

    called, label = "counts", "features used"
    looks: ClassVar[dict[str, tuple[str, Role, str, str]]] = {
        "used": ("used", "text", "circle", "dotted"),
        "boundary": ("on the boundary", BOUNDARY, "triangle", "dashed"),
        "ridge": ("ridge", "lit", "square", "solid"),
    }

    def _layers(self, path: Sequence[Any]) -> list[Layer]:
        mus = [answer.fit.mu for answer in path]
        told = {
            "used": [answer.n_used for answer in path],
            **{k: [answer.counts[k] for answer in path] for k in ("boundary", "ridge")},
        }
        hover = [("μ", "@x"), *((self.looks[k][0], f"@{k}") for k in told)]
        return [
            layer
            for name, (title, *look) in self.looks.items()
            for layer in marked(
                name, title, mus, told[name], tuple(look), hover, told, size=6
            )
        ]

    def _along(self, path: Sequence[Any], here: list[Layer]) -> Scene:
        most = max(path, key=lambda answer: answer.counts["boundary"])
        top = 1.05 * max(1, *(answer.n_used for answer in path))
        said = (
            f"Most features on the boundary: {most.counts['boundary']}, at μ = "
            f"{rounded(most.fit.mu):g}. All certified to a relative gap of 10⁻⁶."
        )
        layers, y = [*self._layers(path), *here], Axis(self.label, 0.0, top)
        return Scene(_mu_axis(path), y, layers, said=_so_far(path, said))


class PathScores(_AlongPath):
    """How often the model is right on rows it has seen, and on others."""

    called, label, across = "scores", "balanced accuracy", "features kept"
    style = TOLD
    looks: ClassVar[dict[str, tuple[Role, str, str]]] = {
        "training": ("quiet_text", "circle", "dashed"),
        "validation": (OURS, "square", "solid"),
    }

    def _layers(self, path: Sequence[Any]) -> list[Layer]:
        at = [self._here(answer) for answer in path]
        told = {part: [one.scores[part] for one in path] for part in self.looks}
        told["kept"] = [answer.n_used for answer in path]
        told["mu"] = [answer.fit.mu for answer in path]
        hover = [("features kept", "@kept"), ("μ", "@mu{number}")]
        hover += [(TITLED[part], f"@{part}{{number}}") for part in self.looks]
        return [
            layer
            for part, look in self.looks.items()
            for layer in marked(part, TITLED[part], at, told[part], look, hover, told)
        ]

    def _along(self, path: Sequence[Any], here: list[Layer]) -> Scene:
        best = max(path, key=lambda answer: answer.scores["validation"])
        features = "1 feature" if best.n_used == 1 else f"{best.n_used} features"
        said = (
            f"Best on validation: {best.scores['validation']:.2f} with {features}, "
            f"at μ = {rounded(best.fit.mu):g} (chosen on the same rows)."
        )
        most = sum(path[0].counts.values())
        kept = {"is_log": True, "nothing": NONE_KEPT, "edge": 1.0}
        x = Axis(self.across, LEFT, 1.15 * most, **kept)
        layers = [*self._layers(path), *here]
        return Scene(x, Axis(self.label, 0.4, 1.02), layers, said=_so_far(path, said))

    def _here(self, answer: Any) -> float:
        return float(answer.n_used or NONE_KEPT)


def _mu_axis(path: Sequence[Any]) -> Axis:
    largest = path[0].bench.largest
    return Axis(MU, SMALLEST * largest, largest, is_log=True)


def _so_far(path: Sequence[Any], said: str) -> str:
    return said if len(path) >= PATH_POINTS else f"So far: {said}"


class GapPlot(SceneView):
    """How much is left to prove after each iteration, from nothing."""

    state = param.ClassSelector(class_=SelectivityState)

    called = "gaps"
    legend = "above"
    follows = ("gaps",)
    looks: ClassVar[dict[str, tuple[Role, str, str]]] = {
        "interior_point": (OURS, "circle", "solid"),
        "published": (PUBLISHED, "triangle", "dashed"),
    }

    def scene(self) -> Scene:
        """Return a line for each algorithm that has run."""
        gaps, answer = self.state.gaps, self.state.answer
        layers, least, last = [], 1e-6, 10
        hover = [("iteration", "@x"), ("relative gap", "@y{0.0e}")]
        for name, look in self.looks.items():
            found = [point for point in gaps if point.algorithm == name]
            shown = [max(point.relative_gap, LEAST_GAP) for point in found]
            at = [float(point.iteration) for point in found]
            least, last = min([least, *shown]), max([last, *at])
            layers += marked(name, ALGORITHM_TITLES[name], at, shown, look, hover)
        n_rows = 0 if answer is None else len(answer.bench.data.y)
        y = Axis("gap as a share of the criterion", least / 3, 3.0, is_log=True)
        said = gaps_text(gaps, n_rows)
        return Scene(Axis("iteration", 0.0, 1.05 * last), y, layers, said=said)


class TimingPlot(SceneView):
    """Who takes how long as the table grows, on log axes."""

    state = param.ClassSelector(class_=SelectivityState)

    called = "timings"
    legend = "above"
    follows = ("timings",)
    looks: ClassVar[dict[str, tuple[Role, str, str]]] = {
        "dual": (OURS, "circle", "solid"),
        "primal": (PUBLISHED, "triangle", "dashed"),
        "scikit": ("quiet_text", "square", "dotted"),
    }

    def scene(self) -> Scene:
        """Return a line for each that was timed."""
        timed = [row for row in self.state.timings if row.seconds is not None]
        hover = [("features", "@x"), ("time", "@y{number} s"), ("", "@note")]
        layers = []
        for name, look in self.looks.items():
            found = [row for row in timed if row.contender == name]
            at = [float(row.n_features) for row in found]
            seconds = [row.seconds for row in found]
            told = {"note": [row.note for row in found]}
            layers += marked(name, CONTENDERS[name], at, seconds, look, hover, told)
        # A log axis without data wants a range all the same.
        sizes = sorted({float(row.n_features) for row in timed}) or [90.0, 1000.0]
        seconds = [row.seconds for row in timed] or [1e-3, 1.0]
        ticks = {size: f"{size:g}" for size in sizes}
        return Scene(
            Axis(
                "features (first columns of the paper's size)",
                *(sizes[0] / 1.2, 1.2 * sizes[-1], ticks),
                is_log=True,
            ),
            Axis(
                "seconds from nothing",
                *(min(seconds) / 1.5, 1.5 * max(seconds)),
                is_log=True,
            ),
            layers,
            said=timings_text(self.state.timings),
        )
