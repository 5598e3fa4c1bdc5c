"""Cost of every method over one knob, and the steps of cost-sensitive inference."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from solvers.markov import InferenceTrace, MethodSummary

from ...figures.live import SceneView
from ...figures.scene import (
    Axis,
    Layer,
    Scene,
    dots,
    line,
    links,
    room_around,
    upright,
    words,
)
from ...figures.structured_graph import structured_style
from ...widgets.figure_view import StateTable, TextView, draw_once
from ...widgets.page_layout import SIDE
from ...widgets.text import plain
from .state import CURVE_VALUES, StructuredState, knob_title

TOOLTIPS = [
    ("method", "@title"),
    ("cost", "@y{number} units"),
    ("accuracy", "@accuracy{0.0 %}"),
    ("one label took over", "@stuck{0 %}"),
    ("test results", "@n"),
]
NOTHING_YET = {True: "The first marks are on their way.", False: "Not traced yet."}
COSTS = "mean cost (units)"
# What is drawn before there is a mark, and the most steps that have a tick each.
EMPTY = (Axis("", 0.5, 1.0), Axis(COSTS, 0.0, 150.0))
NO_STEPS = (
    Axis("step", 0, 1),
    Axis("objective (nats)", 0, 1),
    [line("no", [], [], "text")],
)
MAX_TICKS = 12
BOUNDS = ("objective", "lower_bound")
COLUMN_TITLES = [
    "Value",
    "Method",
    "Cost of a test graph",
    "Standard error",
    "Accuracy (%)",
    "One label took over (%)",
    "Test results",
]


class CostCurve(SceneView):
    """One line a method, one standard error up and down, and where we stand."""

    state = param.ClassSelector(class_=StructuredState)
    comes = param.Boolean(
        default=False, allow_refs=True, doc="Whether it is traced, now or next."
    )

    called = "curve"
    height = 440
    style = SIDE
    tools = "pan,xwheel_zoom,reset"
    follows = ("curve", "methods", "method", "rival", "run", "scene", *CURVE_VALUES)

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.param.watch(lambda *_: draw_once(self._draw), "comes")

    def scene(self) -> Scene:
        """Return the methods that are compared; words alone before there is a mark."""
        state, curve = self.state, self.state.curve
        self._pane.visible = state.curve_knob is not None
        said = cheapest_text(state, comes=self.comes)
        lines = {name: curve.line(name) for name in state.computed} if curve else {}
        lines = {name: found for name, found in lines.items() if found}
        if curve is None or not lines:
            x, y = EMPTY
            note = NOTHING_YET[self.comes]
            middle = ((one.low + one.high) / 2 for one in EMPTY)
            at, high = middle
            look = {"text_font_size": "14px"}
            layer = words("note", [at], [high], [note], "quiet_text", **look)
            return Scene(x, y, [layer], said=said)
        layers = [
            layer
            for name, found in lines.items()
            for layer in _method_layers(name, state.title(name), found)
        ]
        layers.append(upright(getattr(state, curve.knob), name="here"))
        values = [
            *CURVE_VALUES[curve.knob],
            *(x for found in lines.values() for x, _ in found),
        ]
        top = max(_ends(one)[1] for found in lines.values() for _, one in found)
        x = Axis(knob_title(curve.knob), *room_around(values, 0.04))
        return Scene(x, Axis(COSTS, 0.0, 1.08 * max(1.0, top)), layers, said=said)


def _method_layers(
    name: str, title: str, found: list[tuple[float, MethodSummary]]
) -> list[Layer]:
    """Return a method's line, its marks, and one standard error about each."""
    style = structured_style(name)
    x = np.array([value for value, _ in found])
    y = np.array([one.cost for _, one in found])
    low, high = np.array([_ends(one) for _, one in found]).T
    told = {
        "low": low,
        "high": high,
        "title": [title] * len(x),
        "accuracy": [one.accuracy for _, one in found],
        "stuck": [one.stuck_share for _, one in found],
        "n": [one.n_results for _, one in found],
    }
    bottom, top = (np.column_stack([x, edge]) for edge in (low, high))
    caps = np.concatenate([x, x]), np.concatenate([low, high])
    return [
        links(f"{name}: errors", bottom, top, style),
        dots(f"{name}: ends", *caps, style, marker="dash", size=7),
        line(f"{name}: line", x, y, style, key=title, dash=style.dash, width=2.5),
        dots(
            name,
            *(x, y, style),
            key=title,
            marker=style.marker,
            size=9,
            hover=TOOLTIPS,
            told=told,
            fill_alpha=0.4,
        ),
    ]


def _ends(found: MethodSummary) -> tuple[float, float]:
    error = float(np.nan_to_num(found.standard_error))
    return max(0.0, found.cost - error), found.cost + error


def cheapest_text(state: StructuredState, *, comes: bool = False) -> str:
    """Return which method pays least where, in words; `comes`: it is being traced."""
    curve = state.curve
    if state.curve_knob is None:
        return "There is no curve: data of one's own have no setting to vary."
    if curve is None or not curve.points:
        if not comes:
            return "The curve has not been traced yet; its button traces it."
        return (
            f"Every method is trained at each {knob_title(state.curve_knob)}: a mark "
            "each, as it comes. Then it says here which pays least where."
        )
    earlier = "" if state.is_curve_of_this else "Of an earlier setting. "
    lines = {name: dict(curve.line(name)) for name in state.computed}
    won: dict[str, list[str]] = {}
    for value in sorted({value for value, *_ in curve.points}):
        found = {name: line[value] for name, line in lines.items() if value in line}
        if found:
            least = min(found, key=lambda name: found[name].cost)
            won.setdefault(least, []).append(f"{value:g}")
    n = max((s.n_results for line in lines.values() for s in line.values()), default=0)
    said = "; ".join(
        f"{state.title(name)} at {', '.join(at)}" for name, at in won.items()
    )
    return (
        f"{earlier}Lowest mean cost over {knob_title(curve.knob)}: {said}. Up to {n} "
        "test results a mark. Bars are one standard error; a difference below two of "
        "them is noise."
    )


class CurveTable(StateTable):
    """The table behind the curve."""

    state = param.ClassSelector(class_=StructuredState)
    caption, columns, height = "Costs over the knob", COLUMN_TITLES, 260
    numbers = (True, False, True, True, True, True, True)
    follows = ("curve", "methods", "scene")

    def _fill(self) -> None:
        curve = self.state.curve
        if curve is None or self.state.curve_knob is None:
            self._table.rows = []
            return
        self._table.rows = [
            [
                value,
                self.state.title(name),
                round(found.cost, 1),
                round(float(np.nan_to_num(found.standard_error)), 2),
                round(100 * found.accuracy, 1),
                round(100 * found.stuck_share),
                found.n_results,
            ]
            for name in self.state.computed
            for value, found in curve.line(name)
        ]


class TracePlot(SceneView):
    """Objective and lower bound of every step."""

    state = param.ClassSelector(class_=StructuredState)

    called = "trace"
    height = 250
    has_words = False
    follows = ("run", "method", "shown")

    def scene(self) -> Scene | None:
        """Return the steps of what is drawn, or of the first that infers in steps."""
        found = _inference(self.state)
        if found is None:
            return None if self._shown else Scene(*NO_STEPS)
        steps = found[1].steps
        x = [step.index for step in steps]
        upper, lower = ([getattr(step, name) for step in steps] for name in BOUNDS)
        style = structured_style("CSMN")
        layers = []
        for name, y, role, dash, marker in (
            ("objective G(y)", upper, style, "solid", "circle"),
            ("lower bound", lower, "quiet_text", "dashed", "inverted_triangle"),
        ):
            layers += [
                line(f"{name}: line", x, y, role, key=name, dash=dash, width=2.5),
                dots(name, x, y, role, key=name, marker=marker, size=9),
            ]
        every = -(-len(x) // MAX_TICKS)
        ticks = {float(step): f"{step}" for step in x[::every]}
        return Scene(
            Axis("step", *room_around(x, 0.05), ticks=ticks),
            Axis("objective (nats)", *room_around([*upper, *lower], 0.25)),
            layers,
        )


class TraceText(TextView):
    """How an inference ended, and its steps, in words."""

    state = param.ClassSelector(class_=StructuredState)
    follows = ("run", "method", "shown")
    min_height = 92

    def _markup(self) -> str | None:
        state, found = self.state, _inference(self.state)
        if found is None:
            is_known = state.run is not None and state.run.is_complete
            return (
                "<p>No ticked method infers in two steps: tick CSMN.</p>"
                if is_known
                else None
            )
        method, trace = found
        badges = " ".join(
            f'<span class="badge {kind}">{plain(text)}</span>'
            for kind, text in trace_badges(trace)
        )
        said = plain(trace_text(state.title(method), trace))
        return f'<div class="badges">{badges}</div><p>{said}</p>'


def _inference(state: StructuredState) -> tuple[str, InferenceTrace] | None:
    run = state.run
    return None if run is None else run.inference(state.method, state.shown)


def trace_badges(trace: InferenceTrace) -> list[tuple[str, str]]:
    """Return how an inference ended, as kinds and words."""
    ended = {None: ("bad", "no labelling came back"), 1: ("good", "fixed point")}
    cycle = ended.get(trace.period, ("bad", f"cycle of {trace.period}"))
    certificate = {
        "exact": ("good", "certified: no labelling has a smaller objective"),
        "bethe": ("good", "smallest Bethe objective"),
        "none": ("plain", f"gap of {trace.gap:.2f} nats"),
    }[trace.certificate]
    return [cycle, certificate]


def trace_text(method: str, trace: InferenceTrace) -> str:
    """Return the steps of an inference in words."""
    steps = "step" if len(trace.steps) == 1 else "steps"
    kind = "" if trace.exact else " (for the Bethe objective)"
    return (
        f"{method}: {len(trace.steps)} {steps}; the labels of step "
        f"{trace.best.index} are kept, {trace.objective:.2f} nats, at most "
        f"{trace.gap:.2f} above the least there is{kind}."
    )
