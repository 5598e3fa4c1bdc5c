"""Places are held for words that are waited for, and nobody reads them."""

from explorer.widgets.markup import in_place, summary_markup


def test_words_that_are_waited_for_have_their_place_and_are_not_read():
    held = in_place("Data: being read.", 100)
    said, _, place = held.partition('<span class="place" aria-hidden="true">')
    assert said == "Data: being read."
    assert len(said) + len(place) >= 100
    assert in_place("x" * 100, 100) == "x" * 100


def test_an_answer_is_read_aloud_and_names_in_it_are_text():
    said = summary_markup("<b>")
    assert 'role="status"' in said
    assert "&lt;b&gt;" in said
