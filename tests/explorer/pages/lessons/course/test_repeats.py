"""Plain functions repeat what the lesson says they repeat."""

from explorer.pages.lessons.course import all_lessons, repeats


def test_two_thirds_of_the_time_of_plain_functions_is_repeats():
    assert repeats.repeated_share() > 2 / 3
    lesson = all_lessons()["repeats"]
    verdict = lesson.judge()
    assert lesson.answers[verdict.right] == "more than two thirds"
    assert "'enlarged', which 17 of them" in verdict.why


def test_the_first_feature_of_the_code_repeats_nothing():
    alone, once = repeats.charged()
    assert alone[1] == once[1]
    assert all(a > b for a, b in zip(alone[3:], once[3:], strict=True))
