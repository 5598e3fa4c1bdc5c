"""Sessions that tests open, without pages or with the state of two."""

import numpy as np
import pandas as pd

from explorer.pages import all_pages
from explorer.pages.cascade.state import CascadeState
from explorer.pages.frontier.state import FrontierState
from explorer.session.autosave import Autosave
from explorer.session.context import Context
from explorer.session.state import SessionState, bundled
from solvers import Dataset, FeatureHypergraph
from solvers.datasets import from_frame

DECLARED = {page.name: (page.state, page.kept) for page in all_pages().values()}


class World:
    """One person's session with the states of two pages, and what keeps it."""

    def __init__(self, dataset=None):
        self.session = SessionState(dataset=dataset or bundled("breast_cancer"))
        self.context = Context(self.session)
        self.undo_stack, self.choices = self.context.undo_stack, self.context.choices
        self.editor = self.context.problem.editor
        self.frontier = FrontierState(dataset=self.session.dataset)
        self.cascade = CascadeState()
        with self.undo_stack.quiet():
            for name, state in [("frontier", self.frontier), ("cascade", self.cascade)]:
                self.choices.adopt(name, state, DECLARED[name][1])
        self.session.param.watch(
            lambda event: self.frontier.open_dataset(event.new), "dataset"
        )
        self.autosave = Autosave(self.context, DECLARED)

    def everything(self):
        """All that a person could have changed, in the types of JSON."""
        return self.autosave.document(), self.session.dataset.hypergraph


def own_table(n_rows=40):
    """A table that no maker makes."""
    rng = np.random.default_rng(0)
    hypergraph = FeatureHypergraph(
        [[1, 1, 0], [0, 0, 1]], [3.0, 0.5], ("peak", "mean", "größe"), ("fft", "sum")
    )
    X = rng.standard_normal((n_rows, 3))
    y = np.where(X[:, 0] + X[:, 2] > 0, "sick", "well")
    return Dataset("own", X, y, hypergraph, positive="sick", notes=("One note.",))


def words_gaps_and_dates(n_classes=2, n=240, seed=0):
    """A table of a number with gaps, a category, a date and a plain number.

    Two of them share a visit.
    """
    rng = np.random.default_rng(seed)
    place = rng.integers(0, n_classes, n)
    days = rng.integers(0, 700, n) + 40 * place
    frame = pd.DataFrame(
        {
            "late": np.where(rng.random(n) < 0.15, np.nan, rng.normal(size=n) - place),
            "pain": np.where(
                rng.random(n) < 0.6,
                np.array(["dull", "none", "sharp"])[place],
                rng.choice(["dull", "none", "sharp", "odd"], n),
            ),
            "seen": pd.Timestamp("2020-01-01") + pd.to_timedelta(days, "D"),
            "age": rng.normal(size=n) + 0.5 * place,
            "stage": np.array(["low", "middle", "top"])[place],
        }
    )
    prices = FeatureHypergraph(
        np.array([[1, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=bool),
        np.array([2.0, 1.0, 1.5, 0.5]),
        ("late", "pain", "seen", "age"),
        ("visit", "test", "question", "file"),
        unit="CAD",
    )
    return from_frame(frame, "stage", hypergraph=prices)
