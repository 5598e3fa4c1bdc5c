"""Names are told apart, and made so."""

from hypothesis import given
from hypothesis import strategies as st

from solvers.checks import first_twin
from solvers.values.distinct_names import free_name, own_names

NAMES = st.lists(st.sampled_from(["a", "b", "a 2", "a 3"]))


@given(st.sampled_from("ab"), NAMES)
def test_a_free_name_is_not_taken_and_is_the_name_itself_if_it_can_be(name, taken):
    found = free_name(name, taken)
    assert found not in taken
    assert found == name or (name in taken and found.startswith(f"{name} "))


@given(NAMES, NAMES)
def test_own_names_are_distinct_and_free(names, taken):
    own = own_names(names, taken)
    assert first_twin(own) is None
    assert not set(own) & set(taken)
    assert all(new.startswith(name) for new, name in zip(own, names, strict=True))
