"""Every figure and table of the five papers: what it shows, what came out, where.

No verdict stands here: each follows from what was computed and recorded last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from solvers.papers import Finding, findings

from ...session.link import Visit
from ...widgets.assets import asset
from ...widgets.text import in_powers
from ...widgets.theme import palette

# What so many claims of a figure do, and one of them.
OUTCOMES = {
    "holds": ("hold", "holds"),
    "within noise": ("within noise", "within noise"),
    "one run": ("seen once", "seen once"),
    "does not hold": ("do not hold", "does not hold"),
}
NOT_COMPUTED = "Not computed yet."
UNCLAIMED = "A sketch or an example: there is nothing to measure."


@dataclass(frozen=True)
class Entry:
    """One figure or table."""

    name: str  # Its paper and number
    number: str  # As in the paper
    shows: str  # What, and on which data here if not on those of the paper
    key: str | None  # What its findings are recorded by; None where nothing is claimed
    visit: Visit | None  # Where it is computed; None where it is nowhere

    @property
    def counts(self) -> list[dict[str, str]]:
        """How many of its claims came out how, in a few words each."""
        counts = Counter(one.outcome for one in self._found())
        return [
            {"outcome": outcome, "text": f"{n} {words[n == 1]}"}
            for outcome, words in OUTCOMES.items()
            if (n := counts[outcome])
        ]

    @property
    def shown(self) -> dict[str, Any]:
        """All of it as the screen has it."""
        visit = self.visit
        claims = [
            {
                "sentence": one.sentence,
                "published": in_powers(one.published),
                "measured": in_powers(one.measured),
                "outcome": one.outcome or "",
                "text": OUTCOMES[one.outcome][1] if one.outcome else "not judged here",
            }
            for one in self._found()
        ]
        return {
            "number": self.number,
            "shows": self.shows,
            "said": UNCLAIMED if self.key is None else "" if claims else NOT_COMPUTED,
            "counts": self.counts,
            "claims": claims,
            "study": self.key is not None,
            "page": "" if visit is None else visit.title,
            "query": "" if visit is None else visit.query,
        }

    def _found(self) -> tuple[Finding, ...]:
        """Return what was recorded last; nothing where nothing is claimed, or yet."""
        return () if self.key is None else findings(self.key) or ()


@dataclass(frozen=True)
class Paper:
    """A paper with its figures and tables, in order."""

    title: str  # Who, when and on what
    entries: tuple[Entry, ...]  # All of them


def _scenes(place: str) -> Visit:
    link = "table=scenes_published&order=alone&confidence=distance"
    return Visit("cascade", "Early exit", link, place)


def _trimming(link: str, place: str = "") -> Visit:
    return Visit("trimming", "Trimming", link, place)


def _structured(link: str) -> Visit:
    place = "Where each method pays least"
    return Visit("structured", "Linked mistakes", link, place)


def _paper(title: str, short: str, *entries: tuple[Any, ...]) -> Paper:
    """Return a paper of number, what is shown, whether something is claimed, and where.

    `short`: what its findings are recorded by, before the number. Where another
    table's findings are those of a figure, its number stands for what is claimed.
    """

    def key(number: str, claimed: bool | str) -> str | None:
        if not claimed:
            return None
        return f"{short} {number if claimed is True else claimed}"

    return Paper(
        title,
        tuple(Entry(f"{short} {n}", n, s, key(n, c), v) for n, s, c, v in entries),
    )


_PUBLISHED = Visit("problem", "Prices", "data=published")
_TIMES = "Time against the number of features"
_PRINTED = "As published, and what the printed tables give"
_LEARNED = "network=breast_cancer&model=naive_bayes&columns=12&states=2&T=0.5"
_LEARNED += "&B=4&charged=ones"
_TAN = "network=breast_cancer&model=tan&columns=12&states=2&T=0.5&B=4&charged=ones"
_FIG3 = "network=fig3&T=0.55&charged=ones"

ACAFH = _paper(
    "Li et al. 2019: ACAFH, cost-aware classification over feature hypergraphs",
    "ACAFH",
    ("Table 1", "Eleven statistics of a signal and what each costs", False, _PUBLISHED),
    ("Fig. 1", "The hypergraph of Table 1", False, _PUBLISHED),
    *(
        (f"Fig. {n}", shows, True, None)
        for n, shows in enumerate(
            (
                "Best F1 within a budget, generated data",
                "Best F1 within a budget, traffic (here: simulated)",
                "Cost and F1 against features, generated data",
                "Cost, components and F1 against features, traffic",
                "Training time against features, generated data",
                "Training time against features, traffic",
                "Memory against features, generated data",
                "Memory against features, traffic repeated",
                "Time and blocks against sharing ψ",
            ),
            start=2,
        )
    ),
)
TEFE = _paper(
    "Liu et al. 2008: TEFE, a cascade of support vector machines",
    "TEFE",
    ("Fig. 1", "The greedy strategy", False, _scenes("One row's journey")),
    ("Fig. 2", "The training procedure", False, None),
    ("Fig. 3", "The path from machine to machine", True, None),
    ("Fig. 4", "The testing procedure", False, _scenes("One row's journey")),
    ("Table 1", "Image features and their times", False, _scenes("Stages")),
    ("Fig. 5", "Accuracy against time, scenes", True, None),
    (
        "Fig. 6",
        "Images of each exit (here: painted scenes)",
        "Table 2",
        None,
    ),
    ("Table 2", "Who leaves in which round", True, None),
    (
        "Fig. 7",
        "Accuracy against time, keywords (here: each of ten kinds against others)",
        True,
        None,
    ),
    (
        "Fig. 8",
        "Accuracy against time, two classes (here: beaches and seas)",
        True,
        None,
    ),
    ("Fig. 9", "Together with feature selection", True, None),
    ("Fig. 10", "Threshold against time", True, None),
)
ECA = _paper(
    "Choi and Van den Broeck 2018: ECA-Trim, trimming Bayesian network classifiers",
    "ECA",
    ("Fig. 1", "The quiz", True, _trimming("network=quiz&charged=ones", _PRINTED)),
    ("Fig. 2", "A branch-and-bound tree", True, _trimming(_LEARNED)),
    ("Fig. 3", "A network of three features", True, _trimming(_FIG3)),
    ("Table 4", "How MAA({F1, F2}) is found", True, _trimming(_FIG3, _PRINTED)),
    (
        "Fig. 5",
        "Agreement against accuracy of all subsets",
        True,
        _trimming(_LEARNED, "Does agreeing mean being accurate? (Fig. 5)"),
    ),
    (
        "Table 6",
        "Time and evaluations against exhaustive search",
        True,
        _trimming(_LEARNED, "How much is searched (Table 6)"),
    ),
    (
        "Fig. 7",
        "Against information gain: alarm, win95pts and a TAN, which the page opens",
        True,
        _trimming(_TAN, "Against FS-SDD and information gain (Fig. 7)"),
    ),
)
RIDGE = _paper(
    "Mottl et al. 2019: selective ridge, more features than samples",
    "Ridge",
    (
        "Fig. 1",
        "Time against the number of features, primal and dual",
        True,
        Visit("selectivity", "Selection", "table=evoked", _TIMES),
    ),
)
CSMN = _paper(
    "Sen and Getoor 2006: CSMN, cost-sensitive Markov networks",
    "CSMN",
    (
        "Fig. 1",
        "Cost over label agreement ρ",
        True,
        _structured("scene=growth&alpha=0.25&delta=0.25&curve=label_agreement"),
    ),
    (
        "Fig. 2",
        "Cost over extra links α",
        True,
        _structured("scene=growth&rho=0.85&delta=0.25&curve=extra_links"),
    ),
    (
        "Fig. 3",
        "Cost on the sensors of a lab (here: made up), over γ",
        True,
        _structured("scene=sensors&gamma=1"),
    ),
    (
        "Section 5.2",
        "Where the two steps of inference end",
        True,
        Visit(
            "structured",
            "Linked mistakes",
            "scene=growth",
            "Cost-sensitive inference, step by step",
        ),
    ),
)

#: The five papers, in the order of the pages.
PAPERS = (ACAFH, TEFE, ECA, RIDGE, CSMN)


class PaperClaims(JSComponent):
    """Figures and tables of one paper, with what became of what they claim."""

    title = param.String(default="", doc="Of the paper.")
    is_rest = param.Boolean(default=False, doc="Whether others stand above, untitled.")
    entries = param.List(default=[], doc="What is shown of each figure and table.")
    opened = param.Integer(default=-1, doc="Place of what is open below; -1: none.")
    link_colour = param.String(default="", doc="Of links, in the theme.")
    dark = param.Boolean(default=False, doc="Whether the page is dark.")

    _rename: ClassVar[dict[str, str | None]] = {"dark": None}
    _esm = asset("claims.js")

    def __init__(self, told: Callable[[str, int], None], **params: Any) -> None:
        """Show entries; `told`: takes "open" or "see", and the place of an entry."""
        self._told = told
        super().__init__(**params)
        self.param.watch(lambda _: self._use_theme(), "dark")
        self._use_theme()

    def _use_theme(self) -> None:
        self.link_colour = palette(self.dark).lit

    def _handle_msg(self, message: Any) -> None:
        asked = message if isinstance(message, dict) else {}
        for word, place in asked.items():
            if isinstance(place, int) and 0 <= place < len(self.entries):
                self._told(word, place)
