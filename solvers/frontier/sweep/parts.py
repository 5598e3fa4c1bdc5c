"""Results of a sweep on disk: one Parquet file a finished task.

A file appears whole or not at all, so a sweep that was interrupted goes on where it
stopped, and readers never see half a frontier.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from ...decisions.scores import SCORES
from ...errors import InterchangeError, ThriftscopeError, reason_of, shown
from ..frontier import FrontierPoint
from .tasks import SweepPoint, SweepTask

if TYPE_CHECKING:
    import pyarrow as pa

_DIGEST = b"thriftscope.digest"
_ACCOUNTS = ("mean", "p95", "max")
_METRICS = ("f1", "precision", "recall", "accuracy")
# Of files written before these were known, and of more classes than two, some lack.
_MORE_METRICS = SCORES[len(_METRICS) :]
_PARTS = ("validation", "test")
# Columns that are called by a group and a name.
_GROUPED = (
    *product(("cost", "validation_cost"), _ACCOUNTS),
    *product(_PARTS, (*_METRICS, *_MORE_METRICS)),
)
_DECIDING = ("one_row", "batch_row")
# What is raised where other values stand in a record than are written.
_NO_POINTS = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
_FACTS = ("n_features", "n_components", "threshold", "seconds")
_DESCRIBED = ("dataset", "method", "seed", "fold", "number", "full_cost", "unit")


def part_path(folder: Path, task: SweepTask) -> Path:
    """Return where the points of a task are kept."""
    dataset, method, seed, fold = task.key
    tested = "" if fold < 0 else f"--fold{fold}of{task.n_folds}"
    name = f"{_quoted(dataset)}--{_quoted(method)}--seed{seed}{tested}"
    return folder / f"{name}.parquet"


def _quoted(name: str) -> str:
    """Return a name for a file's: no hyphen of it makes or joins the two that part."""
    return re.sub("--|^-|-$", lambda met: "%2D" * len(met[0]), quote(name, safe=""))


def write_part(path: Path, points: Sequence[SweepPoint], digest: str) -> None:
    """Write the points of a finished task; the file appears whole or not at all."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = _schema().with_metadata({_DIGEST: digest.encode()})
    table = pa.Table.from_pylist([_record(point) for point in points], schema)
    growing = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with growing.open("wb") as file:
            parquet.write_table(table, file)
            file.flush()
            os.fsync(file.fileno())
        growing.replace(path)
    except OSError as error:
        raise ThriftscopeError(
            f"{shown(str(path))} cannot be written ({reason_of(error)}); what the "
            "sweep has finished before is kept: make room, and run again."
        ) from error
    finally:
        growing.unlink(missing_ok=True)


def read_part(path: Path) -> list[SweepPoint]:
    """Return the points that a file keeps."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(path).read(use_threads=False)
        return [_point(record) for record in table.to_pylist()]
    except (pa.ArrowException, OSError, *_NO_POINTS) as error:
        raise InterchangeError(
            f"{shown(path.name)} holds no points of a sweep ({shown(str(error))}); "
            "remove it, and the sweep computes them again."
        ) from error


def stored_digest(path: Path) -> str | None:
    """Return the fingerprint of the task whose points a file keeps.

    None where there is no file.
    """
    import pyarrow as pa
    from pyarrow import parquet

    if not path.exists():
        return None
    try:
        metadata = parquet.read_schema(path).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise InterchangeError(
            f"{shown(path.name)} is no Parquet file, or a part of one; remove it, "
            "and the sweep computes it again."
        ) from error
    return metadata.get(_DIGEST, b"").decode(errors="replace")


def read_sweep(folder: str | Path) -> list[SweepPoint]:
    """Return all points that sweeps have written to a folder so far.

    Parameters
    ----------
    folder : str or Path
        What was given as `out`.

    Returns
    -------
    list of SweepPoint
        By data set, seed, fold, method and place on the path.

    Raises
    ------
    InterchangeError
        If there is no such folder, or a file in it is none of a sweep.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise InterchangeError(
            f"There is no folder {shown(str(folder))}; name the one a sweep wrote to."
        )
    points = [
        point
        for path in sorted(folder.glob("[!.]*.parquet"))
        for point in read_part(path)
    ]
    return sorted(points, key=_place)


def _place(point: SweepPoint) -> tuple[str, int, int, str, int]:
    fold = -1 if point.fold is None else point.fold
    return point.dataset, point.seed, fold, point.method, point.number


def _schema() -> pa.Schema:
    import pyarrow as pa

    number, whole, text = pa.float64(), pa.int64(), pa.string()
    kinds = {"dataset": text, "method": text, "seed": whole, "fold": whole}
    kinds |= {"number": whole, "full_cost": number, "unit": text, "params": text}
    kinds |= {"features": pa.list_(pa.bool_()), "n_features": whole}
    kinds |= {"n_components": whole, "threshold": number, "seconds": number}
    kinds |= {f"{group}_{name}": number for group, name in _GROUPED}
    kinds |= {f"{part}_floor": number for part in _PARTS}
    kinds |= {f"decision_seconds_{name}": number for name in _DECIDING}
    kinds |= {"prices": text}
    return pa.schema(kinds)


def _record(swept: SweepPoint) -> dict[str, Any]:
    point = swept.point
    numbers = {"cost": point.cost, "validation_cost": point.validation_cost or {}}
    numbers |= point.scores
    deciding = point.decision_seconds or {}
    return {
        **{name: getattr(swept, name) for name in _DESCRIBED},
        "params": json.dumps(dict(point.params), sort_keys=True),
        "features": point.features.tolist(),
        **{name: getattr(point, name) for name in _FACTS},
        **{f"{group}_{name}": numbers[group].get(name) for group, name in _GROUPED},
        **{f"{part}_floor": swept.floor[part] for part in _PARTS},
        **{f"decision_seconds_{name}": deciding.get(name) for name in _DECIDING},
        "prices": _paid(point),
    }


def _paid(point: FrontierPoint) -> str | None:
    """Return what is paid of every further price as JSON; None where there is none."""
    if not point.prices:
        return None
    return json.dumps({"test": point.prices, "validation": point.validation_prices})


def _point(record: dict[str, Any]) -> SweepPoint:
    validation = {name: record[f"validation_cost_{name}"] for name in _ACCOUNTS}
    # Files written before deciding was timed, or prices were kept, lack their columns.
    deciding: dict[str, Any] = {
        name: record.get(f"decision_seconds_{name}") for name in _DECIDING
    }
    paid = json.loads(record.get("prices") or "{}")
    point = FrontierPoint(
        method=record["method"],
        params=json.loads(record["params"]),
        features=np.array([*record["features"]], dtype=bool),
        cost={name: record[f"cost_{name}"] for name in _ACCOUNTS},
        scores={
            part: {
                **{name: record[f"{part}_{name}"] for name in _METRICS},
                **{
                    name: record[f"{part}_{name}"]
                    for name in _MORE_METRICS
                    if record.get(f"{part}_{name}") is not None
                },
            }
            for part in _PARTS
        },
        validation_cost=None if None in validation.values() else validation,
        decision_seconds=None if None in deciding.values() else deciding,
        prices=paid.get("test", {}),
        validation_prices=paid.get("validation", {}),
        **{name: record[name] for name in _FACTS},
    )
    floor = {part: record[f"{part}_floor"] for part in _PARTS}
    described = {name: record[name] for name in _DESCRIBED}
    return SweepPoint(point=point, floor=floor, **described)
