"""What is cut holds nothing better, and how much is cut depends on the features."""

from explorer.pages.lessons.course import cutting


def test_a_third_of_the_nodes_proves_the_best_set():
    assert cutting.n_nodes() <= cutting.n_sets() / 3


def test_every_cut_node_has_a_bound_no_better_than_the_best():
    for event in cutting.events():
        if event.state == "bounded":
            assert event.mpa <= event.best.agreement + 1e-12


def test_features_that_are_alike_take_nearly_as_many_nodes_as_there_are_sets():
    assert cutting.n_nodes("breast_cancer") > 0.6 * cutting.n_sets()
