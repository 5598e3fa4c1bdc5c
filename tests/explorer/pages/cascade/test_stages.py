"""Examples leave in their round."""

from explorer.pages.cascade.stages import examples_of
from explorer.session.study_part import figure_6


def test_examples_leave_in_their_round_and_say_how(scenes):
    picture = scenes.picture
    threshold = picture.threshold(scenes.share)
    for found in scenes.rounds():
        shown = examples_of(scenes.cascade, picture.test, found, threshold)
        assert len(shown) <= 6
        for example in shown:
            assert found.first <= example.stage <= found.last
            assert example.truth == scenes.cascade.dataset.y[example.row]


def test_fig_6_shows_early_late_and_wrong_images(scenes):
    rounds = scenes.rounds()
    early, late, wrong = figure_6(rounds).values()
    assert early == rounds[0].right_rows[:2].tolist()
    assert late == rounds[1].right_rows[:2].tolist()
    assert wrong == rounds[2].wrong_rows[:2].tolist()
    assert figure_6(()) == {}
