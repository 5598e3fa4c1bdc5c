"""Every figure and table of the five papers: what it shows, whether it holds, where.

The verdicts are those of the pages under ``docs/methods`` and of
``docs/figures_acafh.md``; each is computed anew on the page that an entry opens.
"""

from __future__ import annotations

from dataclasses import dataclass

from .course import Visit

__all__ = ["PAPERS", "Entry", "Paper"]


@dataclass(frozen=True)
class Entry:
    """One figure or table."""

    number: str  # As in the paper
    shows: str  # What it shows
    verdict: str  # What the paper says of it, and what we measure, in a few words
    visit: Visit | None  # Where it is computed; None where it is nowhere


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

ACAFH = Paper(
    "Li et al. 2019: ACAFH, cost-aware classification over feature hypergraphs",
    (
        Entry(
            "Table 1",
            "Eleven statistics of a signal and what each costs",
            "A worked example, opened as a data set at its published prices.",
            Visit("problem", "Problem", "data=published"),
        ),
        Entry(
            "Fig. 1",
            "The hypergraph of Table 1",
            "Drawn from the same prices: many features share the mean.",
            Visit("problem", "Problem", "data=published"),
        ),
        Entry(
            "Fig. 2",
            "Best F1 within a budget, generated data",
            "The lead within 250 holds; most of it goes once L1 is refitted. “Only "
            "ours above .9 within 300” does not hold.",
            _frontier("2"),
        ),
        Entry(
            "Fig. 3",
            "Best F1 within a budget, traffic",
            "ACAFH leads both L1 methods at a fifth of the cost on simulated traffic, "
            "level with forward selection; the recordings are not public.",
            _frontier("3"),
        ),
        Entry(
            "Fig. 4",
            "Cost and F1 against features, generated data",
            "Hardly holds: as many features cost nearly the same, whichever they are.",
            _frontier("4"),
        ),
        Entry(
            "Fig. 5",
            "Cost, components and F1 against features, traffic",
            "Holds, most clearly beside L1.",
            _frontier("5"),
        ),
        Entry(
            "Fig. 6",
            "Training time against features, generated data",
            "The shape holds; a pair of brackets explains more of it than blocks do.",
            _frontier("6"),
        ),
        Entry(
            "Fig. 7",
            "Training time against features, traffic",
            "As Fig. 6; both L1 methods are faster here, slower in the paper.",
            _frontier("7"),
        ),
        Entry(
            "Fig. 8",
            "Memory against features, generated data",
            "The shape holds; a sparse matrix needs a megabyte where ACAFH needs 4 GB.",
            _frontier("8"),
        ),
        Entry(
            "Fig. 9",
            "Memory against features, traffic repeated",
            "Holds: the square of the features against their number.",
            _frontier("9"),
        ),
        Entry(
            "Fig. 10",
            "Time and blocks against sharing ψ",
            "Holds: one block from about mψ = 1 on, and then blocks save nothing.",
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
            "A sketch; one row's way through the stages shows it on real rows.",
            _JOURNEY,
        ),
        Entry(
            "Fig. 2",
            "The training procedure",
            "Pseudo code; Eq. (1) has a sign the wrong way round. The path is Fig. 3.",
            _cascade("fig3"),
        ),
        Entry(
            "Fig. 3",
            "The path from machine to machine",
            "Holds, with margins perturbed by 1e-8: without it the path breaks down on "
            "repeated rows.",
            _cascade("fig3"),
        ),
        Entry(
            "Fig. 4",
            "The testing procedure",
            "Pseudo code; stepped through row by row here.",
            _JOURNEY,
        ),
        Entry(
            "Table 1",
            "Image features and their times",
            "Taken over as prices; measured ones stand beside as another data set.",
            Visit("cascade", "Cascade", _SCENES, "Stages"),
        ),
        Entry(
            "Fig. 5",
            "Accuracy against time, scenes",
            "JIT and csDT saturate, as published; a fixed prefix, not in the paper, "
            "beats Eq. (12) at low cost.",
            _cascade("fig5"),
        ),
        Entry(
            "Fig. 6",
            "Images of each exit",
            "Computed with Table 2, on painted scenes.",
            _cascade("table2"),
        ),
        Entry(
            "Table 2",
            "Who leaves in which round",
            "Holds: the last round is the worst, the middle one the best.",
            _cascade("table2"),
        ),
        Entry(
            "Fig. 7",
            "Accuracy against time, keywords",
            "Ten problems of one kind against others stand in for the images searched.",
            _cascade("fig7"),
        ),
        Entry(
            "Fig. 8",
            "Accuracy against time, two classes",
            "On beaches and seas; the claims are settled where it is computed.",
            _cascade("fig8"),
        ),
        Entry(
            "Fig. 9",
            "Together with feature selection",
            "Better than Relief everywhere, as published; 36 features are not better "
            "than 60.",
            _cascade("fig9"),
        ),
        Entry(
            "Fig. 10",
            "Threshold against time",
            "“Almost linear” holds in the middle, not in the long tail above.",
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
            "One of four printed numbers agrees with the printed tables.",
            _trimming("network=quiz&charged=ones", _PRINTED),
        ),
        Entry(
            "Fig. 2",
            "A branch-and-bound tree",
            "A sketch with invented numbers; the tree of a real search stands here.",
            _trimming(f"{_LEARNED}&B=4&charged=ones", "The search"),
        ),
        Entry(
            "Fig. 3",
            "A network of three features",
            "Opened as printed; the best trimmings come out exactly.",
            _trimming("network=fig3&T=0.55&charged=ones", "The network"),
        ),
        Entry(
            "Table 4",
            "How MAA({F1, F2}) is found",
            "Holds but for rounding: .5528, not .56.",
            _trimming("network=fig3&T=0.55&charged=ones", _PRINTED),
        ),
        Entry(
            "Fig. 5",
            "Agreement against accuracy of all subsets",
            "Holds in kind on public tables; the mammography network is not public.",
            _trimming(
                f"{_LEARNED}&B=4&charged=ones",
                "Does agreeing mean being accurate? (Fig. 5)",
            ),
        ),
        Entry(
            "Table 6",
            "Time and evaluations against exhaustive search",
            "The published counts of FS-SDD come out; ours looks at far fewer sets.",
            _trimming(f"{_LEARNED}&B=4&charged=ones", "How much is searched (Table 6)"),
        ),
        Entry(
            "Fig. 7",
            "Against information gain",
            "Never behind, as published: but that is a theorem, and mostly a tie.",
            _trimming(
                f"{_LEARNED}&B=4&charged=ones",
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
            "The dual is linear, as published; so is a primal with structure.",
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
            "Links that agree pay, as published; “CSMN below MN at every ρ” does not "
            "hold, nor that it never pays more than LOGREG.",
            _growth("alpha=0.25&delta=0.25&curve=label_agreement"),
        ),
        Entry(
            "Fig. 2",
            "Cost over extra links α",
            "MN trained as in 2006 degrades, as published; trained from cold it is "
            "below CSMN at every α.",
            _growth("rho=0.85&delta=0.25&curve=extra_links"),
        ),
        Entry(
            "Fig. 3",
            "Cost on the sensors of a lab, over γ",
            "Less than LOGREG and MN at γ = 1, as published, on made-up sensors; not "
            "the least at every γ.",
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
