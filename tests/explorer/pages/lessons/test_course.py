"""What each lesson claims holds in what it computes, and fails where its limit says."""

from itertools import combinations

import numpy as np
import pytest

from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.training import train_cascade
from explorer.pages.lessons.course import (
    all_lessons,
    cascade,
    cutting,
    features,
    flattery,
    greedy,
    order,
    prefix,
    quasi_norm,
    repeats,
    sharing,
    speedup,
    three_costs,
    threshold,
    together,
    two_tests,
)
from explorer.session.link import asked_by
from explorer.session.state import bundled
from solvers.bayes import agreement, bundled_classifier, maximum_achievable_agreement
from solvers.certify import RidgeObjective


def test_sharing_saves_with_every_feature_of_the_source():
    saved = sharing.savings()[: sharing.N_SHARING + 1]
    assert np.diff(saved)[1:] == pytest.approx(sharing.SPECTRUM)
    lesson = all_lessons()["sharing"]
    assert lesson.answers[lesson.judge().right] == "9 µs"


def test_sharing_saves_nothing_more_with_features_of_their_own():
    assert np.diff(sharing.savings()[sharing.N_SHARING :]) == pytest.approx(0.0)


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


def test_two_features_of_one_component_cost_less_than_the_cheapest_and_another():
    alone, together_ = (order.bought(name, 10.0)[1][1] for name in order.LOOKS)
    assert (alone, together_) == (19.0, 12.0)


def test_whoever_stops_after_one_feature_pays_less_with_the_cheapest():
    alone, together_ = (order.bought(name, 10.0)[1][0] for name in order.LOOKS)
    assert alone < together_


def test_both_orders_are_the_same_where_sharing_is_too_dear():
    assert len({order.bought(name, 20.0)[0] for name in order.LOOKS}) == 1


def test_only_l1_pays_for_a_source_and_leaves_out_a_part_of_it():
    assert quasi_norm.half_opened("reweighted_l1")
    assert not quasi_norm.half_opened("acafh")


def test_l_half_offers_fewer_prices_than_l1():
    prices = {
        name: {quasi_norm.fitted(name, at).cost_ for at in range(14)}
        for name in quasi_norm.METHODS
    }
    assert len(prices["acafh"]) < len(prices["reweighted_l1"])


def test_where_nothing_is_shared_l_half_opens_some_of_the_three_features_too():
    counts = {
        int(quasi_norm.fitted("acafh", at, is_shared=False).support_[:3].sum())
        for at in range(14)
    }
    assert counts & {1, 2}


def test_brackets_save_all_and_blocks_nothing_where_there_is_one_block():
    published, bracketed, by_block, *_ = speedup.products(speedup.ASKED)
    assert speedup.shapes(speedup.ASKED).n_blocks == 1
    assert by_block == published
    assert published / bracketed > speedup.N_FEATURES


def test_blocks_save_more_than_brackets_where_they_are_tiny():
    _, bracketed, by_block, *_ = speedup.products(0)
    assert by_block < bracketed


def test_a_sparse_matrix_needs_the_fewest_products_at_every_degree_of_sharing():
    for at in range(len(speedup.PSIS)):
        *dense, sparse = speedup.products(at)
        assert sparse < min(dense)


def test_the_cascade_comes_near_full_accuracy_for_less_than_half_the_cost():
    _, cost = cascade.cheapest_near()
    assert cost < 0.5 * sum(two_tests.COSTS)


def test_the_cascade_saves_hardly_anything_where_the_quick_test_knows_nothing():
    _, cost = cascade.cheapest_near(quick=0.0)
    assert cost > 0.9 * sum(two_tests.COSTS)


def test_the_fixed_prefix_wins_at_its_own_price():
    lead = prefix.best_within("static_prefix", 3.0) - prefix.best_within("tefe", 3.0)
    assert lead > 0.1


@pytest.mark.parametrize("budget", [7.0, 8.0, 9.0])
def test_the_cascade_wins_between_two_prefixes_far_apart(budget):
    paid = [prefix.best_within(name, budget) for name in ("tefe", "static_prefix")]
    assert paid[0] > paid[1]


def test_the_page_that_the_prefix_lesson_opens_shows_a_prefix_ahead():
    asked = asked_by(prefix.LESSON.visit.query)
    state = CascadeState(
        source=asked["table"],
        session_dataset=bundled(asked["data"]),
        order=asked["order"],
        confidence=asked["confidence"],
    )
    state.take(list(train_cascade(state.request("tefe")))[-1])
    ahead = [row.ahead for row in state.picture.against_prefix]
    assert ahead.count("prefix") >= 5
    assert "cascade" not in ahead


def test_mean_and_95th_percentile_disagree_where_few_rows_go_on():
    found = two_tests.outcome(two_tests.THRESHOLDS[three_costs.asked()])
    assert found.mean < 2.0
    assert found.p95 == found.max == sum(two_tests.COSTS)


def test_all_three_costs_agree_where_no_row_adapts():
    found = two_tests.outcome(two_tests.THRESHOLDS[0])
    assert found.mean == found.p95 == found.max == two_tests.COSTS[0]


def test_the_old_threshold_agrees_less_than_a_coin_and_the_new_one_more():
    kept = threshold.agrees(threshold.THRESHOLDS[threshold.kept_at()])
    best = maximum_achievable_agreement(threshold.original(), list(threshold.KEPT))
    assert kept == pytest.approx(0.38)
    assert best.agreement == pytest.approx(0.5528)


def test_the_quiz_trimmed_to_its_telling_question_may_keep_its_threshold():
    quiz = bundled_classifier("quiz")
    best = maximum_achievable_agreement(quiz, ["Q1"]).agreement
    assert agreement(quiz, ["Q1"], quiz.threshold) == pytest.approx(best)


def test_a_third_of_the_nodes_proves_the_best_set():
    assert cutting.n_nodes() <= cutting.n_sets() / 3


def test_every_cut_node_has_a_bound_no_better_than_the_best():
    for event in cutting.events():
        if event.state == "bounded":
            assert event.mpa <= event.best.agreement + 1e-12


def test_features_that_are_alike_take_nearly_as_many_nodes_as_there_are_sets():
    assert cutting.n_nodes("breast_cancer") > 0.6 * cutting.n_sets()


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


def test_a_dear_link_makes_the_likely_pair_the_better_decision():
    alone = together.one_by_one()
    assert together.decision(0.0) == alone
    dear = together.decision(together.LINK_COSTS[-1])
    assert dear != alone
    assert together.beliefs()[dear] == together.beliefs().max()


@pytest.mark.parametrize("cost", [0.0, 0.4, 0.5, 1.2])
def test_the_decision_is_the_pair_of_least_expected_cost(cost):
    costs = together.charges(cost)
    best = together.PAIRS[int(np.argmin(costs))]
    assert together.decision(cost) == best


def test_independent_rooms_are_decided_room_by_room_at_every_cost():
    assert together.turning_point(is_correlated=False) is None


def test_a_threshold_flatters_on_few_rows_and_hardly_on_many():
    many, few = (flattery.flattery(n) for n in (flattery.SIZES[0], flattery.SIZES[-1]))
    assert few > 0.05
    assert many < flattery.SMALL


@pytest.mark.parametrize("at", [0, 1])
def test_greedy_is_within_a_hundredth_where_features_help_one_by_one(at):
    assert greedy.compared(at).excess <= greedy.SMALL
    assert greedy.compared(at).best - greedy.compared(at).floor < 1e-5


def test_greedy_is_far_above_the_floor_where_two_help_only_together():
    found = greedy.compared(greedy.ASKED)
    assert found.excess > greedy.LARGE
    assert {6, 7} <= set(found.wanted)
    assert not {6, 7} <= set(found.bought)


def test_greedy_is_right_again_where_nothing_is_left_of_the_difference():
    last = greedy.compared(len(greedy.CORRELATIONS) - 1)
    assert last.excess <= greedy.SMALL
    assert not {6, 7} <= set(last.wanted)


def test_the_floor_of_the_greedy_lesson_is_below_every_three_features():
    (X, y), graph = greedy.rows(0.8), greedy.world()
    objective = RidgeObjective(X, y, graph, ridge=greedy.RIDGE)
    least = min(map(objective, map(list, combinations(range(greedy.N_FEATURES), 3))))
    assert greedy.compared(greedy.ASKED).floor == pytest.approx(least, abs=1e-5)
