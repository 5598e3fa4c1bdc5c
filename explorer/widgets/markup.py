"""Markup that is ours: panes in the style of the app, terms explained, messages.

A term in text gets a meaning that also those hear who do not see it; the whole list
stands behind "What am I looking at?" on every page, for the labels of pictures.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from inspect import getdoc
from typing import Any

import panel as pn
import param
from panel.viewable import Viewer

from solvers import all_methods

from .lights import lit_word
from .text import plain
from .theme import STYLES

# Of methods that nothing is written of here: how their class describes itself.
_METHODS = {
    method.title: (getdoc(method) or "").partition("\n")[0].rstrip(".")
    for method in all_methods().values()
}
#: Meaning by term, as it is written on the pages.
TERMS = _METHODS | {
    "+ decision pr.": (
        "probability that the original classifier decides positive, given what the "
        "trimmed one sees"
    ),
    "− decision pr.": (
        "probability that the original classifier decides negative, given what the "
        "trimmed one sees"
    ),
    "ACAFH": (
        "accelerated cost-aware classification over feature hypergraphs (Li et al. "
        "2019): CAFH, block by block"
    ),
    "CAFH": (
        "cost-aware classification over feature hypergraphs (Li et al. 2019): a linear "
        "model with an ℓ½ charge on components"
    ),
    "CSTC": (
        "cost-sensitive tree of classifiers (Xu et al. 2014): each node's linear model "
        "decides which features are bought next"
    ),
    "csDT": (
        "cost-sensitive decision tree: least cost of errors and features together, in "
        "one currency"
    ),
    "csNB": (
        "cost-sensitive naive Bayes: buys a feature while it promises more than it "
        "costs"
    ),
    "DAG": (
        "directed acyclic graph of features (Wang et al. 2015): each row takes the "
        "path that pays best for it"
    ),
    "JIT": (
        "decision tree that buys just in time: it splits where a feature tells most "
        "for what it costs"
    ),
    "CSMN w/o CSINF": (
        "a Markov network trained for costs that decides without them: each site takes "
        "its likelier label"
    ),
    "CSMN": (
        "cost-sensitive Markov network (Sen and Getoor 2006): trained and decided for "
        "least expected cost"
    ),
    "ECA-Trim": (
        "the search that trims a classifier for expected classification agreement "
        "(Choi and Van den Broeck 2018)"
    ),
    "ECA": "expected classification agreement: how often two classifiers decide alike",
    "F1": "harmonic mean of precision and sensitivity, from 0 to 1",
    "FS-SDD": (
        "feature selection by the same-decision probability: the same search with the "
        "original's threshold kept"
    ),
    "LOGREG": "logistic regression: each site by itself, without its links",
    "MAA": (
        "maximum achievable agreement: how often a trimming decides as the original, "
        "with the best threshold for it"
    ),
    "MPA": (
        "maximum potential agreement: a bound on the agreement of every set below a "
        "node of the search"
    ),
    "MN": "Markov network, trained for likelihood and decided by the likeliest labels",
    "TEFE": (
        "time-efficient feature extraction (Liu et al. 2008): a cascade of support "
        "vector machines with early exits"
    ),
    "on the boundary": (
        "the weight is zero, and the least further gain would make it different from "
        "zero: it stands exactly at ±μ"
    ),
    "ridge": "a weight in use: shrunk in proportion to its size",
    "ℓ1": "charge on the sum of absolute weights",
    "ℓ½": (
        "charge on square roots of weights (p = ½): the first feature of a component "
        "pays for it, the next pay little"
    ),
    "λ": "trade-off: how much cost counts beside errors",
    "μ": "selectivity: weights that gain less than this stay at zero",
    "ρ": "label agreement: how often linked sites have the same label",
    "ψ": "sharing: probability that a feature needs another feature's component",
    "95th percentile": "19 of 20 rows cost no more than this",
}


@lru_cache(maxsize=64)
def _found(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds terms and names, the longest of those that overlap."""
    # Of thousands of names only those matter that have a term within.
    near = {name for name in names if any(term in name for term in TERMS)}
    words = sorted({*TERMS, *near}, key=len)[::-1]
    return re.compile("|".join(rf"(?<!\w){re.escape(w)}(?!\w)" for w in words if w))


def explained(
    text: str, told: set[str] | None = None, names: Sequence[str] = ()
) -> str:
    """Return text as HTML that shows exactly it, with what its terms mean.

    Each term is told once, where it stands first.

    `told`: terms that were told before; those of the text are added.
    `names`: of features and the like, no terms even where they read like one.
    """
    told = set() if told is None else told
    parts, end = [], 0
    for found in _found(tuple(names)).finditer(text):
        if found[0] in told or found[0] in names:
            continue
        told.add(found[0])
        parts += [escape(text[end : found.start()]), _term(found[0], text)]
        end = found.end()
    return "".join([*parts, escape(text[end:])])


def _term(term: str, text: str) -> str:
    name = f"term-{zlib.crc32(f'{term} {text}'.encode()):x}"
    return (
        f'<dfn tabindex="0" aria-describedby="{name}">{escape(term)}</dfn>'
        f'<span class="meaning" role="tooltip" id="{name}">{escape(TERMS[term])}</span>'
    )


def glossary_markup() -> str:
    """Return all terms with their meanings."""
    rows = (f"<dt>{escape(t)}</dt><dd>{escape(m)}</dd>" for t, m in TERMS.items())
    return f"<h3>Short names and symbols</h3><dl>{''.join(rows)}</dl>"


# Characters that the answer of a page has, or less: what is below stays where it is.
SUMMARY_PLACE = 380


def markup(html: Any = "", **options: Any) -> pn.pane.HTML:
    """Return a pane of markup; text from people goes through `plain` before."""
    look = {"sizing_mode": "stretch_width", "margin": (2, 10), "stylesheets": [STYLES]}
    return pn.pane.HTML(html, **{**look, **options})


def _rest(missing: int) -> str:
    """Return what holds the place of characters to come; nobody sees or hears it."""
    if missing <= 0:
        return ""
    rest = "place " * (1 + missing // 6)
    return f'<span class="place" aria-hidden="true"> {rest}</span>'


def summary_markup(
    text: str,
    names: Sequence[str] = (),
    lead: str = "",
    lights: Mapping[str, str] | None = None,
    is_true: bool = True,
) -> str:
    """Return the answer of a page, which is read aloud whenever it changes.

    `names`: of features in it, no terms even where they read like one. `lead`: the
    answer itself, before what is to be known of it. `lights`: what words of that light
    in the pictures, by the words. `is_true`: grey until it is.
    """
    told: set[str] = set()
    first = explained(lead, told, names)
    for words, thing in (lights or {}).items():
        first = first.replace(escape(words), lit_word(thing, words), 1)
    if lead:
        first = f"<strong>{first}</strong> "
    waits = "" if is_true else " waits"
    missing = SUMMARY_PLACE - len(lead) - len(text)
    return (
        f'<div role="status" aria-live="polite" class="summary{waits}">'
        f"{first}{explained(text, told, names)}{_rest(missing)}</div>"
    )


class Message(Viewer):
    """A sentence from anywhere, shown as plain text; nothing while it is empty."""

    text = param.String(default="", allow_refs=True, doc="What is said.")
    kind = param.Selector(default="error", objects=["error", "warning", "info"])

    def __panel__(self) -> pn.viewable.Viewable:
        return told_together(self)

    def html(self) -> str:
        """Return what is shown, in an element that is read aloud when it changes."""
        role = "status" if self.kind == "info" else "alert"
        shown = f'<div class="message {self.kind}">{plain(self.text)}</div>'
        return f'<div role="{role}">{shown if self.text else ""}</div>'


def told_together(*said: Message) -> pn.pane.HTML:
    """Return messages below each other in one pane: most say nothing most of the time.

    A pane of its own for each would have to be made, sent and laid out as well.
    """
    pane = markup("")

    def write(*_: Any) -> None:
        pane.object = "".join(one.html() for one in said)

    for one in said:
        one.param.watch(write, "text")
    write()
    return pane
