"""Names from anywhere become identifiers that differ, and text stays on its line."""

from hypothesis import given
from hypothesis import strategies as st

from solvers.deploy import policy_from
from solvers.deploy.text import bill, identifiers, plain, prices_by_name

from .models import fitted


@given(st.lists(st.text(max_size=60), max_size=8))
def test_identifiers_differ_in_any_case_and_begin_anew_nowhere(names):
    found = identifiers(names)
    assert len({name.lower() for name in found}) == len(names)
    assert all(f"x{name}".isidentifier() and name.isascii() for name in found)


@given(st.text())
def test_plain_text_is_one_line_of_printable_ascii(text):
    assert len(plain(text)) == len(text)
    assert plain(text).isascii()
    assert plain(text).isprintable()


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
