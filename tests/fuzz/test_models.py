"""Saved models in which anything may stand are read, or refused in a sentence."""

import json
import random
import re

import numpy as np
import pytest

from solvers import adopt
from solvers.adopted.lightgbm_text import read_text
from solvers.adopted.xgboost_json import read_json
from tests.adopted.test_xgboost_json import saved
from tests.each import each

from .bounded import bounded
from .refusal import is_one_sentence, refusal

ODD = ["-1", "0", "1e400", "nan", "inf", "999999999999", "x", "", "[]", "null", "-7.5"]
WORD = re.compile(r"-?\d+(\.\d+)?|\w+|\n")


def lightgbm_text():
    lgb = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(300, 4)), 1)
    X[:, 2] = rng.integers(0, 9, 300)
    model = lgb.LGBMClassifier(n_estimators=3, num_leaves=5, n_jobs=1, verbose=-1)
    model.fit(X, X[:, 0] + (X[:, 2] == 3) > 0.2, categorical_feature=[2])
    return model.booster_.model_to_string().partition("feature_importances")[0]


@each("read", [read_text, read_json])
def test_whatever_stands_in_a_file_it_is_read_or_refused(read):
    is_json, draw = read is read_json, random.Random(0)
    text = json.dumps(saved(3, "multi:softprob")) if is_json else lightgbm_text()
    words = [found.span() for found in WORD.finditer(text)]
    with bounded(megabytes=300):
        for _ in range(300):
            begin, end = draw.choice(words)
            damaged = text[:begin] + draw.choice(ODD) + text[end:]
            said = refusal(lambda damaged=damaged: adopt(read(damaged)))
            assert said is None or is_one_sentence(said)
