"""The archive holds what it says, runs by itself, and draws without a browser."""

import io
import json
import os
import runpy
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from explorer.export import load_estimator
from explorer.export.bundle import BundledView, bundle
from explorer.figures import saving
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.take_away import frontier_script
from solvers import Dataset, Frontier, read_hif
from solvers.datasets import reading_options
from tests.each import each
from tests.explorer.worlds import World, own_table

ROOT = Path(__file__).parents[3]


def bundled_view(world):
    state = world.frontier
    state.methods = ["l1", "static_prefix"]
    state.settings = {"l1.n_alphas": 8}
    TRACES.answer(state)
    state.budget = state.dataset.hypergraph.total_cost / 2
    chosen = state.chosen()
    return BundledView(
        state.dataset,
        {name: state.frontier(name) for name in state.methods},
        state.axes(),
        state.budget,
        chosen.point,
        chosen.reason,
        frontier_script(state, world.session, in_bundle=True),
        state.split(),
    )


# A data set as it comes, one with a cost edited, and a person's own.
KINDS = ("bundled", "edited", "own")


@cache
def view_of(kind):
    world = World(own_table(200) if kind == "own" else None)
    if kind == "edited":
        node = world.editor.drawing.component_ids[0]
        world.editor.receive({"op": "set", "node": node, "cost": 0.5})
    return bundled_view(world)


def archived(view, *, is_drawn=False):
    """What is in the archive of a view; to draw it takes longer than all else."""
    with pytest.MonkeyPatch.context() as patched:
        if not is_drawn:
            patched.setattr(saving, "printed", lambda figure, name: {})
        archive = zipfile.ZipFile(io.BytesIO(bundle(view)))
    return {name: archive.read(name) for name in archive.namelist()}


@cache
def files_of(kind):
    return archived(view_of(kind), is_drawn=kind == "own")


def run(folder, view, monkeypatch, capsys):
    """What the script prints: a person's own table is run as a person does."""
    if view.dataset.name != "own":
        monkeypatch.chdir(folder)
        runpy.run_path("thriftscope_view.py", run_name="__main__")
        return capsys.readouterr().out
    return subprocess.run(
        [sys.executable, "-W", "ignore", "thriftscope_view.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@each("kind", KINDS)
def test_the_script_finds_the_chosen_point_in_an_empty_folder(
    kind, tmp_path, monkeypatch, capsys
):
    view, files = view_of(kind), files_of(kind)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    printed = run(tmp_path, view, monkeypatch, capsys)
    chosen = json.loads(files["selection.json"])
    assert f"f1 {chosen['scores']['test']['f1']:.3f} on test rows" in printed
    assert f"{chosen['cost']['test']['mean']:.6g} {view.dataset.unit}" in printed
    for feature in chosen["features"]:
        assert f"    {feature}\n" in printed


@each("kind", KINDS)
def test_the_estimator_predicts_as_the_point_was_scored(kind):
    view, files = view_of(kind), files_of(kind)
    model = load_estimator(files["estimator.skops"])
    assert set(model.predict(view.dataset.X)) <= set(view.dataset.classes)


@each("kind", KINDS)
def test_the_hypergraph_is_whole(kind):
    view, files = view_of(kind), files_of(kind)
    assert read_hif(files["hypergraph.json"]).equals(view.dataset.hypergraph)


@each("kind", KINDS)
def test_the_readme_names_every_file_and_tells_the_scores(kind):
    view, files = view_of(kind), files_of(kind)
    text = files["README.md"].decode()
    for name in files:
        assert f"`{name}`" in text or name == "README.md"
    assert f"{view.chosen.scores['validation']['f1']:.3f}" in text
    assert "- scikit-learn " in text
    assert "| test |" in text


def test_figures_are_whole_pictures_with_words():
    view, files = view_of("own"), files_of("own")
    for name in ("frontier", "hypergraph"):
        root = ElementTree.fromstring(files[f"{name}.svg"])
        said = " ".join(root.itertext())
        assert f"{view.dataset.name}: what" in said
        image = np.asarray(Image.open(io.BytesIO(files[f"{name}.png"])))
        # Both are drawn at the same size: 144 pixels an inch, 72 points an inch.
        wide = 2 * float(root.get("width").removesuffix("pt"))
        assert image.shape[1] == pytest.approx(wide, abs=2)
        assert (image != 255).any()
        assert files[f"{name}.pdf"].startswith(b"%PDF")


@each("kind", KINDS)
def test_the_policy_decides_as_the_point_was_scored(kind):
    view, files = view_of(kind), files_of(kind)
    space = {"__name__": "policy"}
    exec(files["policy/policy.py"].decode(), space)
    names, X = view.dataset.feature_names, view.split.X("test")
    labels = [
        space["decide"](dict(zip(names, row, strict=True))).label for row in X.tolist()
    ]
    model = load_estimator(files["estimator.skops"])
    assert labels == model.predict(X).tolist()
    score = json.loads(files["selection.json"])["scores"]["test"]["f1"]
    for name in ("policy.py", "policy.h", "policy.html"):
        assert f"{score:.3f}" in files[f"policy/{name}"].decode()


def test_without_a_chosen_point_the_rest_is_taken_away():
    view = view_of("bundled")
    nothing = BundledView(
        view.dataset, {}, Frontier(()), 0.0, None, "", view.script
    )  # fmt: skip
    files = archived(nothing)
    assert "selection.json" not in files
    assert "None: nothing is bought" in files["README.md"].decode()


def test_labels_have_a_column_of_their_own():
    plain = own_table()
    hypergraph = type(plain.hypergraph).independent([1, 2], ("label", "label_"))
    dataset = Dataset("x", plain.X[:, :2], plain.y, hypergraph)
    assert reading_options(dataset)["label"] == "label__"
