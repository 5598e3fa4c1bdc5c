"""Clauses of lessons light what they speak of, and nothing else."""

import re

from explorer.figures.picture import Bar, Key, Line, Mark
from explorer.pages.lessons.course import all_lessons
from explorer.pages.lessons.lesson_view import keys_of, spoken
from tests.each import each

KEYS = (
    Key("ridge", "lit", "solid"),
    Key("selective ridge", "shared", marker="circle"),
    Key("band", "faded"),
)
PHRASES = {"band": ("grey band", "not sure")}


@each(
    ("clause", "places"),
    [
        ("Ridge shrinks.", [0]),
        ("Selective ridge selects.", [1]),
        ("Neither is a bridge.", []),
        ("Ridge and the grey band", [0, 2]),
        ("Who is not sure?", [2]),
    ],
)
def test_the_longest_phrase_counts_and_words_are_whole(clause, places):
    assert keys_of(clause, KEYS, PHRASES) == places


def test_each_clause_lights_its_own_and_text_stays_text():
    html = spoken("See Fig. 3: <b>ridge</b>; selective ridge.", KEYS, PHRASES)
    assert re.findall('data-keys="(.*?)"', html) == ["0", "1"]
    assert "<b>" not in html
    assert "See Fig. 3:" in html


def test_a_feature_that_is_called_like_a_score_is_not_told_to_be_one():
    lesson = all_lessons()["threshold"]
    said = next(iter(lesson.show(0))).summary
    assert "F1" in said
    assert "<dfn" not in spoken(said, (), {}, lesson.names)


def test_an_entry_names_what_looks_like_it():
    assert KEYS[0].names(Line((0, 1), (0, 1), "lit"))
    assert not KEYS[0].names(Line((0, 1), (0, 1), "lit", "dashed"))
    assert KEYS[1].names(Mark(0, 0, "shared"))
    assert not KEYS[1].names(Mark(0, 0, "shared", filled=False))
    assert KEYS[2].names(Bar(0, 1, 0, 1, "faded"))
    assert not KEYS[2].names(Bar(0, 1, 0, 1, "faded", hatch="/"))


def shown(lesson):
    """Its last picture at its last setting, where most is drawn."""
    return list(lesson.show(len(lesson.control.settings) - 1))[-1]


@each("name", all_lessons())
def test_every_phrase_stands_in_the_lesson_and_lights_an_entry_that_is_drawn(name):
    lesson = all_lessons()[name]
    last = shown(lesson)
    keys, picture = last.picture.key, last.picture
    assert {*lesson.said} <= {key.name for key in keys}
    told = (lesson.world, lesson.question, lesson.text, lesson.limit, last.summary)
    text = " ".join([*told, lesson.judge().why]).lower()
    for phrases in lesson.said.values():
        for phrase in phrases:
            assert phrase.lower() in text, phrase
    drawn = [*picture.bars, *picture.lines, *picture.marks]
    lit = {*keys_of(f"{lesson.text} {last.summary}", keys, lesson.said)}
    assert lit
    assert any(keys[place].names(one) for place in lit for one in drawn)
