"""A call prints itself as Python, which runs by itself and gives the same."""

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvers.datasets
import solvers.methods
from explorer.export import Call, script
from explorer.export.loading import bundled_data
from solvers import (
    Frontier,
    ThriftscopeError,
    answer_samples,
    compare_methods,
    read_hif,
    read_table,
    trace_frontier,
    write_hif,
)
from solvers.costs.interchange import from_hif
from solvers.datasets import makers, pricing
from solvers.datasets.makers.evoked import make_evoked
from tests.each import each
from tests.explorer.cheapest import CheapestFeaturesClassifier, make_dataset
from tests.fuzz.refusal import is_one_sentence

ROOT = Path(__file__).parents[3]

# Methods are found by walking a package: this is how one joins it for a test.
PRELUDE = """
import solvers.methods
solvers.methods.__path__.append({folder!r})
exec(compile(open({script!r}, encoding="utf-8").read(), "script.py", "exec"))
"""


@pytest.fixture
def joined(tmp_path, monkeypatch):
    """A method that the package finds."""
    folder = tmp_path / "methods"
    folder.mkdir()
    (folder / "cheapest.py").write_text(
        "from tests.explorer.cheapest import CheapestFeaturesClassifier\n"
        '__all__ = ["CheapestFeaturesClassifier"]\n'
    )
    found = {"cheapest": CheapestFeaturesClassifier}
    monkeypatch.setattr(solvers.methods, "_found", lambda: found)
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


def view(data, methods=None, **options):
    """The script of a comparison of methods."""
    methods = {"cheapest": {}} if methods is None else methods
    comparison = Call(compare_methods, data, methods, progress=True, **options)
    return script("Compare.", comparison=comparison)


def test_the_script_of_a_bundled_data_set_finds_the_same_point(joined, tmp_path):
    text = view(
        Call(make_dataset, n=100, random_state=3),
        {"cheapest": {"C": 0.5}},
        accounting="max",
        budget=4.0,
        chosen=("cheapest", {"n_kept": 1.0, "C": 0.25}),
        random_state=1,
    )
    printed = run(text, joined, tmp_path)
    dataset = make_dataset(n=100, random_state=3)
    method = CheapestFeaturesClassifier(C=0.5)
    points = trace_frontier(method, dataset, accounting="max", random_state=1)
    best = Frontier(points, "max").best_within(4.0)
    f1 = best.scores["test"]["f1"]
    assert f"Best within 4 ms: cheapest, f1 {f1:.3f} on test rows, 4 ms" in printed
    assert "    peak\n    it's\ncomponents:\n    fft\n    count\n" in printed
    assert "Chosen: cheapest, f1" in printed
    assert "parameters: {'C': 0.25, 'n_kept': 1.0}" in printed


def test_the_script_of_a_table_finds_the_same_point(
    joined, tmp_path, monkeypatch, capsys
):
    dataset = make_dataset()
    table = pd.DataFrame(dataset.X, columns=dataset.feature_names)
    table['it\'s the "label"\n'] = dataset.y
    path, hypergraph = tmp_path / "it's.csv", tmp_path / "h.json"
    table.to_csv(path, index=False)
    write_hif(dataset.hypergraph, hypergraph)
    data = Call(
        read_table,
        str(path),
        'it\'s the "label"',
        positive=np.str_("benign"),
        free=("it's",),
        hypergraph=Call(read_hif, str(hypergraph)),
    )
    printed = run_here(view(data), joined, monkeypatch, capsys)
    assert "Best of all: cheapest, f1" in printed
    assert "    it's\n" in printed


def test_a_budget_that_buys_nothing_is_said(joined, monkeypatch, capsys):
    text = view(Call(make_dataset), budget=-1.0, accounting="p95")
    said = run_here(text, joined, monkeypatch, capsys)
    assert said == "No point costs -1 ms or less.\n"


def test_text_of_people_stands_in_literals_only():
    evil = "'''\"\"\"\n__import__('os')\\"
    costs = Call(read_hif, evil)
    text = view(Call(read_table, evil, evil, hypergraph=costs))
    calls = [
        node.func.id
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    assert calls == ["read_hif", "read_table", "compare_methods", "print"]
    nodes = ast.walk(ast.parse(text))
    literals = [node.value for node in nodes if isinstance(node, ast.Constant)]
    assert literals.count(evil) == 3


@each(
    ("ask", "sentence"),
    [
        (lambda: Call(make_dataset, m=1), "make_dataset takes no 'm'; choose from pos"),
        (
            lambda: view(Call(make_dataset, n=b"1")),
            "cannot hold b'1' of type bytes; give numbers, text",
        ),
        (lambda: view(make_dataset()), "cannot hold Dataset"),
    ],
)
def test_calls_that_cannot_be_are_refused_with_a_sentence(ask, sentence):
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        ask()
    assert is_one_sentence(str(refused.value))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda values: (
            st.lists(values, max_size=4)
            | st.dictionaries(st.text(max_size=30), values, max_size=4)
        ),
        max_leaves=20,
    )
)
def test_values_come_back_to_the_last_bit(value):
    text = script("Given.", found=Call(given_back, value, again=value))
    lines = text.split("\n\n")[-1].replace("print(found)", "")
    space = {"given_back": given_back}
    exec(lines, space)
    assert repr(space["found"]) == repr((value, value))


def given_back(value, *, again):
    return value, again


def test_long_lines_are_laid_out_and_arguments_that_are_calls_have_their_names():
    text = script(
        "Lay out.",
        found=Call(given_back, "x" * 200, again=Call(given_back, 1, again=2)),
    )
    assert max(map(len, text.splitlines())) <= 88
    assert "again = given_back(1, again=2)\nfound = given_back(\n    (" in text
    assert text.endswith("\n    again=again,\n)\nprint(found)\n")
    assert text.count("given_back\n") == 1  # it is imported once


def test_calls_inside_of_lists_are_written_where_they_stand():
    text = script(
        "Nest.", found=Call(given_back, [Call(from_hif, {})], again=Call(make_dataset))
    )
    assert "from solvers import from_hif" in text
    assert "found = given_back([from_hif({})], again=again)" in text


def test_an_attribute_of_what_a_call_gives_is_written_behind_it():
    text = script("Take.", found=Call(make_dataset, n=40).of("n_samples"))
    assert "found = make_dataset(n=40).n_samples\n" in text


def test_a_note_stands_above_a_call_and_those_that_it_needs():
    call = Call(given_back, 1, again=Call(make_dataset)).noted("Both are made.")
    text = script("Note.", found=call)
    assert "# Both are made.\nagain = make_dataset()\nfound = given_back(" in text


def test_a_call_can_be_made():
    call = Call(given_back, Call(make_dataset, n=40).of("n_samples"), again=2)
    assert call() == (40, 2)


def test_a_function_is_imported_from_the_outermost_package_that_shows_it():
    assert Call(compare_methods).home == "solvers"
    assert Call(pricing).home == "solvers.datasets"
    assert Call(make_evoked).home == "solvers.datasets.makers.evoked"


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


def test_a_data_set_of_one_file_is_imported_from_it(one_file):
    text = view(bundled_data("one_file", {}))
    assert "from solvers.datasets.makers.one_file import make_one_file" in text


def test_an_edited_hypergraph_replaces_that_of_a_bundled_data_set(
    joined, tmp_path, monkeypatch, capsys
):
    edited = make_dataset().hypergraph.set_cost("fft", 10.0)
    write_hif(edited, tmp_path / "edited.json")
    costs = Call(read_hif, str(tmp_path / "edited.json"))
    text = view(
        Call(pricing, Call(make_dataset), costs), chosen=("cheapest", {"n_kept": 3})
    )
    assert "dataset = make_dataset()\nhypergraph = read_hif(" in text
    assert "dataset = pricing(dataset, hypergraph)\n" in text
    said = run_here(text, joined, monkeypatch, capsys)
    assert "11.1 ms (mean)" in said


def test_the_script_answers_raw_samples_by_the_trimmed_extractor(
    tmp_path, monkeypatch, capsys
):
    comparison = Call(
        compare_methods,
        Call(solvers.datasets.make_published),
        {"forward_selection": {}},
        budget=200.0,
        chosen=("l1", {"alpha": 0.003}),
    )
    answers = Call(answer_samples, comparison)
    text = script("Answer.", comparison=comparison, answers=answers)
    listed = run_here(text, tmp_path, monkeypatch, capsys).split("components:\n")[-1]
    n_components = sum(line.startswith("    ") for line in listed.splitlines())
    assert f"trimmed extractor: {n_components} components, " in listed
    assert "raw samples answered with" in listed
