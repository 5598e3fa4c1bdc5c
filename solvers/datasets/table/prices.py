"""What the columns of a table cost: a hypergraph matched to them by name."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy import sparse

from ...costs.hypergraph import FeatureHypergraph
from ...costs.interchange import MAX_BYTES, Source, as_text, read_bytes, shown
from ...costs.interchange.sources import these
from ...costs.interchange.spreadsheet import parse_costs
from ...costs.prices import taken_prices
from ...errors import DataError, HypergraphError
from ...values import matched_names, same_name, unit_in
from ...values.distinct_names import own_names

Missing: TypeAlias = Literal["refuse", "free", "drop"]


@dataclass(frozen=True, eq=False)
class MatchedCosts:
    """How columns and described features were matched."""

    columns: tuple[str, ...]  # The columns to keep
    free: tuple[str, ...]  # Those of them that cost nothing
    notes: tuple[str, ...]  # What was added or dropped


def prices_given(
    hypergraph: FeatureHypergraph | None,
    costs: Mapping[str, float] | Source | None,
    unit: str | None,
    max_bytes: int = MAX_BYTES,
    decimal: str = "",
) -> tuple[FeatureHypergraph | None, str]:
    """Return the hypergraph that a caller gave, in whichever form, and a note on it.

    `unit`: of costs that name none; None where they have to. `decimal`: what parts
    decimals where a column of costs does not tell it.
    """
    if hypergraph is not None and costs is not None:
        raise HypergraphError(
            "Both a hypergraph and costs are given; give one, the hypergraph prices "
            "every column."
        )
    if hypergraph is not None and not isinstance(hypergraph, FeatureHypergraph):
        raise HypergraphError(
            f"hypergraph is a {type(hypergraph).__name__}; give a FeatureHypergraph, "
            "for instance read_hypergraph(path).hypergraph."
        )
    if hypergraph is not None:
        return hypergraph, "Costs as the given hypergraph states them."
    if costs is None:
        return None, "No costs were given: each column costs 1."
    if not isinstance(costs, Mapping):
        text = as_text(read_bytes(costs, max_bytes))
        file = parse_costs(text, decimal=decimal)
        read = file.with_unit(unit).hypergraph
        shared = read.n_components - read.n_features
        of_groups = (
            f"groups share {shared} components" if shared else "nothing is shared"
        )
        return read, f"Costs of columns as given; {of_groups}."
    note = "Costs of columns as given; nothing is shared."
    for name, cost in costs.items():
        if not isinstance(cost, Real) or isinstance(cost, bool):
            raise HypergraphError(
                f"The cost of column {shown(name)} is {shown(cost)}; give a number."
            )
    names = [str(name) for name in costs]
    prices = [float(cost) for cost in costs.values()]
    return FeatureHypergraph.independent(prices, names, unit=unit or "us"), note


def with_names_of(
    hypergraph: FeatureHypergraph, columns: Collection[str]
) -> tuple[FeatureHypergraph, tuple[str, ...]]:
    """Return prices whose features are called as the columns that are meant, and notes.

    One name may be written in two ways: ``ö`` is one sign, or two. A list of prices may
    leave out the unit that a column has in brackets, or use other capitals.
    """
    alike = matched_names(hypergraph.features, columns)
    rest = {*columns} - {*hypergraph.features} - {*alike.values()}
    meant = _meant([f for f in hypergraph.features if f not in alike], rest, columns)
    if not (alike or meant):
        return hypergraph, ()
    called = alike | meant
    features = tuple(called.get(name, name) for name in hypergraph.features)
    notes = []
    if alike:
        notes.append(
            "Priced under a name that looks the same but is written with other signs: "
            f"{these('column', list(alike.values()))}."
        )
    if meant:
        pairs = [f"{shown(column)} as {shown(name)}" for name, column in meant.items()]
        more = f" and {len(pairs) - 5} more" if len(pairs) > 5 else ""
        notes.append(f"Priced under another name: {', '.join(pairs[:5])}{more}.")
    return dataclasses.replace(hypergraph, feature_names=features), tuple(notes)


def _meant(
    names: Sequence[str], free: Collection[str], columns: Collection[str]
) -> dict[str, str]:
    """Return columns by the names that differ by capitals or a missing unit alone.

    `free`: columns that no name is equal to. Where two names or two of all columns
    could be meant, none is.
    """
    by_key: dict[str, list[str]] = {}
    for one in (*names, *columns):
        by_key.setdefault(_bare(one), []).append(one)
    known, found = {*columns}, {}
    for name in names:
        if name in known or len(by_key[_bare(name)]) != 2:
            continue
        (column,) = (one for one in by_key[_bare(name)] if one != name)
        units = {unit_in(name)[1], unit_in(column)[1]} - {""}
        if column in free and len(units) < 2:
            found[name] = column
    return found


def _bare(name: str) -> str:
    return unit_in(same_name(name))[0].casefold()


def match(
    hypergraph: FeatureHypergraph | None,
    present: Collection[str],
    usable: Sequence[str],
    free: Collection[str],
    missing: Missing,
    roles: Collection[str] = (),
) -> MatchedCosts:
    """Match described features to the columns of a table, by name.

    `missing`: what becomes of usable columns that the hypergraph does not describe.
    Unless refused, described features without a column are dropped.
    `roles`: columns that say something of the rows; their prices are not used.
    """
    if missing not in get_args(Missing):
        raise DataError(f'missing is {shown(missing)}; use "refuse", "free" or "drop".')
    named_free = tuple(name for name in usable if name in free)
    if hypergraph is None:
        return MatchedCosts(tuple(usable), named_free, ())
    described = set(hypergraph.features)
    unpriced = [n for n in usable if n not in described and n not in free]
    absent = [name for name in hypergraph.features if name not in present]
    aside = [name for name in absent if name in roles]
    absent = [name for name in absent if name not in roles]
    if missing == "refuse" and (unpriced or absent):
        raise DataError(_disagreement(unpriced, absent))
    notes = []
    if aside:
        notes.append(f"Not used, as no feature: the price of {these('column', aside)}.")
    if absent:
        notes.append(
            f"The table has no column for {these('feature', absent)}: left out."
        )
    if unpriced and missing == "drop":
        notes.append(f"No cost is known of {these('column', unpriced)}: left out.")
        return MatchedCosts(
            tuple(n for n in usable if n not in set(unpriced)), named_free, tuple(notes)
        )
    if unpriced:
        notes.append(f"No cost is known of {these('column', unpriced)}: taken as 0.")
    return MatchedCosts(tuple(usable), (*named_free, *unpriced), tuple(notes))


def price_columns(
    hypergraph: FeatureHypergraph | None, columns: Sequence[str], free: Collection[str]
) -> FeatureHypergraph:
    """Return a hypergraph of just these columns.

    Its features in the order of `hypergraph`, then the free ones.
    `hypergraph`: what columns cost; None prices each at 1, in the unit "features".
    """
    free_columns = [name for name in columns if name in free]
    paid = set(columns).difference(free_columns)
    if hypergraph is None:
        paid_columns = [name for name in columns if name in paid]
        ones = np.ones(len(paid_columns))
        priced = FeatureHypergraph.independent(ones, paid_columns, unit="features")
    else:
        mask = np.array([name in paid for name in hypergraph.features], dtype=bool)
        priced = hypergraph.restrict(mask)
    if not free_columns:
        return priced
    own = own_names(free_columns, priced.components)
    nothing = sparse.eye_array(len(free_columns), dtype=bool, format="csr")
    return FeatureHypergraph(
        sparse.block_diag([priced.incidence, nothing], format="csr"),
        np.append(priced.component_costs, np.zeros(len(own))),
        (*priced.features, *free_columns),
        (*priced.components, *own),
        (*priced.kinds, *(["utilisation"] * len(own))),  # type: ignore[arg-type]
        unit=priced.unit,
        prices=taken_prices(
            priced.prices, range(priced.n_components), len(free_columns)
        ),
        charged=priced.charged,
    )


def _disagreement(unpriced: Sequence[str], absent: Sequence[str]) -> str:
    parts = []
    if unpriced:
        parts.append(f"no cost is known of {these('column', unpriced)}")
    if absent:
        parts.append(f"the table has no column for {these('feature', absent)}")
    near = _near(unpriced, absent)
    hint = f" (is {near} meant?)" if near else ""
    text = " and ".join(parts)
    return (
        f"{text[0].upper()}{text[1:]}{hint}; make the names agree, or choose "
        'missing="free" (--unpriced free) to add such columns at no cost or '
        'missing="drop" (--unpriced drop) to leave them out.'
    )


def _near(unpriced: Sequence[str], absent: Sequence[str]) -> str:
    """Return a pair of names that are spelled nearly alike, for a hint."""
    for name in absent[:20]:
        close = difflib.get_close_matches(name, unpriced[:1000], n=1, cutoff=0.8)
        if close:
            return f"{shown(close[0])} as {shown(name)}"
    return ""
