"""What is open at a node of a small problem."""

import numpy as np

from solvers.certify.oracle import Oracle
from solvers.certify.problem import make_problem
from solvers.certify.relaxation import NodePart
from tests.certify.cases import random_instance


def node_part(seed, budget, bought=()):
    instance = random_instance(seed)
    problem = make_problem(*instance.arguments, instance.ridge)
    inside = np.isin(np.arange(problem.n_components), bought)
    live = problem.live(inside, np.zeros_like(inside), budget)
    return instance, Oracle(problem), NodePart(problem, inside, live, budget)
