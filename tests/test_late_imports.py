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

import solvers
absent("panel", "holoviews", "bokeh", "matplotlib", "explorer")
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
"""


def test_solvers_sweeps_exports_and_states_load_nothing_that_they_do_not_use():
    subprocess.run([sys.executable, "-c", ASKED], check=True, cwd=ROOT)
