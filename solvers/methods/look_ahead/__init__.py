"""Look-ahead: each row buys what is expected to tell it most for its price.

`classifier` is the method, `shop` what may be bought and what it would tell,
`likelihood` how likely that is in each class.
"""

from .classifier import LookAheadClassifier

__all__ = ["LookAheadClassifier"]
