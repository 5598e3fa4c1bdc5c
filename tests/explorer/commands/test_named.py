"""Names with commas, and names in modules."""

from explorer.commands.named import comma_names


def test_a_comma_too_many_names_nothing():
    assert comma_names(" age, pain ,,") == ["age", "pain"]
