"""What a notebook opens the app with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvers import Dataset
from solvers.datasets import from_frame
from solvers.errors import DataError, listed

from .own_files import refuse_unlearnable
from .state import SessionState


def opened_with(
    data: Any,
    target: str | None,
    session: SessionState | None,
    options: Mapping[str, Any],
) -> SessionState:
    """Return a session whose data set is a frame, or a data set that was given.

    `target`: the label column of a frame; `options`: for ``from_frame``.
    """
    if session is not None:
        raise DataError("Both data and a session are given; give one of them.")
    is_dataset = isinstance(data, Dataset)
    if is_dataset and (target is not None or options):
        told = [*(["target"] if target is not None else []), *options]
        raise DataError(
            f"A data set knows its labels and prices; leave out {listed(told)}."
        )
    if data is None or (not is_dataset and target is None):
        absent = "a DataFrame" if data is None else "the label column as target"
        raise DataError(f"The app opens a table by data and target; give {absent}.")
    dataset = data if is_dataset else from_frame(data, str(target), **options)
    refuse_unlearnable(dataset)
    return SessionState(dataset=dataset)
