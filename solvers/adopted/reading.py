"""What somebody has as a fitted model: an estimator, a booster, or a saved file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..costs.interchange import read_bytes
from ..costs.interchange.sources import refuse_no_text
from ..errors import DataError, DeployError, InterchangeError, shown
from .fitted import FittedModel
from .lightgbm_text import read_lightgbm, read_text
from .pipelines import read_pipeline
from .scikit import read_scikit
from .xgboost_json import read_json, read_xgboost

# A text may be large: a number has twenty signs, a tree hundreds of numbers.
_MOST_BYTES = 512 * 2**20


def read_model(
    model: Any,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | None = None,
) -> FittedModel:
    """Return what is read of a model, or refuse it by name.

    `model`: an estimator or booster, or the path or content of a file. `feature_names`,
    `classes`: in the order of the model, where it does not know them.
    """
    if isinstance(model, FittedModel):
        fitted = model
    elif isinstance(model, str | os.PathLike | bytes):
        fitted = _read_file(model)
    else:
        readers = (_read_pipeline, read_scikit, read_lightgbm, read_xgboost)
        found = [known for read in readers if (known := read(model)) is not None]
        if not found:
            raise DeployError(
                f"A {type(model).__name__} cannot be adopted; give a fitted tree, "
                "forest, gradient boosting or linear classifier of scikit-learn, or a "
                "model of LightGBM or XGBoost."
            )
        fitted = found[0]
    if classes is not None:
        labels = np.asarray(classes).tolist()
        _refuse_other_number("classes", labels, len(fitted.classes))
        fitted = replace(fitted, classes=tuple(labels))
    if feature_names is not None:
        _refuse_other_number("feature_names", feature_names, fitted.n_features)
        fitted = replace(fitted, feature_names=tuple(map(str, feature_names)))
    return fitted


def _read_pipeline(model: Any) -> FittedModel | None:
    return read_pipeline(model, read_model)


def _refuse_other_number(what: str, given: Sequence[Any], n_known: int) -> None:
    if len(given) != n_known:
        raise DataError(
            f"{what} has {len(given)} names, and the model knows {n_known}; name each "
            "of them once."
        )


def _read_file(source: str | os.PathLike[str] | bytes) -> FittedModel:
    content = read_bytes(source, _MOST_BYTES)
    if content.startswith(b"tree\n"):
        return read_text(content.decode("utf-8", "replace"))
    if content.lstrip().startswith(b"{"):
        return read_json(content.decode("utf-8", "replace"))
    if not content:
        refuse_no_text(content)
    raise InterchangeError(
        f"A file that begins with {shown(content[:12])} is neither a LightGBM text nor "
        "an XGBoost JSON; save the model by its save_model(), as .txt or .json. A "
        "pickle is not opened: it can run any code."
    )
