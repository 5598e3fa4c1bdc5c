"""Names from anywhere become identifiers that differ, and text stays on its line."""

import ast
import shutil

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers import FeatureHypergraph
from solvers.deploy import policy_from, to_c, to_python
from solvers.deploy.text import bill, identifiers, prices_by_name
from solvers.methods.forward_selection import ForwardSelectionClassifier

from .models import fitted
from .test_c import compiled


@given(st.lists(st.text(max_size=60), max_size=8))
def test_identifiers_differ_in_any_case_and_begin_anew_nowhere(names):
    found = identifiers(names)
    assert len({name.lower() for name in found}) == len(names)
    assert all(f"x{name}".isidentifier() and name.isascii() for name in found)


def test_units_and_names_survive_in_what_is_exported(tmp_path):
    """What steers a terminal or turns text around is spelt out."""
    names = ("gr\u00f6\u00dfe", "turned\u202e", "line\nline")
    rows = np.random.default_rng(0).standard_normal((60, 3))
    called = np.where(rows.sum(axis=1) > 0, "f\u00fcr", "gegen")
    prices = FeatureHypergraph.independent([108.0] * 3, names, unit="\u00b5s")
    model = ForwardSelectionClassifier(prices).fit(rows, called)
    text, files = to_python(model), to_c(model)
    for said in (ast.get_docstring(ast.parse(text)), files["policy.h"]):
        assert "for 324 \u00b5s in all" in said
        assert "- gr\u00f6\u00dfe: gr\u00f6\u00dfe 108" in said
        assert "Answers: f\u00fcr, gegen." in said
        assert "- turned\\u202e: " in said
        assert "- line\\nline: " in said
    if shutil.which("gcc"):
        compiled(tmp_path, files)


def test_a_bill_names_every_component_once_and_its_prices_add_up():
    policy = policy_from(fitted("forward_selection")[0])
    needs, costs = prices_by_name(policy)
    assert set(needs) == set(policy.features)
    lines = [line for line in bill(policy, ["A note."]) if line.startswith("- ")]
    assert len(lines) == len(policy.features)
    paid = [part for line in lines for part in line.partition(": ")[2].split(", ")]
    total = sum(
        float(part.rsplit(" ", 1)[1]) for part in paid if part != "already paid"
    )
    used = {part for name in policy.features for part in needs[name]}
    assert abs(total - sum(costs[part] for part in used)) < 1e-3 * total
