"""A sweep gives the same points whoever computes them, and frontiers of its runs."""

from itertools import islice

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_info

from solvers import (
    Dataset,
    FeatureHypergraph,
    Frontier,
    ThriftscopeError,
    free_scores,
    split_dataset,
    trace_frontier,
)
from solvers.datasets import from_frame
from solvers.errors import InterchangeError
from solvers.frontier.sweep import plan_sweep, read_sweep, sweep, sweep_frontiers
from solvers.methods.cstc import CSTCClassifier
from solvers.methods.l1 import L1Classifier
from solvers.methods.random_forest import RandomForestClassifier
from tests.each import each
from tests.frontier.sweep.worlds import CountingClassifier, DyingClassifier, tiny, told
from tests.fuzz.refusal import is_one_sentence, refusal

METHODS = {
    "l1": L1Classifier(n_alphas=4),
    "rough": L1Classifier(n_alphas=3, refit=False),
    "forest": RandomForestClassifier(n_estimators=3),
}


@pytest.fixture(scope="module")
def data():
    return [tiny("one", 0), tiny("two/three", 1)]


@pytest.fixture(scope="module")
def alone(data):
    return [told(p) for p in sweep(METHODS, data, seeds=[3, 1], n_workers=1)]


def test_points_are_those_of_traced_frontiers(data):
    swept = sweep({"mine": METHODS["l1"]}, data[0], seeds=[5], n_workers=1)
    traced = list(trace_frontier(METHODS["l1"], data[0], random_state=5))
    for number, (point, expected) in enumerate(zip(swept, traced, strict=True)):
        assert point.number == number
        assert point.method == point.point.method == "mine"
        assert point.point.cost == expected.cost
        assert point.point.scores == expected.scores
        assert np.array_equal(point.point.features, expected.features)


def test_points_come_in_the_order_of_the_plan(data, alone):
    plan = [task.key for task in plan_sweep(METHODS, data, [3, 1])]
    assert plan[:3] == [("one", name, 3, -1) for name in METHODS]
    keys = [
        tuple(dict(p[:-1])[k] for k in ("dataset", "method", "seed")) for p in alone
    ]
    assert list(dict.fromkeys(keys)) == [key[:3] for key in plan]


def test_a_process_that_dies_is_replaced_and_nothing_is_lost_or_doubled(data, tmp_path):
    methods = {**METHODS, "mortal": DyingClassifier(marker=str(tmp_path / "died"))}
    swept = [told(p) for p in sweep(methods, data, out=tmp_path / "out", n_workers=2)]
    assert (tmp_path / "died.0").exists()
    # The points of one process, in the same order.
    again = [told(point) for point in sweep(methods, data, n_workers=1)]
    assert swept == again
    stored = [told(point) for point in read_sweep(tmp_path / "out")]
    assert sorted(map(str, stored)) == sorted(map(str, again))


def test_a_task_that_always_kills_its_process_is_given_up_with_a_sentence(
    data, tmp_path, monkeypatch
):
    monkeypatch.setattr("solvers.frontier.sweep.workers._DEATHS", 1)
    fatal = DyingClassifier(marker=str(tmp_path / "died"), times=9)
    methods = {"fatal": fatal, "l1": METHODS["l1"]}
    with pytest.raises(ThriftscopeError, match="Workers died 1 times"):
        list(sweep(methods, data[0], n_workers=2))


def test_what_is_read_is_what_was_swept(data, tmp_path):
    swept = list(sweep(METHODS, data[0], seeds=[0], out=tmp_path, n_workers=1))
    stored = read_sweep(tmp_path)
    assert sorted(map(told, stored), key=str) == sorted(map(told, swept), key=str)
    by_number = {(p.method, p.number): p for p in stored}
    for point in swept:
        kept = by_number[point.method, point.number].point
        assert kept.params == point.point.params
        assert kept.validation_cost == point.point.validation_cost
        assert kept.seconds == point.point.seconds
        assert kept.decision_seconds == point.point.decision_seconds


def test_an_interrupted_sweep_goes_on_where_it_stopped(data, tmp_path):
    journal = tmp_path / "journal"
    methods = {"counted": CountingClassifier(journal=str(journal))}
    options = {"seeds": range(4), "out": tmp_path / "out", "n_workers": 1}
    first = sweep(methods, data[0], **options)
    begun = list(islice(first, 5))  # one task of four points, and one more point
    first.close()
    assert len(journal.read_text().split()) == 2
    swept = [told(point) for point in sweep(methods, data[0], **options)]
    assert len(journal.read_text().split()) == 4
    assert [told(point) for point in begun] == swept[:5]
    assert swept == [
        told(p) for p in sweep(methods, data[0], seeds=range(4), n_workers=1)
    ]


def test_half_a_file_is_never_seen(data, tmp_path, monkeypatch):
    import pyarrow.parquet

    write = pyarrow.parquet.write_table

    def fail_halfway(table, file):
        write(table, file)
        file.truncate(100)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pyarrow.parquet, "write_table", fail_halfway)
    with pytest.raises(ThriftscopeError, match=r"cannot be written \(No space left"):
        list(sweep(METHODS, data[0], out=tmp_path, n_workers=1))
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []
    assert read_sweep(tmp_path) == []
    assert len(list(sweep(METHODS, data[0], out=tmp_path, n_workers=1))) > 0


@each(
    "other",
    [
        {"methods": {"l1": L1Classifier(n_alphas=5)}},
        {"datasets": [tiny("one", 7)]},
        {"accounting": "max"},
        {"threshold": "default"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_folder_of_another_sweep_is_refused(data, tmp_path, other):
    asked = {"methods": {"l1": METHODS["l1"]}, "datasets": data[:1], "n_workers": 1}
    list(sweep(**asked, out=tmp_path))
    with pytest.raises(ThriftscopeError, match="of another sweep"):
        sweep(**{**asked, **other}, out=tmp_path)


def test_more_seeds_may_be_added_to_a_folder(data, tmp_path):
    methods = {"l1": METHODS["l1"]}
    list(sweep(methods, data[0], seeds=[0], out=tmp_path, n_workers=1))
    list(sweep(methods, data[0], seeds=[0, 1], out=tmp_path, n_workers=1))
    assert {point.seed for point in read_sweep(tmp_path)} == {0, 1}


def test_folds_test_every_row_once(data):
    from solvers.datasets.splits import split_folds

    splits = split_folds(data[0], 5, random_state=0)
    tested = np.concatenate([split.rows["test"] for split in splits])
    assert sorted(tested) == list(range(data[0].n_samples))
    for split in splits:
        parts = np.concatenate(list(split.rows.values()))
        assert sorted(parts) == list(range(data[0].n_samples))


def test_each_fold_is_a_task(data, tmp_path):
    options = {"n_folds": 3, "n_workers": 1, "out": tmp_path}
    swept = list(sweep({"l1": METHODS["l1"]}, data[0], **options))
    assert [p.fold for p in swept if p.number == 0] == [0, 1, 2]
    assert {point.fold for point in read_sweep(tmp_path)} == {0, 1, 2}


def test_data_given_by_name_are_drawn_anew_on_request():
    drawn = plan_sweep(["l1"], ["sources"], [0, 1], redraw=True)
    assert not np.array_equal(drawn[0].dataset.X, drawn[1].dataset.X)
    kept = plan_sweep(["l1"], ["sources"], [0, 1])
    assert kept[0].dataset is kept[1].dataset


def test_linear_algebra_runs_in_one_thread(data):
    seen = []

    class Watching(L1Classifier):
        def _prepared(self, training):
            seen.extend(pool["num_threads"] for pool in threadpool_info())
            return super()._prepared(training)

    list(sweep([Watching(n_alphas=2)], data[0], n_workers=1))
    assert set(seen) == {1}


@each(
    ("asked", "sentence"),
    [
        ({"methods": ["l7"]}, "There is no method 'l7'"),
        ({"methods": []}, "has no method"),
        ({"methods": ["l1", "l1"]}, "method 'l1' twice"),
        ({"datasets": ["sygnals"]}, "no data set 'sygnals'"),
        ({"datasets": []}, "has no data set"),
        ({"datasets": [tiny(), tiny()]}, "data set 'tiny' twice"),
        ({"seeds": []}, "has no seed"),
        ({"seeds": [1, 1]}, "seed 1 twice"),
        ({"n_folds": 1}, "n_folds is 1; it is 2 or more"),
        ({"n_folds": 80}, "folds need at least"),
        ({"n_workers": 0}, "n_workers is 0; it is 1 or more"),
        ({"accounting": "median"}, "accounting is 'median'"),
        ({"threshold": "best"}, "threshold rule is 'best'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_bad_requests_are_refused_before_the_first_point(asked, sentence):
    with pytest.raises(ThriftscopeError, match=sentence):
        sweep(**{"methods": ["cstc"], "datasets": [tiny()], **asked})


def test_a_task_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(CSTCClassifier, "two_classes_only", True)
    rng = np.random.default_rng(0)
    three = Dataset("three", rng.random((90, 2)), np.arange(90) % 3, _unit(2))
    with pytest.raises(ThriftscopeError, match="cstc on three, seed 0: Only binary"):
        list(sweep(["cstc"], [three], n_workers=1))


def _unit(n):
    from solvers import FeatureHypergraph

    return FeatureHypergraph.independent(np.ones(n))


def test_a_file_that_is_none_of_a_sweep_is_refused(tmp_path):
    (tmp_path / "other.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(InterchangeError, match=r"'other\.parquet'"):
        read_sweep(tmp_path)
    with pytest.raises(InterchangeError, match="There is no folder"):
        read_sweep(tmp_path / "nowhere")


def test_a_file_of_points_with_a_flipped_byte_is_refused_or_read(data, tmp_path):
    list(sweep(["l1"], data[:1], seeds=[0], out=tmp_path))
    (file,) = tmp_path.glob("*.parquet")
    whole = file.read_bytes()
    for at in range(4, len(whole) - 8, len(whole) // 40):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        sentence = refusal(lambda: read_sweep(tmp_path))
        assert sentence is None or (
            "None" not in sentence and is_one_sentence(sentence)
        )


def test_columns_and_prices_in_any_order_give_the_same_points():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        rng.standard_normal((120, 3)), columns=["age", "scan", "pulse"]
    )
    frame["ill"] = frame["scan"] + 0.5 * rng.standard_normal(120) > 0
    prices = FeatureHypergraph.independent({"pulse": 2.0, "age": 1.0, "scan": 9.0})
    swept = [
        list(
            sweep(
                METHODS,
                from_frame(one, "ill", name="one", hypergraph=prices),
                n_workers=1,
            )
        )
        for one in (frame, frame[["ill", "scan", "pulse", "age"]])
    ]
    assert [told(point) for point in swept[0]] == [told(point) for point in swept[1]]
    bought = {
        prices.features[j] for p in swept[0] for j in np.flatnonzero(p.point.features)
    }
    assert "scan" in bought


PAIR = {"a": L1Classifier(n_alphas=4), "b": L1Classifier(n_alphas=3, refit=False)}


@pytest.fixture(scope="module")
def points():
    return list(sweep(PAIR, tiny(), seeds=[2, 0], n_workers=1))


def test_each_run_is_its_own_frontier_by_seed(points):
    runs = sweep_frontiers(points)
    assert list(runs) == [("tiny", "a"), ("tiny", "b")]
    for frontier, seed in zip(runs["tiny", "a"], [0, 2], strict=True):
        alone = Frontier(trace_frontier(PAIR["a"], tiny(), random_state=seed))
        found = [point.cost["mean"] for point in frontier]
        assert found == [point.cost["mean"] for point in alone]


def test_relative_costs_are_shares_of_the_full_cost(points):
    absolute, relative = sweep_frontiers(points), sweep_frontiers(points, relative=True)
    full = tiny().hypergraph.total_cost
    for one, other in zip(absolute["tiny", "a"], relative["tiny", "a"], strict=True):
        for point, share in zip(one, other, strict=True):
            assert share.cost["max"] == pytest.approx(point.cost["max"] / full)
            spent = share.charged("mean", "validation") * full
            assert spent == pytest.approx(point.charged("mean", "validation"))


def test_methods_of_other_runs_are_refused(points):
    kept = [point for point in points if (point.method, point.seed) != ("b", 2)]
    with pytest.raises(ThriftscopeError, match="no points of b on tiny with seed 2"):
        sweep_frontiers(kept)


def test_each_run_knows_what_is_free_on_its_own_rows(points):
    for frontier, seed in zip(
        sweep_frontiers(points)["tiny", "b"], [0, 2], strict=True
    ):
        assert frontier.floor == free_scores(split_dataset(tiny(), seed))
