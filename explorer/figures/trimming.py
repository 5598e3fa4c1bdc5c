"""The figures of the trimming page beside its tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.bayes import BayesianNetwork, Comparison, InstanceTable, Trimming
from solvers.values.rounding import number

from ..widgets.lights import FEATURE, things
from ..widgets.text import charge_text, cut_text, percent_text
from ..widgets.theme import Role
from .layout import Places
from .scene import (
    Axis,
    Layer,
    Scene,
    boxes,
    dots,
    line,
    links,
    room_around,
    stairs,
    upright,
    words,
)

# Longer names are cut in the drawing; the pointer is told them whole.
MAX_NAME = 18
# Beyond this many variables only the target and the features are named.
MAX_NAMED = 45
# Beyond this many each name has one line, below its node.
MAX_STARS = 26
# How much of an arrow is drawn, so that its head does not hide under the child, and
# how much wider the drawing is than high.
REACH, ASPECT = 0.9, 1.15
# Of places from 0 to 1, with room for names around them.
ROOM = Axis("", -0.23, 1.23), Axis("", -0.24, 1.24)


@dataclass(frozen=True)
class Look:
    """A way to choose features: three channels, so that none has to be seen."""

    title: str
    marker: str  # Bokeh marker
    light: str  # Colour in each theme
    dark: str
    size: int  # In pixels
    dash: str = "solid"

    def colour(self, dark: bool) -> str:
        """Return the colour in a theme."""
        return self.dark if dark else self.light


SELECTIONS = {
    "trimmed": Look("ECA-Trim", "circle", "#008060", "#2fbf98", 9),
    "same_decision": Look(
        "FS-SDD (T kept)", "square", "#5d3fb5", "#b7a2ff", 8, "dashed"
    ),
    "information": Look(
        "information gain, best T'", "triangle", "#8f4a78", "#CC79A7", 9, "dotdash"
    ),
    "information_kept": Look(
        "information gain, T kept", "diamond", "#7a6200", "#F0E442", 10, "dotted"
    ),
}


# ------------------------------------------------------------------------- the network


def network_scene(
    network: BayesianNetwork,
    places: Places,
    target: str,
    prices: Mapping[str, float],
    kept: Collection[str],
    unit: str = "",
    said: str = "",
) -> Scene:
    """Return arrows from parents to children; the features that are kept are filled.

    `prices`: of the features. `unit`: of prices. `said`: the same in words.
    """
    features = [name for name in network.states if name in prices]
    others = [n for n in network.states if n not in prices and n != target]
    named = {target: cut_text(target, MAX_NAME)}
    gap = " · " if len(places) > MAX_STARS else "\n"
    costs = {name: charge_text(prices[name], unit) for name in features}
    named |= {
        name: f"{cut_text(name, MAX_NAME)}{gap}{costs[name]}" for name in features
    }
    if len(network.states) <= MAX_NAMED:
        named |= {name: cut_text(name, MAX_NAME) for name in others}
    return Scene(
        *ROOM,
        [
            *_arrows(network, places),
            *_names(named, places),
            _nodes("others", others, places, {"what": "neither target nor feature"}),
            _features(features, places, kept, costs),
            _nodes("target", [target], places, {"what": "target"}),
        ],
        said=said,
    )


def empty_network(said: str) -> Scene:
    """Return what is shown before there is a network."""
    return Scene(*ROOM, [_features([], {}, [], {})], said=said)


def _arrows(network: BayesianNetwork, places: Places) -> list[Layer]:
    ends = [
        (places[parent], places[name])
        for name, parents in network.parents.items()
        for parent in parents
    ]
    starts, stops = np.reshape(ends, (-1, 2, 2)).transpose(1, 0, 2)
    tips = starts + REACH * (stops - starts)
    x, y = (tips - starts).T
    look = {"marker": "triangle", "size": 7, "angle": "angle"}
    told = {"angle": np.arctan2(y, ASPECT * x) - np.pi / 2}
    return [
        links("arrows", starts, tips, "faded"),
        dots("heads", tips[:, 0], tips[:, 1], "quiet_text", told=told, **look),
    ]


def _names(named: Mapping[str, str], places: Places) -> list[Layer]:
    """Return names away from the middle, where most arrows come from."""
    is_crowded = len(places) > MAX_STARS
    above = [n for n in named if places[n][1] > 0.5 and not is_crowded]
    layers = []
    for side, rows, shift, baseline in (
        ("above", above, -9, "bottom"),
        ("below", [name for name in named if name not in {*above}], 9, "top"),
    ):
        layers.append(
            words(
                f"names {side}",
                *_at(rows, places),
                [named[name] for name in rows],
                y_offset=shift,
                text_baseline=baseline,
                background_fill_color="background",
                background_fill_alpha=0.7,
            )
        )
    return layers


def _features(
    features: Sequence[str],
    places: Places,
    kept: Collection[str],
    costs: Mapping[str, str],
) -> Layer:
    told = {
        "name": list(features),
        "what": [
            f"{'kept feature' if name in kept else 'feature'}, cost {costs[name]}"
            for name in features
        ],
        "fill": ["lit" if name in kept else "background" for name in features],
        "thing": things(FEATURE, features),
    }
    return dots(
        "features",
        *_at(features, places),
        "lit",
        size=14,
        hover=[("", "@what @name")],
        told=told,
        fill_color="fill",
        line_width=2,
    )


def _nodes(
    kind: str, names: Sequence[str], places: Places, told: Mapping[str, str]
) -> Layer:
    role, marker, size = ("faded", "circle", 7)
    if kind == "target":
        role, marker, size = ("text", "diamond", 20)
    columns = {"name": [*names]} | {key: [v] * len(names) for key, v in told.items()}
    hover = [("", "@what @name")]
    look: dict[str, Any] = {"marker": marker, "size": size}
    return dots(kind, *_at(names, places), role, hover=hover, told=columns, **look)


def _at(names: Sequence[str], places: Places) -> tuple[list[float], list[float]]:
    return [places[name][0] for name in names], [places[name][1] for name in names]


# -------------------------------------------------------------------------- the search


def best_scene(
    best: NDArray[np.float64], bound: NDArray[np.float64], here: int, said: str = ""
) -> Scene:
    """Return the best so far and what another set may reach; they meet where proved.

    Shapes: `best`, `bound` (n_events,). `here`: the event that is shown.
    """
    at = np.arange(1, len(best) + 2)
    # One more point, so that the last step has a length.
    reached, other = np.append(best, best[-1]), np.append(bound, bound[-1])
    told = {
        "best": [percent_text(value) for value in reached],
        "bound": [percent_text(value) for value in other],
    }
    hover = [("event", "@x"), ("best so far", "@best"), ("at most", "@bound")]
    return Scene(
        Axis("event of the search", 1.0, float(max(2, len(best) + 1))),
        _percent_axis("agreement (%)", [*best, *bound]),
        [
            stairs("bound", at, 100 * other, "quiet_text", key="bound", dash="dashed"),
            stairs("best", at, 100 * reached, "lit", key="best so far"),
            dots(
                "events",
                *(at[:-1], 100 * best),
                "lit",
                size=5,
                hover=hover,
                told={key: column[:-1] for key, column in told.items()},
            ),
            upright(float(here), "ring", line_dash="dotted", line_width=1),
        ],
        said=said,
    )


def scale_scene(
    best: Trimming, table: InstanceTable | None, threshold: float, said: str = ""
) -> Scene:
    """Return agreement over all new thresholds, the best of them shaded, and T.

    `table`: of what the kept features can show, where it can be read.
    """
    low, high = best.threshold_interval
    cuts = table.cuts if table is not None else None
    lows, highs, found = (
        (np.zeros(0),) * 3
        if cuts is None
        else tuple(np.array(c) for c in (cuts.lows, cuts.highs, cuts.agreements))
    )
    y = 100 * found
    told = {
        "interval": [
            f"({number(a)}, {number(b)}]" for a, b in zip(lows, highs, strict=True)
        ],
        "agreement": [percent_text(value) for value in found],
    }
    return Scene(
        Axis("new threshold T'", -0.01, 1.01),
        Axis("agreement (%)", 0.0, 105.0),
        [
            boxes(
                "best",
                *([low], [max(high, low + 0.002)], [0.0], [105.0]),
                "lit",
                key="best T'",
                fill_alpha=0.22,
                line_color="lit",
            ),
            links(
                "steps",
                np.column_stack([lows, y]),
                np.column_stack([highs, y]),
                "lit",
                width=3,
                told=told,
                hover=[("T'", "@interval"), ("agreement", "@agreement")],
            ),
            upright(threshold, "text", name="T"),
        ],
        said=said,
    )


# ----------------------------------------------------------------- figures of the paper


def scatter_scene(
    places: NDArray[np.float64],
    names: Sequence[str],
    costs: Sequence[str],
    *,
    shown: Sequence[int],
    front: Sequence[int],
    best: int,
    most_accurate: int,
    said: str = "",
) -> Scene:
    """Return agreement against accuracy of every affordable set (Fig. 5).

    Shapes: `places` (n_sets, 2), of agreement and accuracy. `shown`: which sets are
    drawn; `front`: those that no other beats in both, by agreement.
    """
    percent = 100 * places

    def told(rows: Sequence[int]) -> dict[str, Any]:
        return {
            "features": [names[row] for row in rows],
            "cost": [costs[row] for row in rows],
            "agreement": [percent_text(places[row, 0]) for row in rows],
            "accuracy": [percent_text(places[row, 1]) for row in rows],
        }

    def marks(name: str, rows: Sequence[int], role: Role, **look: Any) -> Layer:
        x, y = percent[list(rows)].T.tolist()
        return dots(name, x, y, role, hover=hover, told=told(rows), **look)

    hover = [
        ("", "@features"),
        ("agreement", "@agreement"),
        ("accuracy", "@accuracy"),
        ("cost", "@cost"),
    ]
    x, y = percent[list(front)].T.tolist()
    cloud = {"size": 5, "fill_alpha": 0.6, "line_color": None}
    accurate = {"marker": "square", "size": 13, "fill_color": "background"}
    return Scene(
        _percent_axis("agreement with the original (%)", places[list(shown), 0]),
        _percent_axis("accuracy (%)", places[list(shown), 1]),
        [
            marks("sets", shown, "quiet_text", **cloud),
            stairs("front", x, y, "lit", key="no set beats both", mode="before"),
            marks(
                *("agreeing", [best], "lit"),
                key="agrees most",
                marker="star",
                size=18,
                line_color="ring",
            ),
            marks(
                *("accurate", [most_accurate], "ring"),
                key="most accurate",
                line_width=2,
                **accurate,
            ),
        ],
        said=said,
    )


def selections_scene(found: Sequence[Comparison], said: str = "") -> Scene:
    """Return agreement over thresholds, a line a way to choose features (Fig. 7)."""
    at = [one.threshold for one in found]
    agreed = {
        "trimmed": [one.trimmed.agreement for one in found],
        "same_decision": [one.same_decision.agreement for one in found],
        "information": [one.information.agreement for one in found],
        "information_kept": [one.information_agreement for one in found],
    }
    told = {
        name: [percent_text(value) for value in column]
        for name, column in agreed.items()
    }
    hover = [("T", "@x"), *((SELECTIONS[name].title, f"@{name}") for name in agreed)]
    layers = []
    # ECA-Trim last: where lines meet, it lies on top.
    for name in reversed(agreed):
        look, y = SELECTIONS[name], [100 * value for value in agreed[name]]
        mark = {"marker": look.marker, "size": look.size, "key": look.title}
        layers += [
            line(f"{name} line", at, y, look, key=look.title, dash=look.dash),
            dots(name, at, y, look, hover=hover, told=told, **mark),
        ]
    every = [value for column in agreed.values() for value in column]
    return Scene(
        Axis("decision threshold T of the original", 0.05, 0.95),
        _percent_axis("agreement (%)", every),
        layers,
        said=said,
    )


def _percent_axis(label: str, shares: Any) -> Axis:
    return Axis(label, *room_around(100 * np.asarray(shares, dtype=float), 0.08))
