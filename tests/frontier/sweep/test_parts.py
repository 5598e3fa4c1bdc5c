"""Points of a sweep on disk come back as they were, and others are refused."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from solvers import ComponentPrices, Dataset
from solvers.errors import InterchangeError
from solvers.frontier.sweep import read_sweep, sweep
from solvers.frontier.sweep.parts import (
    part_path,
    read_part,
    stored_digest,
    write_part,
)
from solvers.frontier.sweep.tasks import SweepTask
from solvers.methods.l1 import L1Classifier
from tests.each import each
from tests.frontier.sweep.worlds import tiny
from tests.fuzz.refusal import is_one_sentence


def _priced():
    """A small data set whose components have a delay and an energy as well."""
    plain = tiny()
    n = plain.hypergraph.n_components
    prices = (
        ComponentPrices("delay", np.arange(n) / 3, "days", "maximum"),
        ComponentPrices("energy", np.ones(n), "J"),
    )
    hypergraph = dataclasses.replace(plain.hypergraph, prices=prices)
    return dataclasses.replace(plain, hypergraph=hypergraph)


@pytest.fixture(scope="module")
def swept():
    return list(sweep({"l1": L1Classifier(n_alphas=4)}, _priced(), n_workers=1))


def _same(one, other):
    """Whether two points say the same, compared field by field."""
    facts = [
        {**vars(point), "point": None, **vars(point.point)} for point in (one, other)
    ]
    return all(
        np.array_equal(facts[0][key], facts[1][key])
        for key in facts[0]
        if key != "validation_rows"  # not kept
    )


def test_every_field_of_a_point_comes_back(swept, tmp_path):
    write_part(tmp_path / "one.parquet", swept, "abc")
    back = read_part(tmp_path / "one.parquet")
    assert len(back) == len(swept) > 2
    assert all(_same(one, other) for one, other in zip(swept, back, strict=True))


def test_further_prices_are_kept_with_the_points(tmp_path):
    methods = {"l1": L1Classifier(n_alphas=4)}
    first = list(sweep(methods, _priced(), out=tmp_path, n_workers=1))
    assert {"delay", "energy"} <= set(first[-1].point.prices)
    again = list(sweep(methods, _priced(), out=tmp_path, n_workers=1))
    assert [point.row() for point in again] == [point.row() for point in first]


def test_a_folder_s_points_come_in_the_order_of_the_sweep(swept, tmp_path):
    for seed in (10, 2):
        moved = [dataclasses.replace(point, seed=seed) for point in swept]
        write_part(tmp_path / f"seed{seed}.parquet", moved[::-1], "abc")
    found = read_sweep(tmp_path)
    numbers = list(range(len(swept)))
    assert [point.seed for point in found] == [2] * len(swept) + [10] * len(swept)
    assert [point.number for point in found] == numbers + numbers


def test_a_file_tells_whose_points_it_keeps(swept, tmp_path):
    path = tmp_path / "one.parquet"
    assert stored_digest(path) is None
    write_part(path, swept, "fingerprint")
    assert stored_digest(path) == "fingerprint"


def test_nothing_but_the_whole_file_is_left_in_the_folder(swept, tmp_path):
    write_part(tmp_path / "one.parquet", swept, "abc")
    assert [path.name for path in tmp_path.iterdir()] == ["one.parquet"]


def test_each_task_has_a_file_of_its_own_whatever_it_is_called(tmp_path):
    def task(dataset, method, fold=None):
        named = Dataset(dataset, *_columns())
        n_folds = None if fold is None else 3
        return SweepTask(method, L1Classifier(), named, 0, fold, n_folds)

    tasks = [
        task("a", "b--c"),
        task("a--b", "c"),
        task("a-", "b"),
        task("a", "-b"),
        task("a/b", "c"),
        task("../a", "c"),
        task("a", "c", 0),
        task("a", "c", 1),
    ]
    paths = [part_path(tmp_path, one) for one in tasks]
    assert {path.parent for path in paths} == {tmp_path}
    assert len(set(paths)) == len(tasks)


def _columns():
    plain = tiny()
    return plain.X, plain.y, plain.hypergraph


@each("read", [read_part, stored_digest])
def test_a_file_that_is_no_table_is_refused_by_name(read, tmp_path):
    path = tmp_path / "broken.parquet"
    path.write_bytes(b"PAR1 but no more")
    with pytest.raises(InterchangeError, match=r"'broken\.parquet'"):
        read(path)


def test_a_part_is_read_or_refused_wherever_it_is_damaged(swept, tmp_path):
    path = tmp_path / "one.parquet"
    write_part(path, swept[:2], "abc")
    whole = path.read_bytes()
    for place in range(0, len(whole), 499):
        for damaged in (whole[:place], whole[:place] + b"\xff" + whole[place + 1 :]):
            path.write_bytes(damaged)
            assert is_one_sentence(_refusal(path))


def _refusal(path):
    try:
        read_part(path)
    except InterchangeError as refused:
        return str(refused)
    return "It was read."


@each(
    ("column", "value"), [("params", "[" * 100_000), ("features", None), ("prices", 3)]
)
def test_a_part_of_other_values_is_refused(swept, tmp_path, column, value):
    path = tmp_path / "one.parquet"
    write_part(path, swept[:1], "abc")
    (record,) = parquet.read_table(path).to_pylist()
    parquet.write_table(pa.Table.from_pylist([record | {column: value}]), path)
    with pytest.raises(InterchangeError, match="holds no points of a sweep"):
        read_part(path)


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InterchangeError, match="There is no folder"):
        read_sweep(tmp_path / "nowhere")
