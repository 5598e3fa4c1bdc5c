"""The chosen model as what runs elsewhere: a Python file, C99, an offline page."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Literal, TypeAlias

import numpy as np
from cachetools import FIFOCache
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import confusion_matrix

from solvers import Dataset, FeaturePipeline, FrontierPoint
from solvers.checks import versions
from solvers.deploy import (
    CFootprint,
    c_readme,
    measure_c,
    sample_features,
    to_c,
    to_html,
    to_python,
)
from solvers.errors import DeployError
from solvers.features.tracing import TracedExtractor
from solvers.frontier import total_cost
from solvers.frontier.evaluation import Split, classifier_of
from solvers.values.rounding import fixed

from ..widgets.text import cost_text, unit_text
from .files import answering

DeployForm: TypeAlias = Literal["python", "c", "html"]
_RESAMPLES = 2000
# No date of today: what is in an archive tells of its files alone.
_WRITTEN_ON = (2000, 1, 1, 0, 0, 0)
_OUTER = (0.025, 0.975)
# What was measured of exported C, for whoever takes the same C away later.
_footprints: FIFOCache[str, CFootprint] = FIFOCache(256)
_lock = Lock()


def point_files(point: FrontierPoint, split: Split, form: DeployForm) -> dict[str, str]:
    """Return the files of a point's model, with what it costs and is worth."""
    data = split.dataset
    estimator, notes = answering(point, data), worth_notes(point, split)
    if form == "python" and data.pipeline is not None:
        try:
            return {"policy.py": to_python(estimator, notes, data.pipeline)}
        except DeployError as error:
            # The model itself may leave without what computes its features.
            notes.append(f"decide_raw is not here: {error}")
    return deployed_files(estimator, form, notes, data.name)


def deployed_files(
    estimator: Any,
    form: DeployForm,
    notes: Sequence[str],
    name: str,
    *,
    is_measured: bool = False,
    rows: NDArray[np.float64] | None = None,
    pipeline: FeaturePipeline | TracedExtractor | None = None,
) -> dict[str, str]:
    """Return the files of one form, by their names.

    `is_measured`: whether C is compiled to see what it takes.
    `rows`: what instructions are counted on, as the policy asks for them.
    `pipeline`: what computes the features; a Python file takes it along.
    """
    if form == "python":
        return {"policy.py": to_python(estimator, notes, pipeline)}
    if form == "html":
        return {"policy.html": to_html(estimator, f"{name}: one test at a time", notes)}
    texts = to_c(estimator, notes=notes)
    # Compilers are not run for a download, which would have to wait: what was measured
    # before, on the page, goes along.
    taken = measure_c(texts, rows) if is_measured else known_footprint(texts)
    return {**texts, **sample_features(), "README.md": c_readme(texts, taken)}


def remember_footprint(texts: Mapping[str, str], taken: CFootprint) -> None:
    """Keep what was measured of C; the oldest measurement makes room."""
    with _lock:
        _footprints[_source_key(texts)] = taken


def known_footprint(texts: Mapping[str, str]) -> CFootprint:
    """Return what was measured of C; nothing is known of other C."""
    with _lock:
        return _footprints.get(_source_key(texts), CFootprint())


def _source_key(texts: Mapping[str, str]) -> str:
    """Return what tells sources apart; notes in a header change nothing."""
    source = min(name for name in texts if name.endswith(".c"))
    return hashlib.sha256(texts[source].encode()).hexdigest()


def worth_notes(point: FrontierPoint, split: Split) -> list[str]:
    """Return what a model's file says of its cost, its score, its data and versions."""
    data, rows = split.dataset, split.rows["test"]
    low, high = _f1_interval(point, split)
    costs = [
        f"{cost_text(point.cost[key], data.unit)} {said}"
        for key, said in (("mean", "in the mean"), ("max", "at most"))
    ]
    return [
        f"Data: {data.name}; fingerprint {fingerprint(data)}.",
        f"F1 on {len(rows)} test rows: {fixed(point.scores['test']['f1'], 3)}; of such "
        f"samples 95 % lie between {fixed(low, 3)} and {fixed(high, 3)} (multinomial "
        "bootstrap).",
        f"Cost on test rows: {', '.join(costs)}.",
        *_mistakes_told(point, data.unit),
        *split.notes,
        f"Thriftscope {versions()['thriftscope']}.",
    ]


def _mistakes_told(point: FrontierPoint, unit: str) -> list[str]:
    """Return what mistakes cost, and what they cost together with tests."""
    if point.mistake_costs is None:
        return []
    said = point.mistake_costs.told(unit_text(unit))
    total = cost_text(total_cost(point), unit)
    return [
        f"Mistakes: {said}; tests and mistakes together cost {total} a test row in the "
        "mean."
    ]


def fingerprint(data: Dataset) -> str:
    """Return what tells a table from others: 16 digits of its SHA-256."""
    X = data.X
    stored = (X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,)
    told = hashlib.sha256()
    for values in stored:
        told.update(np.ascontiguousarray(values).tobytes())
    told.update("\x1f".join(map(str, [*data.feature_names, *data.y])).encode())
    return told.hexdigest()[:16]


def _f1_interval(point: FrontierPoint, split: Split) -> tuple[float, float]:
    """Return between which F1 lies 95 times of 100, if test rows are drawn again.

    To draw rows with replacement is to draw the cells of the confusion matrix.
    """
    model = classifier_of(point, split.dataset)
    classes = point.model.classes_
    cells = confusion_matrix(
        split.y("test"), model.predict(split.X("test")), labels=classes
    )
    drawn = np.random.default_rng(0).multinomial(
        cells.sum(), cells.ravel() / cells.sum(), _RESAMPLES
    )
    scores = _f1(drawn.reshape(-1, *cells.shape))
    positive = split.dataset.positive
    if positive is not None and len(classes) == 2:
        scores = scores[:, classes == positive]
    low, high = np.quantile(scores.mean(axis=1), _OUTER)
    return float(low), float(high)


def _f1(cells: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return the F1 of each class.

    Shapes: `cells` (n, n_classes, n_classes) -> (n, n_classes).
    """
    right = np.diagonal(cells, axis1=1, axis2=2)
    told = cells.sum(axis=1) + cells.sum(axis=2)
    return 2.0 * right / np.maximum(told, 1)


def as_download(files: Mapping[str, str], form: DeployForm) -> str | bytes:
    """Return the one file of a form, or those of C as an archive."""
    return zipped(files) if form == "c" else next(iter(files.values()))


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return files as an archive that is the same for the same files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _WRITTEN_ON), content)
    return written.getvalue()
