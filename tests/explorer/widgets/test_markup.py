"""Places are held for words that are waited for, and nobody reads them."""

from explorer.widgets.markup import SUMMARY_PLACE, summary_markup


def test_words_that_are_waited_for_have_their_place_and_are_not_read():
    said, _, place = summary_markup("Wait.").partition('<span class="place"')
    assert said.endswith("Wait.")
    assert place.startswith(' aria-hidden="true">')
    assert len(place) >= SUMMARY_PLACE - len("Wait.")


def test_an_answer_is_read_aloud_and_names_in_it_are_text():
    said = summary_markup("<b>")
    assert 'role="status"' in said
    assert "&lt;b&gt;" in said
