"""scikit-learn: each step of a fitted transformer is a component."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import FeatureUnion, Pipeline

from ....errors import PipelineError, shown
from ...pipeline import FeaturePipeline
from ...steps import Step

INPUT = "row"


def sklearn_pipeline(transformer: Any, row: Any) -> FeaturePipeline:
    """Return a fitted transformer as a pipeline whose components are its steps.

    Parameters
    ----------
    transformer : fitted Pipeline, FeatureUnion, ColumnTransformer or other transformer
        Nested as one likes. A predictor at the end of a pipeline is left out.
    row : array_like of shape (n_columns,), mapping or DataFrame of one row
        A raw sample, to learn how many columns each step gives.

    Returns
    -------
    FeaturePipeline
        Its features are the columns of ``transformer.transform`` of one row, to the
        last bit, under the same names.

    Raises
    ------
    PipelineError
        If something cannot transform, or is not fitted.
    """
    taken = _Taken()
    known = tuple(getattr(transformer, "feature_names_in_", ()))
    source = taken.add("table", partial(_as_table, known), INPUT)
    blocks = taken.blocks(transformer, source, "")
    if not blocks:
        raise PipelineError(
            f"{type(transformer).__name__} gives no columns; give one that transforms."
        )
    return _pipeline(taken.steps, blocks, _names(transformer), row)


def _pipeline(
    steps: list[Step], blocks: list[str], names: list[str], row: Any
) -> FeaturePipeline:
    computed = _run(steps, row)
    columns = [(b, j) for b in blocks for j in range(computed[b].shape[1])]
    known = {step.name for step in steps} | {INPUT}
    if len(names) != len(columns) or known & set(names) or len(set(names)) < len(names):
        names = [f"{block}[{j}]" for block, j in columns]
    features = [
        Step(name, partial(_number, j), (block,))
        for name, (block, j) in zip(names, columns, strict=True)
    ]
    return FeaturePipeline([*steps, *features], inputs=[INPUT], features=names)


def _run(steps: list[Step], row: Any) -> dict[str, Any]:
    """Return what each step gives on a row."""
    values = {INPUT: row}
    for step in steps:
        try:
            values[step.name] = step.function(*(values[n] for n in step.arguments))
        except Exception as error:
            raise PipelineError(
                f"Step {shown(step.name)} fails on the row with "
                f"{type(error).__name__}: {error}; fit it, and give a row like those "
                "that it was fitted on."
            ) from error
    return values


def _names(transformer: Any) -> list[str]:
    """Return the names that scikit-learn gives to the columns; none if it cannot."""
    if isinstance(transformer, Pipeline) and not hasattr(transformer, "transform"):
        transformer = transformer[:-1]
    try:
        return [str(name) for name in transformer.get_feature_names_out()]
    except (AttributeError, ValueError, TypeError):
        return []


class _Taken:
    """Steps that were taken out of transformers, each after what it needs."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, name: str, function: Callable[..., Any], *needs: str) -> str:
        """Add a step; return its name, with a number if that is taken."""
        taken = {step.name for step in self.steps} | {INPUT}
        free, number = name, 2
        while free in taken:
            free, number = f"{name} {number}", number + 1
        self.steps.append(Step(free, function, needs))
        return free

    def blocks(self, made: Any, source: str, path: str) -> list[str]:
        """Add the steps of a transformer; return those that give its columns."""
        if made is None or made == "passthrough":
            return [source]
        if made == "drop":
            return []
        if isinstance(made, Pipeline):
            return self._of_pipeline(made, source, path)
        if isinstance(made, FeatureUnion):
            return self._of_union(made, source, path)
        if isinstance(made, ColumnTransformer):
            return self._of_columns(made, source, path)
        if not hasattr(made, "transform"):
            raise PipelineError(
                f"{type(made).__name__} cannot transform; give a transformer."
            )
        return [
            self.add(path or type(made).__name__, partial(_transformed, made), source)
        ]

    def _of_pipeline(self, made: Pipeline, source: str, path: str) -> list[str]:
        blocks = [source]
        for number, (name, step) in enumerate(made.steps, 1):
            is_last = number == len(made.steps)
            if is_last and not (isinstance(step, str) or hasattr(step, "transform")):
                break  # a predictor
            if len(blocks) > 1:
                blocks = [self.add(f"{path}columns", _side_by_side, *blocks)]
            blocks = self.blocks(step, blocks[0], _below(path, name))
        return blocks

    def _of_union(self, made: FeatureUnion, source: str, path: str) -> list[str]:
        found = []
        for name, part in made.transformer_list:
            blocks = self.blocks(part, source, _below(path, name))
            found += self._weighted(made, blocks, name, path)
        return found

    def _of_columns(self, made: ColumnTransformer, source: str, path: str) -> list[str]:
        known = getattr(made, "feature_names_in_", None)
        found = []
        for name, part, columns in made.transformers_:
            if (isinstance(part, str) and part == "drop") or _is_empty(columns):
                continue
            told = _below(path, name)
            choose = partial(_columns, columns, _named(columns, known))
            chosen = self.add(f"{told} columns", choose, source)
            found += self._weighted(made, self.blocks(part, chosen, told), name, path)
        return found

    def _weighted(
        self, made: Any, blocks: list[str], name: str, path: str
    ) -> list[str]:
        """Return the blocks of a part, times the weight that it has, if it has one."""
        weights = made.transformer_weights or {}
        if name not in weights:
            return blocks
        scale = partial(operator.mul, weights[name])
        return [self.add(_below(path, f"{name} weighted"), scale, b) for b in blocks]


def _below(path: str, name: str) -> str:
    return f"{path}__{name}" if path else name


def _is_empty(columns: Any) -> bool:
    if isinstance(columns, str | slice):
        return False
    chosen = np.asarray(columns)
    return chosen.size == 0 or (chosen.dtype.kind == "b" and not chosen.any())


def _as_table(known: tuple[str, ...], row: Any) -> Any:
    """Return a row as a table, its columns in the order of those that are known."""
    if isinstance(row, pd.Series) and set(known) & set(row.index):
        row = row.to_dict()
    if isinstance(row, Mapping):
        row = pd.DataFrame([row])
    if not isinstance(row, pd.DataFrame):
        return np.asarray(row).reshape(1, -1)
    others = [name for name in row.columns if name not in known]
    return row[[*(name for name in known if name in row.columns), *others]]


def _side_by_side(*blocks: Any) -> Any:
    return np.hstack(blocks)


def _transformed(transformer: Any, table: Any) -> Any:
    """Return what a fitted transformer makes of a table, dense."""
    values = transformer.transform(table)
    return values.toarray() if hasattr(values, "toarray") else values


def _named(columns: Any, known: Any) -> Any:
    """Return the names of selected columns; one for one; None where none are known.

    `columns`: a name or a place, several of them, a slice from one to another, or a
    mask.
    """
    if known is None:
        return None
    is_slice = isinstance(columns, slice)
    told = [columns.start, columns.stop] if is_slice else np.ravel(columns).tolist()
    if not is_slice and np.ndim(columns):
        columns = np.asarray(columns)
    places = pd.Series(np.arange(len(known)), index=known)
    by_name = any(isinstance(one, str) for one in told)
    chosen = places.loc[columns] if by_name else places.iloc[columns]
    return known[chosen] if np.ndim(chosen) == 0 else known[chosen.to_numpy()].tolist()


def _columns(columns: Any, names: Any, table: Any) -> Any:
    """Return some columns of a table: by name, where it and they have names."""
    if not isinstance(table, pd.DataFrame):
        return table[:, columns]
    return table.iloc[:, columns] if names is None else table[names]


def _number(column: int, block: Any) -> Any:
    """Return one number of a block of one row."""
    return block.iat[0, column] if isinstance(block, pd.DataFrame) else block[0, column]
