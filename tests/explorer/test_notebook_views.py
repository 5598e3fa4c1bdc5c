"""The app, and every view alone, is the last line of a notebook cell.

A kernel is dear to start and to fill, so one test asks all of one.
"""

import importlib
import inspect
import pkgutil
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from panel.viewable import Viewer

import explorer.app
from solvers import all_methods

pytestmark = pytest.mark.slow

# What a view looks at, computed small, by the name of its module's first word.
STATES = """
from explorer.pages.cascade.queries import THRESHOLD
from explorer.pages.selectivity.state import ANSWER
from explorer.app import extension
extension()
from explorer.pages.frontier.state import FrontierState
from explorer.pages.frontier.queries import TRACES
from explorer.session.state import SessionState, bundled
from explorer.pages.problem.files import tiny_world

data = bundled("breast_cancer")
frontier = FrontierState(dataset=data, methods=["l1"])
frontier.budget = 0.3 * data.hypergraph.total_cost
TRACES.answer(frontier)

from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.training import train_cascade
cascade = CascadeState(source="breast_cancer")
THRESHOLD.answer(cascade)

from explorer.document.editor import EditorState
editor = EditorState(tiny_world())

from explorer.pages.lessons.state import SHOWN, VERDICT
from explorer.pages.lessons.state import LessonsState
lessons = LessonsState()
SHOWN.answer(lessons)
VERDICT.answer(lessons)

from explorer.session.study_part import Measured, StudyState
from solvers.papers.figures import all_figures
from solvers.papers.figures import figure_8
drawn = Measured(all_figures()["8"], tuple(figure_8([100, 200], psis=[1e-3, 1e-2])))
paper = StudyState(all_figures(), figure="8", measured=drawn)

from explorer.pages.selectivity.state import SelectivityState
selectivity = SelectivityState(dataset=data, loss="logistic")
ANSWER.answer(selectivity)

from explorer.pages.structured.state import StructuredState
from explorer.pages.structured.queries import COMPARED
structured = StructuredState()
structured.param.update(n_nodes=40, methods=["LOGREG", "CSMN"], method="CSMN")
COMPARED.answer(structured)

from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.queries import SEARCH
from explorer.pages.trimming.sources import open_network
trimming = TrimmingState(dataset=data, source="quiz")
opened = trimming.open_request()
trimming.take(next(open_network(opened)), opened)
SEARCH.answer(trimming)

from explorer.pages.proof.queries import ANSWER as PROVEN, FLOORS
from explorer.pages.proof.state import ProofState
proof = ProofState(tol=0.05)
for run in FLOORS.work(proof, "wanted"):
    proof.show_floors(run)
    if run.is_whole:
        break
PROVEN.answer(proof)

SEEN = [frontier, cascade, editor, lessons, paper]
STATES = [*SEEN, selectivity, structured, trimming, proof]
"""
# The first view of a package is alone the last line of a cell; of the others a few
# share one: each output repeats every style, and a large one is looked through again
# for each of its parts.
TOGETHER = 6
SHOWING = """
import importlib
import inspect
import panel

def made(module, name):
    found = getattr(importlib.import_module(module), name)
    kinds = found.param.objects() if "state" in found.param else {}
    takes = inspect.signature(found.__init__).parameters
    wanted = kinds["state"].class_ if kinds else type(editor)
    given = {one: print for one in ("on_pick", "light") if one in takes}
    if kinds or "state" in takes:
        given["state"] = next(one for one in STATES if isinstance(one, wanted))
    return found(**given)

"""


# The app itself, the command, what views derive from, what holds them, and cards.
NO_VIEWS = (
    "explorer.app",
    "explorer.__main__",
    "explorer.widgets.figure_view",
    "explorer.widgets.folds",
)


def views():
    """Every viewer that is not built of controls: a view stands by itself."""
    for info in pkgutil.walk_packages(explorer.__path__, "explorer."):
        if info.name in NO_VIEWS:
            continue
        found = importlib.import_module(info.name)
        for name, member in vars(found).items():
            if not (inspect.isclass(member) and issubclass(member, Viewer)):
                continue
            if member.__module__ != info.name or name[0] == "_" or is_base(member):
                continue
            if not any(map(has_controls, member.__mro__)) and not asked(member):
                yield info.name, name


def asked(kind):
    """What is to be given to make one of a kind, but for what `made` below gives."""
    takes = inspect.signature(kind).parameters.values()
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = {one.name for one in takes if one.default is one.empty}
    rest = {one.name for one in takes if one.kind in kinds}
    return needed - rest - {"state", "on_pick", "light"}


def is_base(kind):
    """Whether a class leaves methods to those that derive from it."""
    own = vars(kind).values()
    return any(getattr(method, "__isabstractmethod__", False) for method in own)


@cache
def has_controls(kind):
    """Whether a class builds controls, or its module does for it."""
    module = sys.modules[kind.__module__]
    if not module.__name__.startswith("explorer."):
        return False
    named = {
        name
        for name, found in vars(module).items()
        if getattr(found, "__module__", "") == "explorer.widgets.controls"
    }
    source = inspect.getsource(kind)
    return "pmui" in source or bool(named & {*re.findall(r"\w+", source)})


def by_package():
    """All of them: looked for when the test runs, since it takes seconds."""
    found = {}
    for module, name in sorted(views()):
        found.setdefault(module.rpartition(".")[0], []).append((module, name))
    return dict(sorted(found.items()))


# One that is linear, one of trees, one that leaves early: a kernel is no other Python.
METHODS = ("acafh", "cegb", "tefe")
SOLVING = """
from solvers import all_methods
method = all_methods()["{name}"]
next(method(hypergraph=data.hypergraph).path(data.X[:150], data.y[:150]))
"""
# Solvers of other questions, and how their answers begin.
OTHERS = {
    "trimming": (
        "from solvers.bayes import bundled_classifier, trim\n"
        "trim(bundled_classifier('quiz'), 2)",
        "Trimming(features=('Q1', 'Q2')",
    ),
    "graphs": (
        "from solvers.markov import CostSensitiveMarkovNetwork, grow_graphs\n"
        "*training, test = grow_graphs(3, 60, random_state=0)\n"
        "CostSensitiveMarkovNetwork().fit(training).predict(test)[:2]",
        "array([",
    ),
    "regression": (
        "from solvers.methods.selective_ridge import SelectiveRidgeRegressor\n"
        "SelectiveRidgeRegressor().fit(data.X[:, :5], data.X[:, 5])",
        "SelectiveRidgeRegressor(",
    ),
}
PAGE = Path(__file__).parents[2] / "docs" / "teaching.md"
BLOCKS = re.findall(
    r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", PAGE.read_text("utf-8"), re.DOTALL
)


# The app computes what its first page asks for, while other cells are run.
# There is no browser that would have to draw it first.
APP = """
import explorer
from explorer.session import context
context.CONNECT_SECONDS = 0.0
app = explorer.app()
state = app._page_parts("frontier").state
state.settings = {"acafh.candidates": "best", "acafh.n_alphas": 6, "l1.n_alphas": 6}
state.methods = ["acafh", "l1"]
app
"""
COMPUTED = """
import asyncio
for _ in range(1200):
    if state.traces and all(t.is_complete for t in state.traces.values()):
        break
    await asyncio.sleep(0.1)
context.CONNECT_SECONDS = 600.0  # those that follow wait for a browser, which is none
sorted(state.traces), state.chosen().reason
"""


def showing(packages):
    """The cells that show every view, by the package and how."""
    yield "made", SHOWING
    for package, (first, *others) in packages.items():
        yield f"{package}, alone", f"made{first}"
        for k in range(0, len(others), TOGETHER):
            shown = others[k : k + TOGETHER]
            yield f"{package}, {k}", f"panel.Column(*(made(*one) for one in {shown}))"


def ran(packages):
    """Every cell of the notebook, by what it shows."""
    # They take seconds to be imported, in each worker that only collects this file.
    import nbformat
    from nbclient import NotebookClient

    sources = {
        "app": APP,
        "computed": COMPUTED,
        "states": STATES,
        **dict(showing(packages)),
        **{name: SOLVING.format(name=name) for name in METHODS},
        **{name: source for name, (source, _) in OTHERS.items()},
        # What an app shows, the first cell shows.
        **{f"block {i}": f"{code}\nNone" for i, (code, _) in enumerate(BLOCKS)},
    }
    cells = [nbformat.v4.new_code_cell(source) for source in sources.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(
        notebook, timeout=180, kernel_name="python3", allow_errors=True
    ).execute()
    return dict(zip(sources, notebook.cells, strict=True))


def failed(cell):
    return [output for output in cell.outputs if output.output_type == "error"]


def shown(cell):
    return [output.data for output in cell.outputs if "data" in output]


def test_app_views_and_solvers_work_in_the_cells_of_a_notebook():
    packages = by_package()
    cells = ran(packages)
    errors = {name: failed(cell) for name, cell in cells.items() if failed(cell)}
    assert not errors
    for name in ("app", *dict(showing(packages)).keys() - {"made"}):
        assert any("text/html" in data for data in shown(cells[name])), name
    (answer,) = shown(cells["computed"])
    assert "'acafh'" in answer["text/plain"]
    assert "'budget'" in answer["text/plain"]
    for name in METHODS:
        (data,) = shown(cells[name])
        assert all_methods()[name].__name__ in data["text/plain"]
        assert "text/html" in data, name  # scikit-learn's diagram of an estimator
    for name, (_, beginning) in OTHERS.items():
        (data,) = shown(cells[name])
        assert data["text/plain"].startswith(beginning)
    # The page on notebooks says what they do.
    for i, (_, expected) in enumerate(BLOCKS):
        outputs = cells[f"block {i}"].outputs
        assert "".join(one.text for one in outputs if "text" in one) == expected
    # Nothing asks another host.
    html = [
        data.get("text/html", "") for cell in cells.values() for data in shown(cell)
    ]
    for text in html:
        assert 'src="http' not in text
        assert '<link rel="stylesheet" href="http' not in text


def test_a_cell_can_be_run_again():
    from explorer.app import Explorer

    assert callable(explorer.app)
    assert Explorer.__module__ == "explorer.app"
