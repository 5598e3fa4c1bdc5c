"""Names that look the same are the same."""

import unicodedata

from solvers.values import matched_names, same_name


def test_names_match_in_either_composition_and_with_blanks():
    apart = unicodedata.normalize("NFD", "größe")
    assert apart != "größe"
    assert same_name(f" {apart}\ufeff") == "größe"
    assert matched_names([apart, "b", "c "], ["größe", "b", "c", " c"]) == {
        apart: "größe"
    }
