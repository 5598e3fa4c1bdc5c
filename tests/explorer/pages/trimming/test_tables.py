"""The table of instances says what kept features can show, and what they cannot."""

from explorer.pages.trimming.sources import FILE, OpenRequest
from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.tables import InstancesTable
from explorer.session.own_files import opened_file
from explorer.session.state import bundled
from solvers.bayes import classifier_to_json
from tests.deploy.classifiers import CLASSIFIERS
from tests.explorer.pages.trimming.asked import search, take


def told(state):
    return InstancesTable(state=state).__panel__()[1].object


def test_joint_states_that_cannot_occur_are_counted():
    # One of three states of the first feature cannot occur, beside two of the other.
    content = classifier_to_json(CLASSIFIERS["xor"]()).encode()
    state = TrimmingState(dataset=bundled("breast_cancer"), source=FILE)
    request = OpenRequest(FILE, file=opened_file("network", "xor.json", content))
    take(state, request)
    state.budget = 2.0
    text = told(search(state))
    assert "4 instances that can occur" in text
    assert "2 others cannot occur" in text


def test_where_all_can_occur_nothing_is_said(quiz):
    assert "cannot occur" not in told(quiz)
