"""Terms are told where they stand, once, and text stays exactly what it was."""

import re
from html import unescape

from explorer.widgets.markup import (
    SUMMARY_PLACE,
    TERMS,
    Message,
    explained,
    glossary_markup,
    summary_markup,
    told_together,
)
from explorer.widgets.tables import table_markup
from tests.each import each


def test_words_that_are_waited_for_have_their_place_and_are_not_read():
    said, _, place = summary_markup("Wait.").partition('<span class="place"')
    assert said.endswith("Wait.")
    assert place.startswith(' aria-hidden="true">')
    assert len(place) >= SUMMARY_PLACE - len("Wait.")


def test_an_answer_is_read_aloud_and_names_in_it_are_text():
    said = summary_markup("<b>")
    assert 'role="status"' in said
    assert "&lt;b&gt;" in said


def test_messages_of_a_pane_are_each_an_alert_or_not_and_nothing_while_empty():
    wrong, note = Message(), Message(kind="info", text="Kept.")
    pane = told_together(wrong, note)
    assert pane.object.count("<div") == 3  # two places, and one that says something
    wrong.text = "<b>Lost."
    assert '<div role="alert"><div class="message error">&lt;b&gt;Lost.' in pane.object
    assert '<div role="status"><div class="message info">Kept.' in pane.object
    wrong.text = note.text = ""
    assert pane.object == '<div role="alert"></div><div role="status"></div>'


@each("term", TERMS)
def test_every_term_can_be_focused_and_is_described_by_its_meaning(term):
    found = explained(f"The {term}, once more {term}.")
    (name,) = re.findall(r'<dfn tabindex="0" aria-describedby="([^"]+)">', found)
    assert f'role="tooltip" id="{name}"' in found
    assert TERMS[term] in unescape(found)


def test_a_longer_term_wins_over_one_within_it():
    assert ">CSMN w/o CSINF</dfn>" in explained("CSMN w/o CSINF")
    assert ">ACAFH</dfn>" in explained("ACAFH")
    assert "<dfn" not in explained("MAAX and a bridge")


def test_text_from_people_stays_text():
    assert explained('<b onclick="x">&') == "&lt;b onclick=&quot;x&quot;&gt;&amp;"


def test_headings_of_tables_and_the_whole_list_tell_terms():
    table = table_markup("T", ["MAA", "<i>"], [["FS-SDD", 1]], [False, True])
    assert table.count("<dfn") == 2
    assert "<i>" not in table
    assert all(f"<dt>{term}</dt>" in glossary_markup() for term in TERMS)


def test_a_name_is_no_term_though_it_reads_like_one():
    found = explained("MN and its F1, with MN level", names=["MN", "MN level"])
    assert re.findall("<dfn[^>]*>([^<]+)", found) == ["F1"]
    table = table_markup("T", ["{F1, F2}", "MAA"], [["F1", 1]], [False] * 2, ["F1"])
    assert re.findall("<dfn[^>]*>([^<]+)", table) == ["MAA"]
