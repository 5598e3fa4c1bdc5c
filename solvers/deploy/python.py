"""A policy as one Python file that needs nothing but Python."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..decisions import basket, coding, machine
from ..decisions.program import priced_data, turns_data
from ..features.pipeline import FeaturePipeline
from ..features.tracing import TracedExtractor
from ..values import names, reading
from .policy import DeployablePolicy
from .raw import raw_text
from .taken_source import module_source
from .text import bill, columns_by_name, nodes_by_name, prices_by_name

_HEAD = """\
from __future__ import annotations

import math
import operator
{coding}from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
{dates}from typing import Any, NamedTuple, Protocol
"""
_PLAIN = "import unicodedata\n"
_CODING = "import re\nimport unicodedata\nimport zlib\n"
_DATES = "from datetime import UTC, date, datetime, time, timedelta\n"

_BASKET = "basket, filled = Basket(FeatureValues(sample, NEEDS)), dict[str, None]()"
_CODED_BASKET = """\
features = CodedValues(sample, KINDS, GAPS, FORMS, NEEDS)
    columns = ColumnValues(features, COLUMNS)
    basket, filled = Basket(features, columns), columns.filled"""

_TAIL = '''\
class Decision(NamedTuple):
    """What was decided about a sample, and what was bought for it."""

    label: Any
    # of two classes the higher the more the second of CLASSES; else one a class
    score: float | tuple[float, ...]
    computed: tuple[str, ...]  # features, in the order in which they were asked for
    cost: float
    why: str  # it stopped
    said: Mapping[int, Sequence[float]]  # scores, by how many features were known
    guessed: tuple[str, ...]  # features without a value, though training had all
    # features with a word that training did not know, or with a date further outside
    # of training's than these span
    unseen: tuple[str, ...]
    # what was computed has no chance at all in a network: the label is that of nothing
    # known, and no answer about this sample
    impossible: bool

    @property
    def bill(self) -> tuple[BillLine, ...]:
        """What each purchase cost, shared and changed."""
        return bill_lines(self.computed, self.said, NEEDS, COSTS)


PREPARED = prepared_nodes(NODES, ROOTS, STEPS, NEEDS, COSTS, PARENTS)


def decide(sample: Mapping[str, Any]) -> Decision:
    """Decide about a sample: features by name, as values or as what computes them."""
    {features}
    totals = run_policy(PREPARED, ROOTS, N_SUMS, basket, RESTS, TURNS)
    scores = [total / DIVISOR + OFFSET for total in totals]
    scores = [scores[1] - scores[0]] if N_SUMS == 2 else scores
    scores = priced_scores(scores, *PRICED) if PRICED else scores
    if N_SUMS > 2:
        winner = scores.index(max(scores))
        score = tuple(scores)
    else:
        score = scores[0]
        winner = int(score {above} CUT)
    computed = tuple(basket.features)
    paid = set[str]().union(*[NEEDS[name] for name in computed])
    cost = math.fsum([COSTS[part] for part in paid])
    guessed = tuple([name for name in filled if name in COMPLETE])
    unseen = unseen_features(basket.features, UNSEEN)
    label, said, why = CLASSES[winner], basket.said, basket.why
    notes = guessed, unseen, basket.is_impossible
    return Decision(label, score, computed, cost, why, said, *notes)
'''


def python_text(
    policy: DeployablePolicy,
    notes: Sequence[str] = (),
    pipeline: FeaturePipeline | TracedExtractor | None = None,
) -> str:
    """Return the file, with what computes the features where there is a pipeline."""
    if pipeline is None:
        return _text(policy, notes)
    told, text = raw_text(policy.features, pipeline, beside=_text(policy, ()))
    return f"{_text(policy, [*notes, *told])}\n\n{text}"


def _text(policy: DeployablePolicy, notes: Sequence[str]) -> str:
    is_plain = policy.is_plain
    above = ">=" if policy.calls_at_cut else ">"
    modules = [names, basket, machine]
    modules += [] if is_plain else [reading, coding]
    more = (_PLAIN, "") if is_plain else (_CODING, _DATES)
    nodes = nodes_by_name(policy)
    return "\n".join(
        [
            _docstring(bill(policy, notes)),
            _HEAD.format(coding=more[0], dates=more[1]),
            *(f"{name} = {_literal(value)}" for name, value in _tables(policy).items()),
            "# At each node: what is bought, where values begin, what is weighed; then",
            "# a bound and two ways on, or when to leave and else where to go on.",
            "NODES: Sequence[Mapping[str, Any]] = (",
            *(f"    {_literal(node)},  # {k}" for k, node in enumerate(nodes)),
            ")",
            "",
            "",
            "\n\n".join(map(module_source, modules)),
            "",
            _TAIL.format(features=_BASKET if is_plain else _CODED_BASKET, above=above),
        ]
    )


def _tables(policy: DeployablePolicy) -> dict[str, Any]:
    features = policy.features
    needs, costs = prices_by_name(policy)
    tables: dict[str, Any] = {
        "CLASSES": policy.classes,
        "COSTS": costs,
        "NEEDS": needs,
        "ROOTS": policy.roots,
        "N_SUMS": policy.n_sums,
        "RESTS": policy.rests,
        "TURNS": turns_data(policy.turns),
        "STEPS": policy.steps,
        "DIVISOR": policy.divisor,
        "OFFSET": policy.offset,
        "CUT": policy.cut,
        "PRICED": priced_data(policy.priced),
    }
    if not policy.is_plain:
        tables["KINDS"] = {
            name: (kind.kind, kind.words)
            for name, kind in zip(features, policy.kinds, strict=True)
            if kind.kind != "number"
        }
        readers = {
            name: kind.reader.printed
            for name, kind in zip(features, policy.kinds, strict=True)
            if kind.reader is not None
        }
        tables["GAPS"] = policy.gap_marks
        tables["FORMS"] = readers
        tables["COLUMNS"] = columns_by_name(policy)
    tables["COMPLETE"] = tuple(features[j] for j in policy.guessed)
    tables["UNSEEN"] = {
        name: kind.unseen
        for name, kind in zip(features, policy.kinds, strict=True)
        if kind.unseen
    }
    made = tables.get("COLUMNS", {})
    tables["PARENTS"] = {name: of["of"] for name, of in made.items()}
    return tables


def _docstring(lines: Sequence[str]) -> str:
    text = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{text}\n"""\n'


def _literal(value: Any) -> str:
    """Return a value as Python writes it, in ASCII."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_literal(k)}: {_literal(v)}" for k, v in value.items())
        return f"{{{inner}}}"
    if isinstance(value, tuple):
        inner = ", ".join(map(_literal, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else ("-" * (value < 0)) + "math.inf"
    return ascii(value)
