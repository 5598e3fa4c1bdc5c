"""The script of a view runs by itself and finds the same point."""

import ast
import dataclasses
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import solvers.datasets
import solvers.methods
from explorer.export import (
    ViewDescription,
    estimator_skops,
    load_estimator,
    script,
)
from solvers import Frontier, ThriftscopeError, trace_frontier, write_hif
from solvers.datasets import makers
from tests.explorer.cheapest import CheapestFeaturesClassifier, make_dataset
from tests.fuzz.refusal import is_one_sentence

ROOT = Path(__file__).parents[3]

# Methods are found by walking a package: this is how one joins it for a test.
PRELUDE = """
import solvers.datasets, solvers.methods
solvers.methods.__path__.append({folder!r})
from tests.explorer.cheapest import make_dataset
solvers.datasets.make_tiny = make_dataset
exec(compile(open({script!r}, encoding="utf-8").read(), "script.py", "exec"))
"""


@pytest.fixture
def joined(tmp_path, monkeypatch):
    """A method and a maker that the package finds."""
    folder = tmp_path / "methods"
    folder.mkdir()
    (folder / "cheapest.py").write_text(
        "from tests.explorer.cheapest import CheapestFeaturesClassifier\n"
        '__all__ = ["CheapestFeaturesClassifier"]\n'
    )
    found = {"cheapest": CheapestFeaturesClassifier}
    monkeypatch.setattr(solvers.methods, "_found", lambda: found)
    monkeypatch.setattr(solvers.datasets, "make_tiny", make_dataset, raising=False)
    return folder


def run(text, folder, tmp_path):
    """Run a script in a process of its own; return what it prints."""
    path = tmp_path / "script.py"
    path.write_text(text, encoding="utf-8")
    prelude = PRELUDE.format(folder=str(folder), script=str(path))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", prelude],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env={"PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert " points [" in done.stderr, "it shows how far it has come"
    return done.stdout


def run_here(text, folder, monkeypatch, capsys):
    """Run a script in this process; return what it prints."""
    paths = [*solvers.methods.__path__, str(folder)]
    monkeypatch.setattr(solvers.methods, "__path__", paths)
    path = folder / "script.py"
    path.write_text(text, encoding="utf-8")
    runpy.run_path(str(path), run_name="__main__")
    sys.modules.pop("solvers.methods.cheapest", None)
    return capsys.readouterr().out


def test_the_script_of_a_bundled_data_set_finds_the_same_point(joined, tmp_path):
    view = ViewDescription(
        dataset_name="tiny",
        dataset_options={"n": 100, "random_state": 3},
        methods={"cheapest": {"C": 0.5}},
        accounting="max",
        budget=4.0,
        chosen=("cheapest", {"n_kept": 1.0, "C": 0.25}),
        random_state=1,
    )
    printed = run(script(view), joined, tmp_path)
    dataset = make_dataset(n=100, random_state=3)
    method = CheapestFeaturesClassifier(C=0.5)
    points = trace_frontier(method, dataset, accounting="max", random_state=1)
    best = Frontier(points, "max").best_within(4.0)
    f1 = best.scores["test"]["f1"]
    assert f"Best within 4 ms: cheapest, f1 {f1:.3f} on test rows, 4 ms" in printed
    assert "    peak\n    it's\ncomponents:\n    fft\n    count\n" in printed
    assert "Chosen: cheapest, f1" in printed
    assert "parameters: {'C': 0.25, 'n_kept': 1.0}" in printed


def test_the_script_of_a_table_finds_the_same_point(joined, tmp_path):
    dataset = make_dataset()
    table = pd.DataFrame(dataset.X, columns=dataset.feature_names)
    table['it\'s the "label"\n'] = dataset.y
    path, hypergraph = tmp_path / "it's.csv", tmp_path / "h.json"
    table.to_csv(path, index=False)
    write_hif(dataset.hypergraph, hypergraph)
    view = ViewDescription(
        table_file=str(path),
        label='it\'s the "label"',
        dataset_options={"positive": np.str_("benign"), "free": ("it's",)},
        hypergraph_file=str(hypergraph),
        methods={"cheapest": {}},
    )
    printed = run(script(view), joined, tmp_path)
    assert "Best of all: cheapest, f1" in printed
    assert "    it's\n" in printed


def test_a_budget_that_buys_nothing_is_said(joined, monkeypatch, capsys):
    view = ViewDescription(
        dataset_name="tiny", methods={"cheapest": {}}, budget=-1.0, accounting="p95"
    )
    said = run_here(script(view), joined, monkeypatch, capsys)
    assert said == "No point costs -1 ms or less.\n"


def test_text_of_people_stands_in_literals_only(joined):
    evil = "'''\"\"\"\n__import__('os')\\"
    view = ViewDescription(
        table_file=evil, label=evil, methods={"cheapest": {}}, hypergraph_file=evil
    )
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(script(view)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert "__import__" not in calls
    nodes = ast.walk(ast.parse(script(view)))
    literals = [node.value for node in nodes if isinstance(node, ast.Constant)]
    assert literals.count(evil) == 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"dataset_name": None}, "a bundled data set or of a table file"),
        ({"table_file": "t.csv"}, "a bundled data set or of a table file"),
        ({"dataset_name": None, "table_file": "t.csv"}, "'t.csv' has no label column"),
        ({"dataset_name": "x; import os"}, "no bundled data set 'x; import os'"),
        ({"dataset_name": "gone"}, "no bundled data set 'gone'"),
        ({"dataset_options": {"m": 1}}, "make_tiny takes no 'm'; choose from positi"),
        ({"dataset_options": {"n": b"1"}}, "cannot hold b'1' of type bytes"),
        ({"methods": {"gone": {}}}, "no method 'gone'; choose from cheapest"),
        ({"methods": {"cheapest": {"p": 1}}}, "cheapest takes no 'p'; choose from hyp"),
        ({"chosen": ("gone", {})}, "no method 'gone'"),
        ({"accounting": "median"}, "no option 'median'; use one of mean, p95, max"),
        ({"threshold_rule": "best"}, "no option 'best'; use one of tuned, default"),
    ],
)
def test_views_that_cannot_be_are_refused_with_a_sentence(joined, changes, sentence):
    view = {"dataset_name": "tiny", "methods": {"cheapest": {}}, **changes}
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        script(ViewDescription(**view))
    assert is_one_sentence(str(refused.value))


@pytest.fixture
def one_file(tmp_path, monkeypatch):
    """A data set in a file that `solvers.datasets.makers` walks over, and no more."""
    (tmp_path / "one_file.py").write_text(
        "from tests.explorer.cheapest import make_dataset\n"
        '__all__ = ["make_one_file"]\n'
        "def make_one_file():\n    return make_dataset()\n"
    )
    monkeypatch.setattr(makers, "__path__", [*makers.__path__, str(tmp_path)])
    solvers.datasets._makers.cache_clear()
    yield
    monkeypatch.undo()
    solvers.datasets._makers.cache_clear()
    sys.modules.pop("solvers.datasets.makers.one_file", None)


def test_a_data_set_of_one_file_is_imported_from_it(joined, one_file):
    view = ViewDescription(
        dataset_name="one_file", methods={"cheapest": {}}, budget=2.0
    )
    assert "from solvers.datasets.makers.one_file import make_one_file" in script(view)


def test_an_edited_hypergraph_replaces_that_of_a_bundled_data_set(
    joined, tmp_path, monkeypatch, capsys
):
    edited = make_dataset().hypergraph.set_cost("fft", 10.0)
    write_hif(edited, tmp_path / "edited.json")
    view = ViewDescription(
        dataset_name="tiny",
        hypergraph_file=str(tmp_path / "edited.json"),
        methods={"cheapest": {}},
        chosen=("cheapest", {"n_kept": 3}),
    )
    said = run_here(script(view), joined, monkeypatch, capsys)
    assert "11.1 ms (mean)" in said


def test_the_script_answers_raw_samples_by_the_trimmed_extractor(tmp_path):
    view = ViewDescription(
        dataset_name="published",
        methods={"forward_selection": {}},
        budget=200.0,
        chosen=("l1", {"alpha": 0.003}),
        has_pipeline=True,
    )
    path = tmp_path / "view.py"
    path.write_text(script(view), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    listed = done.stdout.split("components:\n")[-1]
    n_components = sum(line.startswith("    ") for line in listed.splitlines())
    assert f"trimmed extractor: {n_components} components, " in listed
    assert "raw samples answered with" in listed


@pytest.mark.parametrize(("rule", "place"), [("tuned", 0), ("default", 1)])
def test_raw_samples_are_answered_as_the_model_decides(
    tmp_path, monkeypatch, place, rule
):
    made = solvers.datasets.make_published()
    turned = dataclasses.replace(made, positive=np.unique(made.y)[place])
    monkeypatch.setattr(solvers.datasets, "make_tiny", lambda: turned, raising=False)
    view = ViewDescription(
        dataset_name="tiny",
        methods={"l1": {"alpha": 0.003}},
        threshold_rule=rule,
        budget=20.0,
        has_pipeline=True,
    )
    path = tmp_path / "view.py"
    path.write_text(script(view), encoding="utf-8")
    said = runpy.run_path(str(path))
    model = said["point"].model
    if rule == "tuned":
        model = load_estimator(estimator_skops(said["point"], turned))
    table = turned.pipeline.extract(turned.samples)
    assert np.array_equal(said["answers"], model.predict(table))
    assert len(set(said["answers"])) == 2
