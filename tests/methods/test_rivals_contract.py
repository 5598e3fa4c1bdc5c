"""Other settings of CSTC, Greedy Miser and DAG keep scikit-learn's contract, too."""

from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from solvers.methods.cstc import CSTCClassifier
from solvers.methods.dag import DAGClassifier
from solvers.methods.greedy_miser import GreedyMiserClassifier
from tests.each import each

VARIANTS = [
    CSTCClassifier(depth=2, cost_weight=0.01, internal_weight=1.0, n_restarts=1),
    GreedyMiserClassifier(
        n_estimators=20,
        loss="logistic",
        charge="ways",
        share=False,
        cost_update="tree",
    ),
    DAGClassifier(
        structure="lattice", base_budget=0.5, step_budget=0.5, cost_weight=0.01
    ),
    DAGClassifier(base=GaussianNB(), cost_weight=0.01, random_state=1),
]


@each("estimator", VARIANTS, ids=repr)
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)
