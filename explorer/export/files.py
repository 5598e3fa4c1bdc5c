"""What a person takes away: selection, frontier, estimator, hypergraph, script."""

from __future__ import annotations

import importlib
import inspect
import io
import json
import math
import re
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from solvers import Dataset, Frontier, FrontierPoint, ThriftscopeError, to_hif
from solvers.checks import versions
from solvers.costs.interchange import guarded, hif_text, shown
from solvers.errors import InterchangeError, listed
from solvers.frontier.evaluation import classifier_of

MAX_UNPACKED = 2**29  # bytes of a model, unpacked

# The containers of a hypergraph: skops reads them without pickle, but trusts no type
# of scipy's unasked. Whole packages are not trusted: they hold functions that write.
_CONTAINERS = ("scipy.sparse._csr.csr_array", "scipy.sparse._csc.csc_array")

_TYPE = re.compile(r"[\w.]{1,120}", re.ASCII)

# What reading a file of models can end in when its bytes are not what they should be.
_BROKEN = (
    ArithmeticError,
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


def _skops() -> Any:
    """Return what reads and writes models: 20 MB that only those need who do."""
    from skops import io as skops_io

    return skops_io


def _priced_mistakes(point: FrontierPoint) -> dict[str, Any]:
    """Return what mistakes cost, [true, answered], where they have prices."""
    known = point.mistake_costs
    if known is None:
        return {}
    classes = [str(name) for name in known.classes or ()]
    return {"mistakes": {"classes": classes, "costs": known.costs.tolist()}}


def selection_json(
    point: FrontierPoint, dataset: Dataset, worth: Sequence[str] = ()
) -> str:
    """Return what a point computes, what that costs and what it is worth, as JSON.

    Parameters
    ----------
    point : FrontierPoint
        The chosen point.
    dataset : Dataset
        What it was fitted on.
    worth : sequence of str, optional
        What an exported file says of the model's cost, score and data.

    Returns
    -------
    str
        Features and components by name, costs with their unit for every accounting,
        the threshold and the label it is for, scores by split, versions.
    """
    hypergraph = dataset.hypergraph
    needed = np.flatnonzero(hypergraph.required_components(point.features))
    chosen = {
        "data": dataset.name,
        "method": point.method,
        "params": dict(point.params),
        "features": [hypergraph.features[j] for j in np.flatnonzero(point.features)],
        "components": [
            {
                "name": hypergraph.components[i],
                "kind": hypergraph.kinds[i],
                "cost": hypergraph.component_costs[i],
            }
            for i in needed
        ],
        "cost": {
            "unit": hypergraph.unit,
            "test": dict(point.cost),
            "validation": point.validation_cost and dict(point.validation_cost),
            "all_features": hypergraph.total_cost,
        },
        "threshold": point.threshold,
        "positive": dataset.positive,
        **_priced_mistakes(point),
        "scores": {split: dict(scores) for split, scores in point.scores.items()},
        "training_seconds": point.seconds,
        **_sampled(point),
        "costs_note": dataset.costs_note,
        "notes": list(dataset.notes),
        "worth": list(worth),
        "versions": versions(),
    }
    return json.dumps(_plain(chosen), indent=2, ensure_ascii=False, allow_nan=False)


def _sampled(point: FrontierPoint) -> dict[str, dict[str, int]]:
    """Return from how many of the training rows a model has learned, if not all."""
    sampled = getattr(point.model, "sampled_rows_", None)
    if sampled is None:
        return {}
    return {"learned_from": {"rows": int(sampled[0]), "of": int(sampled[1])}}


def frontier_csv(frontier: Frontier) -> str:
    """Return the points of a frontier as CSV, one row a point.

    Parameters
    ----------
    frontier : Frontier
        The points.

    Returns
    -------
    str
        The columns of :meth:`Frontier.to_frame`, and whether another point beats this
        one on validation in both cost and score.
    """
    table = frontier.to_frame()
    best = {id(point) for point in frontier.undominated()}
    table["undominated"] = [id(point) in best for point in frontier]
    table = table.rename(columns=guarded).map(guarded)
    return table.to_csv(index=False, lineterminator="\n")


def hypergraph_hif(dataset: Dataset) -> str:
    """Return the hypergraph of a data set as HIF JSON.

    Parameters
    ----------
    dataset : Dataset
        Whose hypergraph.

    Returns
    -------
    str
    """
    return hif_text(to_hif(dataset.hypergraph))


def estimator_skops(point: FrontierPoint, dataset: Dataset) -> bytes:
    """Return the fitted model of a point, its threshold included, for skops.

    Parameters
    ----------
    point : FrontierPoint
        With its model.
    dataset : Dataset
        What it was fitted on.

    Returns
    -------
    bytes
        Of a scikit-learn classifier that predicts the labels of the data set; the
        model alone where there are more than two, and so no threshold was tuned. A
        ``Pipeline`` that takes raw rows where columns are encoded.

    Raises
    ------
    ThriftscopeError
        If the point has no model, or one that skops cannot write.

    Notes
    -----
    Rows at the threshold are called positive, as when the threshold was tuned.
    """
    if point.model is None:
        raise ThriftscopeError(
            f"The point of {point.method} comes without its model; trace the frontier "
            "again to have it."
        )
    try:
        return _skops().dumps(
            answering(point, dataset), compression=zipfile.ZIP_DEFLATED
        )
    except TypeError as error:  # skops has a type that it cannot write
        raise ThriftscopeError(
            f"The model of {point.method} cannot be saved ({shown(str(error))}); take "
            "the script instead, which fits it anew."
        ) from error


def answering(point: FrontierPoint, dataset: Dataset) -> Any:
    """Return what answers rows as the table has them.

    The model with its threshold, behind the encoder where there is one.
    """
    classifier = classifier_of(point, dataset)
    if point.encoder is None:
        return classifier
    return Pipeline([("columns", point.encoder), ("classifier", classifier)])


def load_estimator(data: bytes, *, trusted: Collection[str] = ()) -> Any:
    """Load a classifier that :func:`estimator_skops` saved.

    No pickle is read. Only types that skops trusts (of numpy, scipy and scikit-learn)
    and classes of this package are built. skops does not trust scikit-learn's trees,
    since a forged one can crash the process: name them in `trusted` for your own files.

    Parameters
    ----------
    data : bytes
        What was saved.
    trusted : collection of str, default=()
        Further types to build, by full name; give those of your own methods.

    Returns
    -------
    estimator
        With ``predict``.

    Raises
    ------
    InterchangeError
        If the bytes are broken or unpack to too much, hold a type that is not
        trusted, or no classifier.
    """
    try:
        _refuse_bombs(data)
        reader = _skops()
        named = reader.get_untrusted_types(data=data)
        strange = [name for name in named if name not in trusted and not _is_ours(name)]
        if strange:
            raise InterchangeError(
                f"The file holds objects of types that are not trusted "
                f"({_typeable(strange)}); if it is your own, load it with "
                "trusted=[...] (--trusted with commas)."
            )
        model = reader.loads(data, trusted=named)
    except InterchangeError:
        raise
    except _BROKEN as error:
        raise InterchangeError(
            f"The file is no saved model, or only a part of one "
            f"({shown(str(error))}); save it again."
        ) from error
    if not hasattr(model, "predict"):
        raise InterchangeError(
            f"The file holds a {type(model).__name__}, which predicts nothing; give a "
            "saved classifier."
        )
    return model


def _typeable(names: Sequence[str]) -> str:
    """Return names of types as a message shows them, whole where they may be copied."""
    return listed(names, 10, lambda n: repr(n) if _TYPE.fullmatch(n) else shown(n))


def _refuse_bombs(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > MAX_UNPACKED:
        raise InterchangeError(
            f"The file unpacks to {unpacked:,} bytes; at most {MAX_UNPACKED:,} "
            "are read."
        )


def _is_ours(name: str) -> bool:
    """Whether a name is that of a class that this package defines or holds data in.

    Functions are not: skops would call one that a file names as a constructor.
    """
    module_name, _, class_name = name.rpartition(".")
    if name in _CONTAINERS:
        return True
    if not module_name.startswith("solvers."):
        return False
    try:
        found = getattr(importlib.import_module(module_name), class_name, None)
    except ImportError:
        return False
    return inspect.isclass(found) and found.__module__.startswith("solvers.")


def _plain(value: Any) -> Any:
    """Return a value in the types of JSON; infinities and NaN as text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | None) else str(value)
