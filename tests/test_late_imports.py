"""What is dear to import is imported by what needs it, and by nothing before."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# One process does all, in turn: what none before has loaded, none has.
ASKED = """
import sys

def absent(*names):
    loaded = {*names} & {*sys.modules}
    assert not loaded, loaded

import explorer.commands.serve, explorer.serving.opening
absent("numpy", "sklearn", "scipy", "pandas", "joblib", "panel", "bokeh", "tornado")

import solvers
absent("panel", "holoviews", "bokeh", "matplotlib", "numpy")
solvers.all_methods()["cegb"]()
absent("lightgbm")

from solvers import bayes
bayes.trim(bayes.bundled_classifier("quiz"), 1)
bayes.classic_network("asia")
absent("pgmpy")

from solvers.frontier.sweep import sweep
next(sweep(["l1"], ["breast_cancer"], n_workers=1))
absent("dask", "distributed")

import explorer.export, explorer.export.bundle, explorer.plots
absent("panel", "holoviews", "bokeh", "matplotlib")
import explorer.pages.frontier.state
absent("panel")

import explorer.app
from explorer.pages import all_pages
all_pages()
absent("matplotlib", "holoviews", "dask", "distributed", "pgmpy", "lightgbm", "IPython")
"""
# For the day when lessons run in a browser alone, where there is none of it.
WATCHED = """
import sys

done = []

def hear(event, given):
    if event == "open" and isinstance(given[1], str) and {*given[1]} & {*"wax+"}:
        done.append((event, given))
    if event in ("_thread.start_new_thread", "subprocess.Popen", "os.fork", "os.exec",
                 "os.posix_spawn", "socket.connect", "os.mkdir"):
        done.append((event, given))

sys.dont_write_bytecode = True
sys.addaudithook(hear)
import solvers
for name in solvers.__all__:
    getattr(solvers, name)
assert set(solvers.all_methods()) and not done, done
"""


def test_solvers_sweeps_exports_and_states_load_nothing_that_they_do_not_use():
    subprocess.run([sys.executable, "-c", ASKED], check=True, cwd=ROOT)


def test_solvers_starts_nothing_and_writes_nothing_as_it_is_imported():
    subprocess.run([sys.executable, "-c", WATCHED], check=True, cwd=ROOT)
