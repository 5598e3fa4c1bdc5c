"""One node or link shows its prices, its marginal and what it expects."""

import numpy as np
import pytest

from explorer.pages.structured.graph import edge_detail, node_detail


def test_a_node_shows_its_prices_its_marginal_and_what_it_expects(grown):
    graph, decision = grown.run.graph(0), grown.run.decision("LOGREG", 0)
    detail = node_detail(graph, decision, 4, grown.labels)
    (_, marginal), (_, expected), _ = detail.columns
    assert marginal.sum() == pytest.approx(1)
    assert expected == pytest.approx(graph.node_costs[4] @ marginal)
    assert detail.predicted == np.argmin(expected) == decision.labels[4]
    assert np.array_equal(detail.costs, graph.node_costs[4])


def test_the_linked_column_is_the_change_of_the_whole_energy(grown):
    graph, decision = grown.run.graph(1), grown.run.decision("CSMN", 1)
    node = int(graph.edges[3, 0])
    linked = node_detail(graph, decision, node, grown.labels).columns[-1][1]
    totals = []
    for label in (0, 1):
        labels = decision.labels.copy()
        labels[node] = label
        totals.append(decision.energies.total(labels))
    assert linked[1] - linked[0] == pytest.approx(totals[1] - totals[0])


def test_a_link_shows_all_pairs_and_what_is_paid(grown):
    graph, decision = grown.run.graph(0), grown.run.decision("CSMN", 0)
    detail = edge_detail(graph, decision, 2, grown.labels)
    i, j = graph.edges[2]
    called, true = decision.labels, graph.truth
    paid = graph.edge_costs[2, called[i], called[j], true[i], true[j]]
    assert detail.choices == ("0, 0", "0, 1", "1, 0", "1, 1")
    assert detail.costs[detail.predicted, detail.true] == paid
    assert f"pays {paid:.2f}" in detail.title
