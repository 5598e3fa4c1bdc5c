"""Selecting leads ridge where few of many features decide, and not elsewhere."""

from explorer.pages.lessons.course import features


def test_selecting_leads_ridge_where_three_of_many_features_decide():
    found = features.score(features.SIZES[features.ASKED])
    assert found.selective > found.ridge + 0.08
    assert found.gap < 1e-5


def test_ridge_leads_where_all_features_matter_a_little():
    for size in (20, 40, 80):
        found = features.score(size, is_spread=True)
        assert found.ridge > found.selective


def test_forty_rows_cannot_point_to_three_features_in_a_thousand():
    assert features.score(1000).selective < features.score(40).selective - 0.15
