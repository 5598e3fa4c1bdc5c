"""Every figure and table of the five papers: what it shows, what came out, where.

No verdict stands here: each follows from what was computed and recorded last.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvers.papers import findings, verdict

from .course import Visit

__all__ = ["PAPERS", "Entry", "Paper"]

UNCLAIMED = "A sketch or an example: there is nothing to measure."


@dataclass(frozen=True)
class Entry:
    """One figure or table."""

    number: str  # As in the paper
    shows: str  # What, and on which data here if not on those of the paper
    key: str | None  # What its findings are recorded by; None where nothing is claimed
    visit: Visit | None  # Where it is computed; None where it is nowhere

    @property
    def verdict(self) -> str:
        """What follows from what was recorded last."""
        return UNCLAIMED if self.key is None else verdict(findings(self.key))


@dataclass(frozen=True)
class Paper:
    """A paper with its figures and tables, in order."""

    title: str  # Who, when and on what
    entries: tuple[Entry, ...]  # All of them


def _frontier(name: str) -> Visit:
    return Visit("frontier", "Frontier", f"figure={name}", "Figures of the paper")


def _cascade(name: str) -> Visit:
    return Visit("cascade", "Cascade", f"figure={name}", "The paper's figures")


_SCENES = "table=scenes_published&order=alone&confidence=distance"
_JOURNEY = Visit("cascade", "Cascade", _SCENES, "One row's journey")
_PRINTED = "As published, and what the printed tables give"


def _trimming(link: str, place: str = "") -> Visit:
    return Visit("trimming", "Trimming", link, place)


def _growth(link: str) -> Visit:
    place = "Where each method pays least"
    return Visit("structured", "Structured costs", f"scene=growth&{link}", place)


_LEARNED = "network=breast_cancer&model=naive_bayes&columns=12&states=2&T=0.5"
_TAN = "network=breast_cancer&model=tan&columns=12&states=2&T=0.5"

ACAFH = Paper(
    "Li et al. 2019: ACAFH, cost-aware classification over feature hypergraphs",
    (
        Entry(
            "Table 1",
            "Eleven statistics of a signal and what each costs",
            None,
            Visit("problem", "Problem", "data=published"),
        ),
        Entry(
            "Fig. 1",
            "The hypergraph of Table 1",
            None,
            Visit("problem", "Problem", "data=published"),
        ),
        Entry(
            "Fig. 2",
            "Best F1 within a budget, generated data",
            "ACAFH Fig. 2",
            _frontier("2"),
        ),
        Entry(
            "Fig. 3",
            "Best F1 within a budget, traffic (here: simulated)",
            "ACAFH Fig. 3",
            _frontier("3"),
        ),
        Entry(
            "Fig. 4",
            "Cost and F1 against features, generated data",
            "ACAFH Fig. 4",
            _frontier("4"),
        ),
        Entry(
            "Fig. 5",
            "Cost, components and F1 against features, traffic",
            "ACAFH Fig. 5",
            _frontier("5"),
        ),
        Entry(
            "Fig. 6",
            "Training time against features, generated data",
            "ACAFH Fig. 6",
            _frontier("6"),
        ),
        Entry(
            "Fig. 7",
            "Training time against features, traffic",
            "ACAFH Fig. 7",
            _frontier("7"),
        ),
        Entry(
            "Fig. 8",
            "Memory against features, generated data",
            "ACAFH Fig. 8",
            _frontier("8"),
        ),
        Entry(
            "Fig. 9",
            "Memory against features, traffic repeated",
            "ACAFH Fig. 9",
            _frontier("9"),
        ),
        Entry(
            "Fig. 10",
            "Time and blocks against sharing ψ",
            "ACAFH Fig. 10",
            _frontier("10"),
        ),
    ),
)
TEFE = Paper(
    "Liu et al. 2008: TEFE, a cascade of support vector machines",
    (
        Entry(
            "Fig. 1",
            "The greedy strategy",
            None,
            _JOURNEY,
        ),
        Entry(
            "Fig. 2",
            "The training procedure",
            None,
            _cascade("fig3"),
        ),
        Entry(
            "Fig. 3",
            "The path from machine to machine",
            "TEFE Fig. 3",
            _cascade("fig3"),
        ),
        Entry(
            "Fig. 4",
            "The testing procedure",
            None,
            _JOURNEY,
        ),
        Entry(
            "Table 1",
            "Image features and their times",
            None,
            Visit("cascade", "Cascade", _SCENES, "Stages"),
        ),
        Entry(
            "Fig. 5",
            "Accuracy against time, scenes",
            "TEFE Fig. 5",
            _cascade("fig5"),
        ),
        Entry(
            "Fig. 6",
            "Images of each exit (here: painted scenes)",
            "TEFE Table 2",
            _cascade("table2"),
        ),
        Entry(
            "Table 2",
            "Who leaves in which round",
            "TEFE Table 2",
            _cascade("table2"),
        ),
        Entry(
            "Fig. 7",
            "Accuracy against time, keywords (here: each of ten kinds against others)",
            "TEFE Fig. 7",
            _cascade("fig7"),
        ),
        Entry(
            "Fig. 8",
            "Accuracy against time, two classes (here: beaches and seas)",
            "TEFE Fig. 8",
            _cascade("fig8"),
        ),
        Entry(
            "Fig. 9",
            "Together with feature selection",
            "TEFE Fig. 9",
            _cascade("fig9"),
        ),
        Entry(
            "Fig. 10",
            "Threshold against time",
            "TEFE Fig. 10",
            _cascade("fig10"),
        ),
    ),
)
ECA = Paper(
    "Choi and Van den Broeck 2018: ECA-Trim, trimming Bayesian network classifiers",
    (
        Entry(
            "Fig. 1",
            "The quiz",
            "ECA Fig. 1",
            _trimming("network=quiz&charged=ones", _PRINTED),
        ),
        Entry(
            "Fig. 2",
            "A branch-and-bound tree",
            "ECA Fig. 2",
            _trimming(f"{_LEARNED}&B=4&charged=ones", "The search"),
        ),
        Entry(
            "Fig. 3",
            "A network of three features",
            "ECA Fig. 3",
            _trimming("network=fig3&T=0.55&charged=ones", "The network"),
        ),
        Entry(
            "Table 4",
            "How MAA({F1, F2}) is found",
            "ECA Table 4",
            _trimming("network=fig3&T=0.55&charged=ones", _PRINTED),
        ),
        Entry(
            "Fig. 5",
            "Agreement against accuracy of all subsets",
            "ECA Fig. 5",
            _trimming(
                f"{_LEARNED}&B=4&charged=ones",
                "Does agreeing mean being accurate? (Fig. 5)",
            ),
        ),
        Entry(
            "Table 6",
            "Time and evaluations against exhaustive search",
            "ECA Table 6",
            _trimming(f"{_LEARNED}&B=4&charged=ones", "How much is searched (Table 6)"),
        ),
        Entry(
            "Fig. 7",
            "Against information gain: alarm, win95pts and a TAN, which the page opens",
            "ECA Fig. 7",
            _trimming(
                f"{_TAN}&B=4&charged=ones",
                "Against FS-SDD and information gain (Fig. 7)",
            ),
        ),
    ),
)
RIDGE = Paper(
    "Mottl et al. 2019: selective ridge, more features than samples",
    (
        Entry(
            "Fig. 1",
            "Time against the number of features, primal and dual",
            "Ridge Fig. 1",
            Visit(
                "selectivity",
                "Selectivity",
                "table=evoked",
                "Time against the number of features",
            ),
        ),
    ),
)
CSMN = Paper(
    "Sen and Getoor 2006: CSMN, cost-sensitive Markov networks",
    (
        Entry(
            "Fig. 1",
            "Cost over label agreement ρ",
            "CSMN Fig. 1",
            _growth("alpha=0.25&delta=0.25&curve=label_agreement"),
        ),
        Entry(
            "Fig. 2",
            "Cost over extra links α",
            "CSMN Fig. 2",
            _growth("rho=0.85&delta=0.25&curve=extra_links"),
        ),
        Entry(
            "Fig. 3",
            "Cost on the sensors of a lab (here: made up), over γ",
            "CSMN Fig. 3",
            Visit(
                "structured",
                "Structured costs",
                "scene=sensors&gamma=1",
                "Where each method pays least",
            ),
        ),
    ),
)

#: The five papers, in the order of the pages.
PAPERS = (ACAFH, TEFE, ECA, RIDGE, CSMN)
