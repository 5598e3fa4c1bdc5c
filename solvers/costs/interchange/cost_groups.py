"""Costs of features of which the first of a group pays more than each further one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from ...errors import InterchangeError
from ..hypergraph import FeatureHypergraph
from .sources import shown

_CENT = 5e-3  # prices are printed in cents, or finer


def group_places(
    header: Sequence[str], others: Sequence[int] = ()
) -> tuple[int, int] | None:
    """Return the columns of the group and of the discounted cost; None without them.

    `others`: columns that are known otherwise.
    """
    given = [cell.strip().lower() for cell in header]
    discounts = [j for j, cell in enumerate(given) if cell.startswith("discount_cost")]
    if "group" not in given or not discounts:
        if len(header) - len(others) > 2:
            raise InterchangeError(
                f"The table of costs has {len(header)} columns; write feature and cost "
                "in two columns, or feature, cost, group and discount_cost."
            )
        return None
    units = [
        given[j].rpartition("cost")[2].lstrip("_").partition(":")[0]
        for j in (1, discounts[0])
    ]
    if units[1] and units[0] != units[1]:
        raise InterchangeError(
            f"The costs are in {shown(units[0])}, but the discounted ones in "
            f"{shown(units[1])}; give both in one unit."
        )
    return given.index("group"), discounts[0]


def grouped_costs(
    names: Sequence[str],
    costs: Sequence[float],
    groups: Sequence[str],
    discounted: Sequence[float],
    unit: str,
) -> FeatureHypergraph:
    """Return features that share what their group's discount saves.

    A feature of no group has the group "".
    """
    common: dict[str, float] = {}
    for name, cost, group, rest in zip(names, costs, groups, discounted, strict=True):
        if not group:
            continue
        saved = cost - rest
        if saved < -_CENT:
            raise InterchangeError(
                f"Feature {shown(name)} costs {cost:g}, but {rest:g} with a discount; "
                "give a discounted cost that is not higher."
            )
        first = common.setdefault(group, saved)
        if not math.isclose(first, saved, abs_tol=_CENT):
            raise InterchangeError(
                f"Feature {shown(name)} saves {saved:g} in group {shown(group)}, where "
                f"another saves {first:g}; all of a group share one cost, so give "
                "equal discounts, or write the shared parts as an incidence table."
            )
    own = [
        rest if group else cost
        for cost, group, rest in zip(costs, groups, discounted, strict=True)
    ]
    members = np.array([[group == one for group in groups] for one in common])
    shared = members.reshape(len(common), len(names))
    labels = [f"{group} (shared)" if group in names else group for group in common]
    return FeatureHypergraph(
        sparse.vstack(
            [sparse.csr_array(shared), sparse.eye_array(len(names), dtype=bool)],
            format="csr",
        ),
        # Prices are decimal: what they differ by is not written in binary.
        np.array([*(round(max(cost, 0.0), 9) for cost in common.values()), *own]),
        tuple(names),
        (*labels, *names),
        unit=unit,
    )
