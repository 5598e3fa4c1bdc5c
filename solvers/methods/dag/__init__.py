"""DAG: states that have computed more and more, and gates that stop or go on.

`states` is which features each state knows, `scores` what it says of a row,
`filter_tree` a gate, `policy` how gates are trained, `classifier` the method.
"""

from .classifier import DAGClassifier

__all__ = ["DAGClassifier"]
