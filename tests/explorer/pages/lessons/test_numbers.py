"""Every number that a lesson says is one that it shows, or that is computed here."""

import re

import numpy as np
import pytest

from explorer.pages.lessons.course import (
    all_lessons,
    cutting,
    features,
    flattery,
    knee,
    prefix,
    quasi_norm,
    sharing,
    threshold,
    together,
    two_tests,
)
from tests.each import each

LESSONS = all_lessons()
# Of an equation's number and of rounding errors nothing is asked.
LEFT_OUT = re.compile(r"eq\. \(\d+\)|-?\d+e-\d+|95th")
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")


def _leaving(at):
    found = two_tests.outcome(two_tests.THRESHOLDS[at])
    full = sum(two_tests.COSTS)
    return [
        *(100 * found.share_quick, 100 * (1 - found.share_quick)),
        *(full, 100 * found.mean / full),
        100 * two_tests.outcome(np.inf).accuracy,
    ]


def _used(at):
    models = [quasi_norm.fitted(name, at) for name in quasi_norm.METHODS]
    opened = [len(quasi_norm.half_opened(name)) for name in quasi_norm.METHODS]
    masks = [model.support_ for model in models]
    return [
        *(mask.sum() for mask in masks),
        *(mask[: quasi_norm.N_SHARING].sum() for mask in masks),
        *(len(quasi_norm.ALPHAS), *opened),
    ]


def _saved(at):
    together, alone = sharing.charged(at)
    return [alone - together]


# What a lesson says that neither picture nor table shows, computed from its results.
COMPUTED = {
    "sharing": _saved,
    "repeats": lambda at: [17],  # features that enlarge the image: test_digit_images
    "quasi-norm": _used,
    "knee": lambda at: [
        *np.diff(knee.right(knee.REPEATS)),
        *(knee.COIN, knee.right(knee.REPEATS)[-1]),
        knee.share(knee.REPEATS, knee.ASKED),
    ],
    "cascade": _leaving,
    "three-costs": _leaving,
    "threshold": lambda at: [threshold.original().threshold],
    "cutting": lambda at: [
        100 * cutting.events()[at].best.agreement,
        *(cutting.n_nodes(), cutting.n_sets()),
    ],
    "features": lambda at: [
        features.score(features.SIZES[at]).n_used,
        features.N_ROWS,
    ],
    "together": lambda at: (100 * together.beliefs()).ravel(),
    "flattery": lambda at: [flattery.REPEATS],
}


def numbers(text):
    """The numbers of a text, as they are written."""
    found = NUMBER.findall(LEFT_OUT.sub("", text))
    return [number.replace(",", "") for number in found]


def known(name, at, shown):
    """All numbers of a picture, of the table behind it, and of what was computed."""
    lesson, picture = LESSONS[name], shown.picture
    texts = [str(cell) for row in shown.rows for cell in row]
    texts += [word.text for word in picture.words]
    texts += [lesson.world, lesson.question, lesson.control.settings[at]]
    return [
        *(place for mark in picture.marks for place in (mark.x, mark.y)),
        *(float(number) for text in texts for number in numbers(text)),
        *(COMPUTED[name](at) if name in COMPUTED else ()),
    ]


def unseen(text, seen):
    """The numbers of a text that none of those seen rounds to."""
    return [
        number
        for number in numbers(text)
        if not any(abs(float(number) - one) <= _half_a_step(number) for one in seen)
    ]


def _half_a_step(number):
    return 0.5000001 * 10 ** -len(number.partition(".")[2])


@each("name", LESSONS)
def test_a_summary_says_the_numbers_of_its_picture(name):
    lesson = LESSONS[name]
    for at in {lesson.control.start, lesson.judge().at}:
        shown = list(lesson.show(at))[-1]
        assert unseen(shown.summary, known(name, at, shown)) == [], shown.summary


@each("name", LESSONS)
def test_an_answer_is_explained_by_the_numbers_of_its_picture(name):
    found = LESSONS[name].judge()
    shown = list(LESSONS[name].show(found.at))[-1]
    seen = known(name, found.at, shown)
    if name == "flattery":
        seen.append(flattery.flattery(flattery.SIZES[0]))
        seen.append(flattery.SIZES[0])
    assert unseen(found.why, seen) == [], found.why


def test_a_number_that_is_not_shown_is_found():
    assert unseen("1,200 rows and 0.55 of eq. (12)", [1200.0, 0.56]) == ["0.55"]


def test_the_rooms_of_together_are_lit_as_often_as_is_said():
    first, second = together.beliefs().sum(axis=1)[1], together.beliefs().sum(axis=0)[1]
    said = numbers(LESSONS["together"].world)[:2]
    assert [float(number) for number in said] == pytest.approx(
        [100 * first, 100 * second]
    )


def test_the_cascade_leads_from_where_the_lesson_says_until_all_is_bought():
    first = float(numbers(LESSONS["prefix"].limit)[0])
    says = {
        budget: list(LESSONS["prefix"].show(at))[-1].summary
        for at, budget in enumerate(prefix.BUDGETS)
    }
    for budget, said in says.items():
        if first <= budget < sum(prefix.COSTS):
            assert "the cascade leads" in said
        elif prefix.BUDGETS[prefix.ASKED] <= budget < first:
            assert "the fixed prefix leads" in said
    assert "neither leads" in says[sum(prefix.COSTS)]


@each("name", sorted({*LESSONS} - {"cascade"}))  # its tests have no scale
def test_an_axis_with_a_unit_has_numbers(name):
    picture = list(LESSONS[name].show(LESSONS[name].control.start))[-1].picture
    for axis in (picture.x, picture.y):
        assert axis.ticks or "(" not in axis.label
