"""A policy as one page: works from disk, asks for one test at a time."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Sequence
from string import Template

from ..datasets.columns.coding import FIRST_DAY, LAST_DAY
from ..decisions.program import node_data, priced_data, turns_data
from ..errors import DeployError
from ..values.printed import javascript_data
from ..values.printed import part_text as values_text
from .policy import DeployablePolicy
from .text import column_data, part_text

MOST_BYTES = 300_000


def html_text(policy: DeployablePolicy, title: str, notes: Sequence[str] = ()) -> str:
    """Return the page."""
    total = f"{math.fsum(policy.costs):g} {policy.unit}"
    names = ", ".join(map(str, policy.classes))
    n_tests = len(policy.features)
    tests = "1 test" if n_tests == 1 else f"{n_tests} tests"
    values = "" if policy.is_plain else values_text("values.js")
    page = Template(part_text("page.html")).substitute(
        title=html.escape(title or policy.title),
        summary=html.escape(
            f"{policy.title} tells {names} apart. It asks for {tests} at most, one at "
            f"a time, which cost {total} together."
        ),
        notes="\n".join(f"<p>{html.escape(note)}</p>" for note in notes),
        style=part_text("page.css"),
        machine=part_text("machine.js") + values,
        page=part_text("page.js"),
        policy=_script(policy),
    )
    size = len(page.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise DeployError(
            f"The page would have {size / 1000:.0f} kB, with {len(policy.nodes)} nodes;"
            f" {MOST_BYTES // 1000} kB are the most. Export fewer or smaller trees."
        )
    return page


def _script(policy: DeployablePolicy) -> str:
    """Return the policy as JavaScript writes it; no tag can begin or end in it."""
    data = {
        "features": policy.features,
        "components": policy.components,
        "costs": policy.costs,
        "needs": policy.needs,
        "unit": policy.unit,
        "classes": policy.classes,
        "sums": policy.n_sums,
        "rests": policy.rests,
        "turns": turns_data(policy.turns),
        "roots": policy.roots,
        "divisor": policy.divisor,
        "offset": policy.offset,
        "steps": policy.steps,
        "cut": policy.cut,
        "priced": priced_data(policy.priced),
        "callsAtCut": policy.calls_at_cut,
        "nodes": [node_data(node, int, int) for node in policy.nodes],
    }
    if not policy.is_plain:
        data["columns"] = [
            {"name": made.name, **column_data(made, int)} for made in policy.columns
        ]
        data["complete"] = policy.guessed
        data["calendar"] = [FIRST_DAY, LAST_DAY + 1]
        data["kinds"] = [[kind.kind, kind.words] for kind in policy.kinds]
        data["forms"] = [
            kind.form and javascript_data(kind.form) for kind in policy.kinds
        ]
        data["gaps"] = policy.gap_marks
        data["unseen"] = [kind.unseen for kind in policy.kinds]
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
