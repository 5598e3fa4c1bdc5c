"""Bringing an extractor: a file, or one that comes along; what is shared is lit."""

import dataclasses
import shlex
import sys

import numpy as np
import pytest

from explorer.commands.cli import main
from explorer.document.recipes import recipe_of
from explorer.pages.problem import extractor
from explorer.pages.problem.extractor import SharedRow, costliest_shared
from explorer.pages.problem.files import tiny_world
from explorer.session.context import Context
from explorer.session.state import DEFAULT_DATASET, SessionState
from solvers import FeatureHypergraph
from solvers.costs.interchange import hif_text, to_hif
from solvers.datasets.extractors import all_extractors
from tests.each import each
from tests.waiting import until

HOSTILE = '<img src=x onerror="alert(1)">'


def few(name):
    one = all_extractors()[name]
    samples, labels = one.raw()
    return dataclasses.replace(one, raw=lambda: (samples[:60], labels[:60]))


@pytest.fixture
def part(monkeypatch):
    extractors = {
        "by_hand": few("by_hand"),
        "gone": dataclasses.replace(
            few("catch22"), name="gone", title="Gone", modules=("no_such_module",)
        ),
    }
    monkeypatch.setattr(extractor, "all_extractors", lambda: extractors)
    context = Context(SessionState())
    seen = []
    made = extractor.BringingPart(context, context.problem, lambda: seen.append(1))
    made.seen = seen
    return made


def lit(part):
    editor = part.context.problem.editor
    return [editor.drawing.name(node) for node in editor.focus]


def test_what_comes_along_is_told_opened_lit_and_can_be_undone(part):
    before = part.context.session.dataset
    part.compute()
    until(lambda: part.job.completed == 1)
    assert part.result.visible
    assert part.context.session.dataset is before
    table = part._work._table
    table._handle_msg({"pick": 1})
    assert lit(part) == []  # not drawn yet
    busy = (False, 0.05), (True, 0.6)
    found = part._found
    for is_busy, share in busy:
        spread = share * found.verification.measured
        verified = dataclasses.replace(found.verification, spread=spread)
        part._work.found = dataclasses.replace(found, verification=verified)
        said = part._work._said.object
        assert ("differ by 60% from run to run" in said) == is_busy
    part.open()
    opened = part.context.session.dataset
    assert opened.name == "digit_images"
    assert opened.pipeline is not None
    assert lit(part) == ["enlarged"]
    assert part.seen
    said = part.context.problem.editor.said
    assert "behind 17 features; they would compute it 17 times" in said
    assert recipe_of(opened).name == "digit_images"
    assert recipe_of(opened, as_priced=True) is None
    table._handle_msg({"pick": 1})
    assert lit(part) == [part._work.rows[1].component]
    part.context.undo_stack.undo()
    assert part.context.session.dataset is before


def test_cancel_leaves_everything_as_it_was(part):
    part.compute()
    part.job.cancel()
    assert not part.job.busy
    assert not part.result.visible
    part.open()
    assert part.context.session.dataset.name == DEFAULT_DATASET


def test_what_is_not_installed_is_not_run_and_names_its_extra(part):
    part._which.value = "gone"
    assert not part.start.visible
    assert "Install thriftscope[catch22] first" in part._story.object


def test_a_written_hypergraph_is_read_and_its_dearest_part_lit(part):
    part.loading.file.filename = "hypergraph.json"
    part.loading.file.value = hif_text(to_hif(tiny_world())).encode()
    until(lambda: part.loading.notes.text)
    assert part.loading.notes.text.startswith("fft: 3.00 µs, behind 2 features; they")
    assert "--pipeline my_module:traced" in part.loading.notes.text
    assert part.context.problem.editor.drawing.hypergraph.equals(tiny_world())
    assert lit(part) == ["fft"]


def test_a_file_without_a_unit_waits_until_somebody_names_one(part):
    before = part.context.problem.editor.drawing
    part.loading.file.filename = "costs.csv"
    part.loading.file.value = b"component,cost,chol,fbs\nblood,2.1,1,1\n"
    until(lambda: part.loading.ask.visible)
    assert part.context.problem.editor.drawing is before
    part.loading.unit.value_input = "CAD"
    part.loading.answer()
    assert part.context.problem.editor.drawing.hypergraph.unit == "CAD"
    assert part.loading.notes.text.startswith("blood: 2.10 CAD, behind 2 features")
    assert lit(part) == ["blood"]


def test_a_file_that_is_no_hypergraph_is_refused_and_changes_nothing(part):
    before = part.context.problem.editor.drawing
    part.loading.file.filename = "hypergraph.json"
    part.loading.file.value = b"[" * 10_000
    until(lambda: part.loading.job.message)
    assert part.context.problem.editor.drawing is before


def test_the_command_that_is_shown_runs_and_its_file_opens(part, tmp_path, monkeypatch):
    (tmp_path / "my_module.py").write_text(
        "import my_package\n\nfeatures = [my_package.peak, my_package.energy]\n"
    )
    (tmp_path / "my_package.py").write_text(
        "def squares(x):\n    return [max([float(v) ** 2] * 9999) for v in x]\n\n"
        "def peak(x):\n    return max(squares(x))\n\n"
        "def energy(x):\n    return sum(squares(x))\n"
    )
    np.save(tmp_path / "raw.npy", np.random.default_rng(0).normal(size=(3, 64)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(shlex.split(extractor.COMMAND)[1:]) == 0
    part.loading.file.filename = "hypergraph.json"
    part.loading.file.value = (tmp_path / "hypergraph.json").read_bytes()
    until(lambda: part.loading.notes.text and lit(part))
    assert lit(part) == ["squares"]
    sys.modules.pop("my_module"), sys.modules.pop("my_package")


@each(
    ("cost", "unit", "told"),
    [(1900.0, "us", "1.90 ms"), (42.0, "us", "42.0 µs"), (5000.0, "CAD", "5000 CAD")],
)
def test_long_times_are_told_in_milliseconds(cost, unit, told):
    row = SharedRow("fft_mag", cost, unit, 14, 14)
    assert row.sentence == (
        f"fft_mag: {told}, behind 14 features; they would compute it 14 times."
    )


def test_nothing_shared_is_nothing_to_light():
    assert costliest_shared(FeatureHypergraph.independent([1.0, 2.0])) is None
    assert costliest_shared(FeatureHypergraph.independent([])) is None


def test_names_from_a_file_are_text(part):
    graph = FeatureHypergraph([[1, 1]], [2.0], ("a", "b"), (HOSTILE,))
    part.loading.file.filename = "hypergraph.json"
    part.loading.file.value = hif_text(to_hif(graph)).encode()
    until(lambda: part.loading.notes.text)
    shown = part.loading.notes.__panel__().object
    assert "<img" not in shown
