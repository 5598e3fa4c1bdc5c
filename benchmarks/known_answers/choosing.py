"""Ways to choose among hundreds of models, judged on the rows that choose.

Rows are drawn with replacement; models and thresholds are chosen on those drawn, by
what cross-validation said of them, and judged on those left out. Nothing is trained
anew (Tsamardinos, Greasidou and Borboudakis, 2018), and no test row is asked.
"""

import numpy as np

DRAWS = 100


def judged(told, truth, budget, draws=DRAWS):
    """Mean F1 of what each way chooses on rows that did not choose.

    `told`: by method, values, scores and costs of shape (repeats, n_values, n_rows).
    """
    scores = np.concatenate([s.swapaxes(0, 1) for _, s, _ in told.values()])
    costs = np.concatenate([c.mean(0) for *_, c in told.values()])
    method = np.repeat(np.arange(len(told)), [len(v) for v, *_ in told.values()])
    rng, found = np.random.default_rng(0), {}
    for _ in range(draws):
        drawn = rng.integers(len(truth), size=len(truth))
        weights = np.bincount(drawn, minlength=len(truth)).astype(float)
        within = costs @ weights / weights.sum() <= budget
        cuts, best = _cut(scores, truth, weights)
        left_out = (weights == 0) * 1.0
        called = scores >= np.median(cuts, axis=1)[:, None, None]
        outside = _f1(called, truth, left_out).mean(axis=1)
        mean = best.mean(axis=1)
        ways = {
            "best mean F1": mean,
            "best mean F1 of three repeats": best[:, :3].mean(axis=1),
            "best mean F1 of a model and its neighbours": _smoothed(mean, method),
            "largest area under the curve": _areas(scores, truth, weights).mean(axis=1),
        }
        for way, score in ways.items():
            chosen = int(np.where(within, score, -1.0).argmax())
            found.setdefault(way, []).append(float(outside[chosen]))
    usual = np.array(found["best mean F1"])
    return {
        way: {
            "f1 on rows left out": round(float(np.mean(got)), 4),
            "error of the difference": round(
                float(np.std(np.array(got) - usual) / np.sqrt(draws)), 4
            ),
        }
        for way, got in found.items()
    }


def _f1(called, truth, weights):
    hits = (called & truth) @ weights
    return 2 * hits / (called @ weights + truth @ weights)


def _cut(scores, truth, weights):
    """Threshold of the best F1 and that F1, over the last axis."""
    order = np.argsort(-scores, axis=-1, kind="stable")
    sorted_ = np.take_along_axis(scores, order, -1)
    counted = weights[order]
    hits, called = (counted * truth[order]).cumsum(-1), counted.cumsum(-1)
    reached = 2 * hits / (called + truth @ weights)
    is_last = np.ones(reached.shape, dtype=bool)
    is_last[..., :-1] = sorted_[..., :-1] != sorted_[..., 1:]
    at = np.where(is_last, reached, -1.0).argmax(-1)[..., None]
    cuts = np.take_along_axis(sorted_, at, -1)[..., 0]
    return cuts, np.take_along_axis(reached, at, -1)[..., 0]


def _areas(scores, truth, weights):
    """Area under the ROC curve over the last axis; equal scores share a rank."""
    order = np.argsort(scores, axis=-1, kind="stable")
    sorted_ = np.take_along_axis(scores, order, -1)
    counted, is_positive = weights[order], truth[order]
    below = (counted * ~is_positive).cumsum(-1)
    last = scores.shape[-1] - 1
    starts = np.ones(sorted_.shape, dtype=bool)
    starts[..., 1:] = sorted_[..., 1:] != sorted_[..., :-1]
    ends = np.roll(starts, -1, axis=-1)
    ends[..., -1] = True
    places = np.arange(last + 1)
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    final = np.where(ends, places, last)[..., ::-1]
    final = np.minimum.accumulate(final, axis=-1)[..., ::-1]
    before = np.take_along_axis(below, np.maximum(first - 1, 0), -1) * (first > 0)
    ranks = (before + np.take_along_axis(below, final, -1)) / 2
    pairs = (truth @ weights) * (~truth @ weights)
    return (counted * is_positive * ranks).sum(-1) / pairs


def _smoothed(score, method):
    """Mean of each model and the two beside it on its method's path."""
    padded = np.concatenate([[np.nan], score, [np.nan]])
    beside = np.lib.stride_tricks.sliding_window_view(padded, 3).copy()
    owners = np.concatenate([[-1], method, [-1]])
    same = np.lib.stride_tricks.sliding_window_view(owners, 3) == method[:, None]
    return np.where(same, beside, 0.0).sum(axis=1) / same.sum(axis=1)
