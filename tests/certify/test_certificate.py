"""A certificate is checked by code that shares nothing with the solver."""

import dataclasses
import itertools
import json
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

from solvers import FeatureHypergraph
from solvers.certify import (
    certified_frontier,
    check_certificate,
    read_certificate,
    write_certificate,
)
from solvers.certify.checker import _main
from solvers.errors import InterchangeError
from tests.certify.cases import random_instance
from tests.each import each
from tests.fuzz.bounded import full_disk
from tests.fuzz.refusal import is_one_sentence, refusal


@pytest.fixture(scope="module")
def solved():
    case = random_instance(3, n_features=8, n_components=8)
    budget = 0.4 * case.hypergraph.total_cost
    stream = certified_frontier(
        *case.arguments, ridge=case.ridge, budgets=[budget], tol=1e-4
    )
    return case, list(stream)


def test_every_floor_of_the_stream_is_proved_by_its_certificate(solved):
    case, stream = solved
    truth = case.best(stream[0].budget)
    for one in stream:
        proven = check_certificate(one.certificate, *case.arguments)
        assert one.certificate.lower == one.lower
        assert proven >= one.lower - 1e-6
        assert proven <= truth + 1e-6
    assert len(stream[-1].certificate.leaves) > 1


def problem(seed):
    """A random problem with so few rows that floors of a small ridge begin at 0."""
    rng = np.random.default_rng(seed)
    n, m = rng.integers(15, 30), rng.integers(8, 12)
    X = rng.standard_normal((n, m))
    y = X @ rng.standard_normal(m) + rng.standard_normal(n) > 0
    y[0] = ~y[1]
    needs = (rng.random((m, m)) < 0.3) | np.eye(m, dtype=bool)
    return X, y, FeatureHypergraph(needs, rng.uniform(0.1, 3.0, m)), rng.random(n)


def shortfall(X, y, hypergraph, weight, ridge, seconds):
    """By how much a claim exceeds what is proven, at most, over all that is told."""
    budgets = [share * hypergraph.total_cost for share in (0.0, 0.5, 0.8)]
    stream = certified_frontier(
        X,
        y,
        hypergraph,
        ridge=ridge,
        budgets=budgets,
        tol=1e-4,
        seconds=seconds,
        sample_weight=weight,
    )
    return max(
        one.certificate.lower
        - check_certificate(one.certificate, X, y, hypergraph, sample_weight=weight)
        for one in stream
    )


@each("ridge", [1e-9, 1e-6, 1e-2])
def test_a_search_that_is_stopped_anywhere_proves_what_it_says(ridge, monkeypatch):
    for steps in (0, 3, 5, 8, 13, 30, 100):
        # A clock that goes on whenever somebody looks stops the search there.
        monkeypatch.setattr(time, "perf_counter", itertools.count().__next__)
        assert shortfall(*problem(0), ridge, steps) <= 1e-6


@each("scale", [1e-310, 3e-13, 1e-12, 1e300])
def test_columns_of_any_spread_are_checked_as_they_came(scale, monkeypatch):
    monkeypatch.setattr(time, "perf_counter", itertools.count().__next__)
    X, *rest = problem(1)
    X[:, 0] *= scale
    X[:, 1] = X[:, 1] * scale + (1e-13 < scale < 1)
    assert shortfall(X, *rest, 1e-3, 300) <= 1e-6


def enumerated(certificate, case):
    """The floor by trying every set of components at every leaf: no cut, no flow.

    Within a region the floor is that of the truth, as far as the value to be beaten.
    """
    needs = case.hypergraph.incidence.toarray().astype(bool)
    costs = case.hypergraph.component_costs
    signs = np.where(case.y == 1, 1.0, -1.0)
    floor = np.inf
    for leaf in certificate.leaves:
        a = leaf.vector if leaf.region is None else np.full(len(signs), 0.5)
        inner = np.clip(a, 1e-300, 1 - 1e-16)
        entropy = -np.mean(inner * np.log(inner) + (1 - inner) * np.log1p(-inner))
        gains = (case.table.T @ (a * signs) / len(a)) ** 2 / (2 * certificate.ridge)
        for chosen in itertools.product([False, True], repeat=len(costs)):
            bought = np.array(chosen)
            kept = all(bought[c] == b for c, b in leaf.decisions)
            if kept and costs[bought].sum() <= certificate.budget * (1 + 1e-9):
                features = ~(needs & ~bought[:, None]).any(axis=0)
                value = entropy - gains[features].sum()
                if leaf.region is not None:
                    truth = case.objective(tuple(np.flatnonzero(features)))
                    value = min(truth, leaf.region.beat)
                floor = min(floor, value)
    return floor


def test_the_claim_holds_for_every_set_of_components_at_every_leaf(solved):
    case, stream = solved
    certificate = stream[-1].certificate
    assert enumerated(certificate, case) >= certificate.lower - 1e-7
    assert enumerated(certificate, case) <= case.best(certificate.budget) + 1e-6


def test_the_file_checks_itself_without_this_library(solved, tmp_path):
    case, stream = solved
    path = tmp_path / "floor.json"
    checker = write_certificate(path, stream[-1].certificate, *case.arguments)
    command = [sys.executable, "-I", str(checker), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "holds" in run.stdout
    assert "solvers" not in checker.read_text("utf-8").replace("of the solver", "")
    record = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(record | {"lower": record["lower"] + 0.01}), "utf-8")
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 1
    assert "DOES NOT HOLD" in run.stdout


def test_large_numbers_and_names_of_classes_are_checked_as_they_came():
    case = random_instance(0, n_features=6, n_components=6)
    X, y, hypergraph = case.arguments
    budget = 0.5 * hypergraph.total_cost
    named = np.where(np.asarray(y) == np.max(y), "yes", "no")
    for table in (X, X + 1e7, X * 1e200, X * 1e-200):
        *_, one = certified_frontier(
            table, named, hypergraph, ridge=case.ridge, budgets=[budget], tol=1e-4
        )
        floor = check_certificate(one.certificate, table, named, hypergraph)
        assert floor >= one.certificate.lower - 1e-6


def spoiled(key, value):
    """Put a value in the first place of what a file has under a key."""

    def spoil(record):
        rows = np.array(record[key], dtype=float)
        rows.flat[0] = value
        return record | {key: rows.tolist()}

    return spoil


@each(
    ("spoil", "sentence"),
    [
        (spoiled("X", np.nan), "The table does not give each row and column a number:"),
        (spoiled("X", np.inf), "The table does not give each row and column a number:"),
        (lambda r: r | {"X": r["X"][1:]}, "The table does not give each row"),
        (spoiled("costs", np.nan), "The costs do not give each component"),
        (spoiled("costs", -50.0), "The costs do not give each component"),
        (lambda r: r | {"costs": r["costs"][1:]}, "The costs do not give each"),
        (lambda r: r | {"sample_weight": [0] * len(r["y"])}, "The weights do not"),
        (lambda r: r | {"sample_weight": [np.inf] * len(r["y"])}, "The weights do not"),
        (lambda r: r | {"ridge": 0}, "The ridge is 0, which is no number above 0;"),
        (
            lambda r: r | {"ridge": np.nan},
            "The ridge is nan, which is no number above 0;",
        ),
        (lambda r: r | {"budget": np.nan}, "The budget is nan, which is no number"),
        (
            lambda r: r | {"format": "certified-floor-1"},
            "The format is 'certified-floor-1'; this",
        ),
        (lambda r: r | {"format": None}, "The format is None; this checker reads"),
        (lambda r: r | {"without": [99]}, "This is no whole certificate (IndexError"),
        (lambda r: {}, "This is no whole certificate;"),
        (lambda r: [1], "This is no whole certificate;"),
    ],
)
def test_the_checker_refuses_in_a_sentence_what_proves_nothing(
    spoil, sentence, solved, tmp_path, capsys
):
    case, stream = solved
    path = tmp_path / "floor.json"
    write_certificate(path, stream[-1].certificate, *case.arguments)
    path.write_text(json.dumps(spoil(json.loads(path.read_text("utf-8")))), "utf-8")
    assert _main([str(path)]) == 1
    said = capsys.readouterr().out
    assert said.startswith("DOES NOT HOLD: ")
    assert sentence in said
    assert is_one_sentence(said.removeprefix("DOES NOT HOLD: ").rstrip("\n"))


def test_the_checker_says_what_it_cannot_read(tmp_path, capsys):
    path = tmp_path / "torn.json"
    path.write_text('{"X": [', "utf-8")
    assert _main([]) == 2
    assert capsys.readouterr().out == "Run as: python check_certificate.py FILE.json\n"
    assert _main([str(path)]) == 1
    assert "torn.json is no JSON (Expecting value: line 1" in capsys.readouterr().out
    assert _main([str(tmp_path / "none.json")]) == 1
    assert "none.json cannot be read: No such file" in capsys.readouterr().out


def test_a_file_says_again_what_was_written(solved, tmp_path):
    case, stream = solved
    path = tmp_path / "floor.json"
    write_certificate(path, stream[-1].certificate, *case.arguments)
    read = read_certificate(path)
    assert read.as_record() == stream[-1].certificate.as_record()


@each(
    "content",
    [
        '{"format": "another"}',
        json.dumps({"format": "x" * 10_000}),
        json.dumps(
            {"format": "certified-floor-2", "regions": [], "leaves": []}
            | {"budget": 10**400, "ridge": 1, "lower": 1, "without": []}
        ),
        "[" * 100_000,
        None,
    ],
)
def test_what_is_no_certificate_is_refused_in_a_sentence(content, tmp_path):
    path = tmp_path / "floor.json"
    if content is not None:
        path.write_text(content, "utf-8")
    said = refusal(lambda: read_certificate(path))
    assert "no certificate" in said
    assert is_one_sentence(said)


def test_leaves_that_leave_something_out_are_refused(solved):
    case, stream = solved
    certificate = stream[-1].certificate
    some = dataclasses.replace(certificate, leaves=certificate.leaves[1:])
    with pytest.raises(ValueError, match="cover"):
        check_certificate(some, *case.arguments)


def replaced(certificate, leaf, **changes):
    new = dataclasses.replace(leaf, **changes)
    leaves = tuple(new if one is leaf else one for one in certificate.leaves)
    return dataclasses.replace(certificate, leaves=leaves)


@each(
    ("changes", "sentence"),
    [
        ({"reach": 0.9}, "reach is not enough"),
        ({"intercept": 1.5}, "balance"),
    ],
)
def test_regions_that_say_too_much_are_refused(solved, changes, sentence):
    case, stream = solved
    certificate = stream[-1].certificate
    leaf = next(one for one in certificate.leaves if one.region is not None)
    ((name, factor),) = changes.items()
    spoiled = {name: getattr(leaf.region, name) * factor}
    region = dataclasses.replace(leaf.region, **spoiled)
    with pytest.raises(ValueError, match=sentence):
        check_certificate(replaced(certificate, leaf, region=region), *case.arguments)


def test_curvature_that_the_loss_cannot_spare_proves_little(solved):
    case, stream = solved
    certificate = stream[-1].certificate
    leaf = next(one for one in certificate.leaves if one.region is not None)
    region = dataclasses.replace(leaf.region, spare=leaf.region.spare + 0.1)
    greedy = replaced(certificate, leaf, region=region)
    assert check_certificate(greedy, *case.arguments) < certificate.lower - 1e-3


@each("spoil", ["range", "balance"])
def test_vectors_that_are_not_feasible_are_refused(solved, spoil):
    case, stream = solved
    certificate = stream[-1].certificate
    bare = next(leaf for leaf in certificate.leaves if leaf.region is None)
    vector = bare.vector.copy()
    vector[0] = 1.5 if spoil == "range" else 1.0 - vector[0]
    bad = replaced(certificate, bare, vector=vector)
    with pytest.raises(ValueError, match="vector"):
        check_certificate(bad, *case.arguments)


def test_on_a_full_disk_the_certificate_before_stays(solved, tmp_path):
    case, stream = solved
    path = tmp_path / "floor.json"
    path.write_text("the one before", "utf-8")
    with full_disk(100), pytest.raises(InterchangeError, match=r"floor\.json"):
        write_certificate(path, stream[-1].certificate, *case.arguments)
    assert path.read_text("utf-8") == "the one before"
    assert list(tmp_path.iterdir()) == [path]


def test_floors_files_and_checks_take_columns_by_name(solved, tmp_path):
    """Of a frame in another order a floor of .692 was proven, where .276 is right."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    scan = 4.0 * y + rng.standard_normal(200)
    frame = pd.DataFrame({"scan": rng.standard_normal(200), "blood": scan})
    prices = FeatureHypergraph.independent([1, 1000], ["blood", "scan"])
    asked = {"ridge": 0.05, "budgets": [2.0], "tol": 1e-4}
    in_order = frame[["blood", "scan"]].to_numpy()
    *_, want = certified_frontier(in_order, y, prices, **asked)
    *_, found = certified_frontier(frame, y, prices, **asked)
    assert found.features.tolist() == [True, False]
    assert (found.lower, found.upper) == pytest.approx((want.lower, want.upper))
    assert found.upper < 0.4
    proven = check_certificate(found.certificate, frame, y, prices)
    assert found.lower - 1e-6 <= proven <= found.upper + 1e-6
    path = tmp_path / "floor.json"
    write_certificate(path, found.certificate, frame, y, prices)
    assert json.loads(path.read_text())["X"] == in_order.tolist()
