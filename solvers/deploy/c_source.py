"""The source of a policy in C: its tables, and the machine that walks them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from string import Template

import numpy as np

from ..datasets.columns.coding import FIRST_DAY, LAST_DAY
from ..decisions.program import (
    Answered,
    ExitIf,
    Fork,
    GatedFork,
    ProgramNode,
    Rectified,
    Shopping,
)
from ..errors import DeployError, printable, shown
from .policy import DeployablePolicy, PolicyColumn
from .text import identifiers, part_text

_ON_A_LINE = 4
_MOST_IN_A_STRING = 4095  # what every compiler of C99 takes


def real_of(value: float, real: str) -> str:
    """Return a number as a literal of a type."""
    value = float(value)  # a whole number's literal would be an integer's
    if real == "float":
        with np.errstate(over="ignore"):
            single = float(np.float32(value))
        # Compilers refuse what only rounds to one of these.
        value = single if single == 0.0 or math.isinf(single) else value
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "-INFINITY" if value < 0 else "INFINITY"
    return repr(value) + ("f" if real == "float" else "")


def listed(items: Iterable[str], on_a_line: int = _ON_A_LINE) -> str:
    """Return an initialiser's lines; C has no empty one."""
    words = list(items) or ["0"]
    lines = [words[k : k + on_a_line] for k in range(0, len(words), on_a_line)]
    return ",\n".join(f"    {', '.join(line)}" for line in lines)


def comment_of(text: str) -> str:
    """Return text that ends no comment, and begins none."""
    harmless = printable(text).replace("*/", "* /").replace("/*", "/ *")
    return re.sub(r"\?(?=\?)", "? ", harmless)  # no trigraph, of three marks neither


def string_of(value: object) -> str:
    """Return a string of C; what is not plain is written in octal."""
    raw = str(value).encode("utf-8", "replace")
    if len(raw) > _MOST_IN_A_STRING:
        raise DeployError(
            f"The name {shown(raw.decode())} has {len(raw):,} bytes, and C takes "
            f"{_MOST_IN_A_STRING:,}; give a shorter one."
        )
    return (
        '"'
        + "".join(
            chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}"
            for b in raw
        )
        + '"'
    )


_RULES = (
    *("ANSWERED", "IMPOSSIBLE", "FORK", "GATEDFORK", "RECTIFIED", "SHOPPING"),
    *("SIZE", "CLAIM", "GAP", "OUTSIDE", "LEAF", "ASK", "ASKNEGATED"),
)
_PARTS = {"": "NO_PART", "age": "AGE", "month": "MONTH", "weekday": "WEEKDAY"}
# Those of a time come last: it is none of the calendar's days.
_PARTS |= {part: part.upper() for part in ("hour", "minute", "sine", "cosine")}
_HINGES = {None: "STRAIGHT", "fold": "FOLD", "above": "HINGE_ABOVE"}
_HINGES["below"] = "HINGE_BELOW"


def source_text(policy: DeployablePolicy, real: str, types: Mapping[int, str]) -> str:
    """Return the source; `types`: of the features that are integers, by place."""
    tables = _Tables(policy, real)
    nodes = [tables.row(node) for node in policy.nodes]
    columns = "" if policy.is_plain else tables.columns()
    shop = next((n.rule for n in policy.nodes if isinstance(n.rule, Shopping)), None)
    stalls = "" if shop is None else tables.stalls(shop)
    words = identifiers(policy.features)
    components = (f"policy_component_{word}" for word in identifiers(policy.components))
    values = (
        f"policy_{'from' if k in types else 'feature'}_{word}"
        for k, word in enumerate(words)
    )
    first_need = accumulate(map(len, policy.needs), initial=0)
    needs = list(chain.from_iterable(policy.needs))
    most = max(len(tables.numbers), len(tables.asked), len(nodes), len(needs))
    index = "uint16_t" if most < 2**16 else "uint32_t"
    room = max(len(node.base) for node in policy.nodes)
    return Template(part_text("policy.c")).substitute(
        index=index,
        rules=", ".join(f"POLICY_{rule}" for rule in _RULES),
        n_roots=len(policy.roots),
        n_sums=policy.n_sums,
        room_values=max(room, policy.n_sums, 2),
        divisor=real_of(policy.divisor, real),
        offset=real_of(policy.offset, real),
        cut=real_of(policy.cut, real),
        above=">=" if policy.calls_at_cut else ">",
        refuses_gap=_refuses_gap(policy),
        gapless=_gapless(policy),
        normalises=int(_normalises(policy)),
        functions=_functions(policy, real),
        labels=listed(string_of(label) for label in policy.classes),
        feature_names=listed(map(string_of, policy.features)),
        converters=_converters(policy, words, types),
        values=listed(values),
        components=listed(components),
        costs=listed(real_of(cost, real) for cost in policy.costs),
        first_need=listed(map(str, first_need), 12),
        needs=listed(map(str, needs), 12),
        asked=listed(map(str, tables.asked), 12),
        numbers=listed(real_of(number, real) for number in tables.numbers),
        nodes=listed(nodes),
        roots=listed(map(str, policy.roots), 12),
        rests=_rests(policy, real) + _turns(policy, real) + _priced(policy, real),
        columns=columns,
        stalls=stalls,
        machine=_machine(policy, has_shop=shop is not None),
    )


def _functions(policy: DeployablePolicy, real: str) -> str:
    suffix = "f" if real == "float" else ""
    rounding = "(void)k;"
    if policy.steps:
        steps = f"(policy_real){policy.steps:.1f}"
        rounding = (
            f"for (k = 0; k < (n); ++k) {{ (values)[k] = "
            f"rint{suffix}((values)[k] * {steps}) / {steps}; }}"
        )
    named = [
        f"#define POLICY_{name.upper()} {name}{suffix}"
        for name in ("exp", "log", "floor", "sin", "cos")
    ]
    return "\n".join([f"#define POLICY_ROUND(values, n) {rounding}", *named])


def _normalises(policy: DeployablePolicy) -> bool:
    return any(
        isinstance(node.rule, Shopping)
        or policy.priced is not None
        or (node.bound and len(node.base) > 1 and not isinstance(node.rule, GatedFork))
        for node in policy.nodes
    )


def _converters(
    policy: DeployablePolicy, words: Sequence[str], types: Mapping[int, str]
) -> str:
    """Return what makes numbers of integers; a code below 0 is a gap."""
    found = [""]
    for place, kind in types.items():
        call = f"policy_feature_{words[place]}(sample, workspace)"
        is_code = policy.kinds[place].kind != "number"
        value = "value < 0 ? NAN : (policy_real)value" if is_code else "value"
        found.append(
            f"static policy_real policy_from_{words[place]}(const void *sample, "
            "void *workspace)\n{\n"
            f"    const {kind} value = {call};\n"
            f"    return {value if is_code else '(policy_real)value'};\n}}\n"
        )
    return "\n".join(found)


def _machine(policy: DeployablePolicy, *, has_shop: bool) -> str:
    column = "#define policy_column(state, place) policy_read(state, place)\n"
    if not policy.is_plain:
        column = part_text("columns.c")
    go = "policy_shop(state, values, number[0], answer);" if has_shop else ""
    is_priced = policy.priced is not None
    price = "    policy_price(said.score);\n" if is_priced else ""
    return (
        part_text("machine.c")
        .replace("POLICY_REST_CODE\n", part_text(_how_summed(policy)))
        .replace("POLICY_COLUMN_CODE\n", f"{column}\n")
        .replace("POLICY_PRICED_CODE\n", part_text("priced.c") if is_priced else "")
        .replace("    POLICY_PRICED_CALL\n", price)
        .replace("POLICY_SHOP\n", f"\n{part_text('shop.c')}\n" if has_shop else "\n")
        .replace("            POLICY_GO_SHOPPING\n", f"            {go}\n" * bool(go))
    )


def _how_summed(policy: DeployablePolicy) -> str:
    """Return the file that says how roots are added up."""
    if policy.turns is not None:
        return "turns.c"
    return "settled.c" if policy.rests else "sum.c"


def _turns(policy: DeployablePolicy, real: str) -> str:
    """Return in which turn each node is asked, and bounds of what it leads to."""
    turns = policy.turns
    if turns is None:
        return ""
    least, most = (
        listed((real_of(bound, real) for of in side for bound in of), 8)
        for side in (turns.least, turns.most)
    )
    return f"""
#define POLICY_TURNS {turns.n}u
#define POLICY_SPANS {len(turns.least[0])}
#define POLICY_SLACK {real_of(turns.slack, real)}

/* Of each node: in which turn it is asked, and between which numbers lies what its tree
   says behind it. */
static const policy_index policy_turn[] = {{
{listed(map(str, turns.of), 16)}
}};

static const policy_real policy_least[] = {{
{least}
}};

static const policy_real policy_most[] = {{
{most}
}};
"""


def _refuses_gap(policy: DeployablePolicy) -> str:
    """Return whether a feature has to be finite, as C."""
    if not policy.takes_gaps:
        return "1"
    return "policy_has(policy_gapless, (feature))" if policy.gapless else "0"


def _gapless(policy: DeployablePolicy) -> str:
    """Return which features have to be finite, where only some have."""
    if not (policy.takes_gaps and policy.gapless):
        return ""
    return f"""
/* Bits: features that have to be finite. */
static const uint32_t policy_gapless[] = {{
{_bits(policy.gapless, len(policy.features))}
}};
"""


def _bits(places: Iterable[int], n: int) -> str:
    """Return places below n as bits of words."""
    bits = sum(1 << place for place in places)
    words = [f"{bits >> 32 * k & 0xFFFFFFFF:#x}u" for k in range(max(1, -(-n // 32)))]
    return listed(words, 8)


def _rests(policy: DeployablePolicy, real: str) -> str:
    """Return what roots to come add at least, and which answer anew."""
    if not policy.rests:
        return ""
    leads = chain.from_iterable(chain.from_iterable(policy.rests))
    return f"""
#define POLICY_RESTS {len(policy.rests)}u

/* After each root, in rows: by how much a class leads each other at least in all that
   the roots to come add. */
static const policy_real policy_rests[] = {{
{listed(real_of(lead, real) for lead in leads)}
}};
"""


def _priced(policy: DeployablePolicy, real: str) -> str:
    """Return what makes costs of scores, where answers have prices."""
    priced = policy.priced
    if priced is None:
        return ""
    costs = chain.from_iterable(priced.costs)
    return f"""
#define POLICY_SLOPE {real_of(priced.slope, real)}

static const policy_real policy_offsets[] = {{
{listed(real_of(offset, real) for offset in priced.offsets)}
}};

/* In rows: what each answer costs where a class is true. */
static const policy_real policy_mistakes[] = {{
{listed((real_of(cost, real) for cost in costs), len(policy.classes))}
}};
"""


class _Tables:
    """Numbers and places end to end; a sequence that was there is not written twice."""

    def __init__(self, policy: DeployablePolicy, real: str) -> None:
        self.policy, self.real = policy, real
        self.numbers: list[float] = []
        self.asked: list[int] = []
        self._places: dict[tuple[str, ...], int] = {}

    def place(self, numbers: Sequence[float]) -> int:
        """Return where a sequence of numbers stands."""
        key = tuple(map(repr, numbers))
        if key not in self._places:
            self._places[key] = len(self.numbers)
            self.numbers += numbers
        return self._places[key]

    def row(self, node: ProgramNode) -> str:
        """Return a node."""
        begin, rule = len(self.asked), node.rule
        columns = [column for column, _ in node.terms]
        self.asked += [*node.buys, *columns, *node.parts]
        below = above = 0
        kind = rule.kind if isinstance(rule, ExitIf) else type(rule).__name__
        if rule == Answered(is_impossible=True):
            kind = "impossible"
        elif isinstance(rule, Fork | GatedFork):
            below, above = rule.below, rule.above
        elif isinstance(rule, ExitIf):
            above = rule.onward
        counts = (len(node.buys), len(columns), len(node.parts))
        numbers = _numbers(node)
        if not self.policy.steps and (short := _short_kind(node)):
            kind, numbers = short, [rule.at] if isinstance(rule, Fork) else numbers
        places = (begin, *counts, self.place(numbers), below, above)
        words = ", ".join(map(str, places))
        flags = int(node.bound > 0) + 2 * int(_is_scaled(node))
        return f"{{{words}, {len(node.base)}, POLICY_{kind.upper()}, {flags}}}"

    def columns(self) -> str:
        """Return what columns are made of, with the words for it."""
        rows = [self._column(column) for column in self.policy.columns]
        parts = ", ".join(f"POLICY_{part}" for part in _PARTS.values())
        hinges = ", ".join(f"POLICY_{hinge}" for hinge in _HINGES.values())
        complete = _bits(self.policy.guessed, len(self.policy.features))
        ranges = [[*chain.from_iterable(kind.unseen)] for kind in self.policy.kinds]
        first = accumulate(map(len, ranges), initial=0)
        return f"""
enum {{ {parts} }};
enum {{ {hinges} }};
/* Of the calendar, in days since 1970. */
#define POLICY_FIRST_DAY {FIRST_DAY}
#define POLICY_END_DAY {LAST_DAY + 1}

/* How a column is made of a feature: by the words of a list, or a part of a date. */
typedef struct {{
    policy_index feature, words, numbers;
    uint8_t part, hinge;
}} policy_made;

static const policy_made policy_columns[] = {{
{listed(rows)}
}};

/* Bits: features of which training had all values. */
static const uint32_t policy_complete[] = {{
{complete}
}};

/* Between which bounds, in pairs, lie codes and dates such as training did not know. */
static const policy_real policy_bounds[] = {{
{listed(real_of(bound, self.real) for bound in chain.from_iterable(ranges))}
}};

static const policy_index policy_first_bound[] = {{
{listed(map(str, first), 12)}
}};
"""

    def _column(self, made: PolicyColumn) -> str:
        gap = made.gap if made.gap is not None else 0.0
        numbers = self.place([gap, made.latest, made.at, *made.table])
        kinds = f"POLICY_{_PARTS[made.part]}, POLICY_{_HINGES[made.hinge]}"
        return f"{{{made.feature}, {len(made.table)}, {numbers}, {kinds}}}"

    def stalls(self, shop: Shopping) -> str:
        """Return what csNB may buy, and what it believes of it."""
        flat = [column for group in shop.groups for column in group]
        rows = []
        for column, cuts, logs in zip(flat, shop.cuts, shop.logs, strict=True):
            feature = self.policy.columns[column].feature
            shares = self.place([*chain.from_iterable(logs)])
            places = (column, feature, len(cuts), self.place([*cuts]), shares)
            rows.append(f"{{{', '.join(map(str, places))}}}")
        ends = list(accumulate(map(len, shop.groups), initial=0))
        groups = [f"{{{a}, {b}}}" for a, b in pairwise(ends)]
        return f"""
#define POLICY_GROUPS {len(shop.groups)}u

/* A column: where its bins end, and their shares in each class, as logarithms. */
typedef struct {{
    policy_index column, feature, cuts, first_cut, shares;
}} policy_stall;

static const policy_stall policy_stalls[] = {{
{_rows(rows)}
}};

/* Columns that are bought together. */
typedef struct {{
    policy_index first, end;
}} policy_group;

static const policy_group policy_groups[] = {{
{_rows(groups)}
}};
"""


def _rows(rows: Iterable[str]) -> str:
    return listed(rows, 6)


def _short_kind(node: ProgramNode) -> str:
    """Return what a node is that says numbers or asks for a column, and no more."""
    if node.buys or node.parts or node.bound or _is_scaled(node):
        return ""
    if node.rule == Answered() and not node.terms:
        return "leaf"
    is_one = (
        isinstance(node.rule, Fork) and node.base == (0.0,) and len(node.terms) == 1
    )
    signs: dict[tuple[float, ...], str] = {(1.0,): "ask", (-1.0,): "asknegated"}
    return signs.get(node.terms[0][1], "") if is_one else ""


def _is_scaled(node: ProgramNode) -> bool:
    return (node.scale, node.shift) != (1.0, 0.0)


def _numbers(node: ProgramNode) -> list[float]:
    """Return what a node needs: where values begin, weights, and those of its rule."""
    rule = node.rule
    found = [*node.base, *chain.from_iterable(weights for _, weights in node.terms)]
    if node.bound:
        found.append(node.bound)
    if _is_scaled(node):
        found += [node.scale, node.shift]
    if isinstance(rule, Fork):
        found.append(rule.at)
    elif isinstance(rule, GatedFork):
        found += rule.weights
    elif isinstance(rule, Rectified):
        found += rule.weights
    elif isinstance(rule, Shopping):
        found.append(rule.error_cost)
    elif isinstance(rule, ExitIf):
        found += [*rule.units, *rule.least]
    return found
