"""Data sets under limits on further prices, or charged by another of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from ..costs.budgets import room_of
from ..errors import DataError, listed, shown
from .base import Dataset


def charging(dataset: Dataset, name: str) -> Dataset:
    """Return a data set that charges another of its prices.

    Parameters
    ----------
    dataset : Dataset
        Whose hypergraph has the price.
    name : str
        Of the price, as for ``FeatureHypergraph.charging``.

    Returns
    -------
    Dataset

    Raises
    ------
    HypergraphError
        If there is no such price, or it does not add up.
    """
    hypergraph = dataset.hypergraph.charging(name)
    if hypergraph is dataset.hypergraph:
        return dataset
    return dataclasses.replace(dataset, hypergraph=hypergraph)


def within_limits(dataset: Dataset, limits: Mapping[str, float]) -> Dataset:
    """Return a data set without the features that no limit lets anybody buy.

    A feature that exceeds a limit by itself is in no selection within it. What several
    features cost together, a ``Frontier`` with the same limits holds against them.

    Parameters
    ----------
    dataset : Dataset
        Whose hypergraph has the prices.
    limits : mapping of str to float
        The most that may be paid, by the name of a further price.

    Returns
    -------
    Dataset
        Itself where nothing is left out; its notes say what is.

    Raises
    ------
    HypergraphError
        If there is no such price.
    DataError
        If a limit is negative or no number, or no feature stays within all of them.
    """
    hypergraph = dataset.hypergraph
    kept = np.ones(hypergraph.n_features, dtype=bool)
    notes = []
    for name, limit in limits.items():
        price = hypergraph.price(name)
        if not limit >= 0:
            raise DataError(
                f"The limit on {shown(name)} is {limit:g}; give a number, 0 or more."
            )
        beyond = price.of_features(hypergraph.incidence) > room_of(limit)
        if beyond.any():
            names = [hypergraph.features[j] for j in np.flatnonzero(beyond)]
            notes.append(
                f"Left out, as {name} above {limit:g} {price.unit}: {listed(names)}."
            )
        kept &= ~beyond
    if kept.all():
        return dataset
    if not kept.any():
        raise DataError(
            f"No feature stays within {_told(limits)}; raise a limit, or drop it."
        )
    columns = np.flatnonzero(kept).tolist()
    return dataclasses.replace(
        dataset,
        X=dataset.X[:, columns],
        hypergraph=hypergraph.restrict(columns),
        schema=dataset.schema and dataset.schema.take(columns),
        notes=(*dataset.notes, *notes),
    )


def _told(limits: Mapping[str, float]) -> str:
    return " and ".join(f"{name} {limit:g}" for name, limit in limits.items())
