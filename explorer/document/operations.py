"""What a browser may ask of a drawing and its prices, and how it is checked.

A message is a mapping with ``op`` and the fields of that operation; anything else is
refused with a sentence and changes nothing. ``apply`` knows of no screen and keeps
nothing: undoing is keeping the old drawing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from solvers.costs.incidence import ComponentKind
from solvers.costs.prices import ComponentPrices, PriceRule
from solvers.errors import HypergraphError, shown

from .drawing import MAX_NODES, Drawing, Place
from .units import read_cost

MAX_NAME = 120
# Pixels from the middle: further out a drawing cannot be found again.
MAX_DISTANCE = 1e6
# Connecting all pairs of a large selection by mistake would bury the drawing.
MAX_PAIRS = 10_000


@dataclass(frozen=True)
class Edit:
    """What became of a drawing."""

    drawing: Drawing  # The new one
    # What was done, in a few words for people; also what undoing it is called
    said: str
    focus: tuple[int, ...] = ()  # Numbers of the nodes that it was about
    kind: Literal["change", "layout"] = "change"  # Whether all nodes were placed anew


Message = Mapping[str, Any]
Operation = Callable[[Drawing, Message], Edit]
OPERATIONS: dict[str, tuple[Operation, frozenset[str]]] = {}


def apply(drawing: Drawing, message: Any) -> Edit:
    """Return what becomes of a drawing by a message from a browser."""
    if not isinstance(message, Mapping):
        raise HypergraphError("The drawing sent something that is no operation.")
    name = message.get("op")
    if not isinstance(name, str) or name not in OPERATIONS:
        raise HypergraphError(
            f"There is no operation {shown(str(name))}; use one of "
            f"{', '.join(OPERATIONS)}."
        )
    operation, fields = OPERATIONS[name]
    unknown = [str(key)[:20] for key in message if key not in fields and key != "op"]
    if unknown:
        raise HypergraphError(
            f"Operation {shown(name)} takes no {shown(unknown[0])}; it takes "
            f"{', '.join(sorted(fields)) or 'nothing'}."
        )
    return operation(drawing, message)


def operation(*fields: str) -> Callable[[Operation], Operation]:
    """Return what allows an operation and its fields to a browser."""

    def allow(function: Operation) -> Operation:
        name = function.__name__.strip("_")
        OPERATIONS[name] = (function, frozenset(fields))
        return function

    return allow


# -------------------------------------------------------------------------- operations


@operation("name", "components", "place")
def _add_feature(drawing: Drawing, message: Message) -> Edit:
    grown = drawing.add_feature(
        _optional_name(message),
        _of_kind(drawing, message.get("components", []), drawing.rows, "component"),
        _optional_place(message),
    )
    node = grown.feature_ids[-1]
    return Edit(grown, f"Added feature {grown.name(node)}", (node,))


@operation("name", "cost", "kind", "features", "place")
def _add_component(drawing: Drawing, message: Message) -> Edit:
    grown = drawing.add_component(
        _optional_name(message),
        read_cost(message.get("cost", 1.0), drawing.hypergraph.unit),
        _kind(message.get("kind", "generation")),
        _of_kind(drawing, message.get("features", []), drawing.columns, "feature"),
        _optional_place(message),
    )
    node = grown.component_ids[-1]
    return Edit(grown, f"Added component {grown.name(node)}", (node,))


@operation("nodes")
def _delete(drawing: Drawing, message: Message) -> Edit:
    nodes = checked_nodes(drawing, message.get("nodes"))
    return Edit(drawing.delete(nodes), f"Deleted {_called(drawing, nodes)}")


@operation("node", "name", "cost", "kind")
def _set(drawing: Drawing, message: Message) -> Edit:
    (node,) = checked_nodes(drawing, [message.get("node")])
    changed, done = drawing, []
    if "name" in message and (name := read_name(message["name"])) != drawing.name(node):
        changed = changed.rename(node, name)
        done.append(f"renamed {drawing.name(node)} to {name}")
    if ("cost" in message or "kind" in message) and node not in drawing.rows:
        raise HypergraphError(
            f"Feature {shown(drawing.name(node))} costs what its components cost; "
            "set the cost or the kind of a component."
        )
    if "cost" in message:
        cost = read_cost(message["cost"], drawing.hypergraph.unit)
        if cost != drawing.hypergraph.component_costs[drawing.rows[node]]:
            changed = changed.set_cost(node, cost)
            unit = drawing.hypergraph.unit
            done.append(f"set the cost of {changed.name(node)} to {cost:g} {unit}")
    if "kind" in message:
        kind = _kind(message["kind"])
        if kind != drawing.hypergraph.kinds[drawing.rows[node]]:
            changed = changed.set_kind(node, kind)
            done.append(f"made {changed.name(node)} a {kind} component")
    return Edit(changed, _sentence(done), (node,))


@operation("features", "components")
def _connect(drawing: Drawing, message: Message) -> Edit:
    return _linked(drawing, message, True)


@operation("features", "components")
def _disconnect(drawing: Drawing, message: Message) -> Edit:
    return _linked(drawing, message, False)


@operation("features", "components")
def _toggle(drawing: Drawing, message: Message) -> Edit:
    features, components = _ends(drawing, message)
    links = drawing.hypergraph.incidence[[drawing.rows[node] for node in components]]
    there = links[:, [drawing.columns[node] for node in features]]
    all_there = there.nnz == len(features) * len(components)
    return _linked(drawing, message, not all_there)


@operation("nodes", "places")
def _move(drawing: Drawing, message: Message) -> Edit:
    nodes = checked_nodes(drawing, message.get("nodes"))
    places = _places(message.get("places"), len(nodes))
    return Edit(drawing.move(nodes, places), f"Moved {_called(drawing, nodes)}")


@operation()
def _arrange(drawing: Drawing, message: Message) -> Edit:
    return Edit(drawing.arrange(), "Arranged the drawing", kind="layout")


@operation()
def _clear(drawing: Drawing, message: Message) -> Edit:
    nodes = (*drawing.component_ids, *drawing.feature_ids)
    return Edit(drawing.delete(nodes), "Cleared the drawing")


def _linked(drawing: Drawing, message: Message, needed: bool) -> Edit:
    features, components = _ends(drawing, message)
    verb, word = ("Connected", "to") if needed else ("Disconnected", "from")
    said = f"{verb} {_called(drawing, features)} {word} {_called(drawing, components)}"
    changed = drawing.link(features, components, needed)
    return Edit(changed, said)


# ---------------------------------------------------------------------------- checking


def checked_nodes(drawing: Drawing, nodes: Any) -> tuple[int, ...]:
    """Return numbers of nodes from a browser, each once."""
    if not isinstance(nodes, Sequence) or isinstance(nodes, str) or not nodes:
        raise HypergraphError("No feature or component is chosen; choose one first.")
    if len(nodes) > MAX_NODES:
        raise HypergraphError(f"{len(nodes)} nodes are chosen; choose {MAX_NODES}.")
    for node in nodes:
        is_number = isinstance(node, int) and not isinstance(node, bool)
        if not is_number or (node not in drawing.rows and node not in drawing.columns):
            raise HypergraphError(
                "A feature or component that was chosen is not there any more."
            )
    return tuple(dict.fromkeys(nodes))


def _of_kind(
    drawing: Drawing, nodes: Any, known: Mapping[int, int], what: str
) -> tuple[int, ...]:
    if nodes == []:
        return ()
    checked = checked_nodes(drawing, nodes)
    wrong = [node for node in checked if node not in known]
    if wrong:
        raise HypergraphError(
            f"{shown(drawing.name(wrong[0]))} is no {what}; features are connected to "
            "components."
        )
    return checked


def _ends(
    drawing: Drawing, message: Message
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    features = _of_kind(drawing, message.get("features"), drawing.columns, "feature")
    components = _of_kind(drawing, message.get("components"), drawing.rows, "component")
    if not features or not components:
        raise HypergraphError(
            "A connection has two ends; choose a feature and a component."
        )
    if len(features) * len(components) > MAX_PAIRS:
        raise HypergraphError(
            f"{len(features)} features and {len(components)} components make more "
            f"than {MAX_PAIRS} connections at once; choose fewer."
        )
    return features, components


def _optional_name(message: Message) -> str | None:
    return read_name(message["name"]) if "name" in message else None


def read_name(text: Any) -> str:
    """Return a name that somebody typed, or refuse it."""
    if not isinstance(text, str):
        raise HypergraphError("A name is text; type one.")
    name = " ".join(text.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise HypergraphError(
            f"The name {shown(text)} is empty, unprintable or longer than {MAX_NAME} "
            "characters; type another."
        )
    return name


def _kind(kind: Any) -> ComponentKind:
    if kind not in get_args(ComponentKind):
        raise HypergraphError(
            f"There is no component kind {shown(str(kind))}; use "
            f"{' or '.join(get_args(ComponentKind))}."
        )
    return kind


def _optional_place(message: Message) -> Place | None:
    if "place" not in message:
        return None
    ((x, y),) = _places([message["place"]], 1)
    return float(x), float(y)


def _places(places: Any, n: int) -> NDArray[np.float64]:
    if not isinstance(places, Sequence) or len(places) != n:
        raise HypergraphError(
            f"Moving {n} nodes takes {n} places, a pair of numbers each."
        )
    for place in places:
        if not isinstance(place, Sequence) or len(place) != 2:
            raise HypergraphError("A place is a pair of numbers.")
        if not all(map(_is_coordinate, place)):
            raise HypergraphError(
                f"A place lies at most {MAX_DISTANCE:g} pixels from the middle."
            )
    return np.array(places, dtype=float).reshape(n, 2)


def _is_coordinate(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= MAX_DISTANCE


def _called(drawing: Drawing, nodes: Sequence[int]) -> str:
    if len(nodes) == 1:
        return drawing.name(nodes[0])
    n_features = sum(node in drawing.columns for node in nodes)
    n_components = len(nodes) - n_features
    parts = [
        f"{n} {word}{'s' if n > 1 else ''}"
        for n, word in ((n_features, "feature"), (n_components, "component"))
        if n
    ]
    return " and ".join(parts) or "nothing"


def _sentence(done: Sequence[str]) -> str:
    text = ", ".join(done)
    return f"{text[:1].upper()}{text[1:]}"


MAX_PRICES = 12
MAX_UNIT = 20


def add_price(drawing: Drawing, name: Any, unit: Any, rule: PriceRule) -> Edit:
    """Return the drawing with another price, of which each component costs nothing.

    `name`, `unit`: as somebody typed them.
    """
    prices = drawing.hypergraph.prices
    if len(prices) >= MAX_PRICES:
        raise HypergraphError(
            f"There are {MAX_PRICES} further prices already; drop one first."
        )
    told = " ".join(str(unit or "").split())
    if len(told) > MAX_UNIT or not told.isprintable():
        raise HypergraphError(
            f"The unit {shown(told)} is unprintable or longer than {MAX_UNIT} "
            "characters; type another."
        )
    free = np.zeros(drawing.hypergraph.n_components)
    price = ComponentPrices(read_name(name), free, told, rule)
    return _repriced(drawing, (*prices, price), f"Added the price {price.name}")


def drop_price(drawing: Drawing, name: str) -> Edit:
    """Return the drawing without one of its further prices."""
    price = drawing.hypergraph.price(name)
    left = tuple(one for one in drawing.hypergraph.prices if one is not price)
    return _repriced(drawing, left, f"Dropped the price {name}")


def set_price(drawing: Drawing, name: str, component: str, typed: Any) -> Edit:
    """Return the drawing with what one component costs of a further price.

    `typed`: a number or text, in the unit of the price where it names none.
    """
    price, components = drawing.hypergraph.price(name), drawing.hypergraph.components
    if component not in components:
        raise HypergraphError(
            f"No component that is drawn is called {shown(component)}; choose one."
        )
    row = components.index(component)
    value = read_cost(typed, price.unit)
    if value == price.values[row]:
        return Edit(drawing, "")
    values = price.values.copy()
    values[row] = value
    said = f"Set {name} of {component} to {value:g} {price.unit}".rstrip()
    changed = dataclasses.replace(price, values=values)
    every = tuple(changed if one is price else one for one in drawing.hypergraph.prices)
    return _repriced(drawing, every, said, (drawing.component_ids[row],))


def _repriced(
    drawing: Drawing,
    prices: tuple[ComponentPrices, ...],
    said: str,
    focus: tuple[int, ...] = (),
) -> Edit:
    hypergraph = dataclasses.replace(drawing.hypergraph, prices=prices)
    return Edit(dataclasses.replace(drawing, hypergraph=hypergraph), said, focus)
