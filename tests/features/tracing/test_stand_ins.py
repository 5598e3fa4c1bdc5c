"""A stand-in gives the value of the right call, on every thread and sample."""

import threading

import numpy as np

from tests.features.tracing.signals import (
    SIGNALS,
    check_values,
    crest,
    energy,
    names,
    peak,
    spectrum,
    traced_all,
)


def test_recursion_is_followed():
    def power(x, n):
        return x if n == 0 else power(x, n - 1) * x

    features = {"four": lambda s: power(s[0], 4), "six": lambda s: power(s[0], 6)}
    traced = traced_all(features)
    # power(x, 4) is asked for by both, all below it by power(x, 4) alone.
    (one,) = traced.shared
    assert one.features == ("four", "six")
    check_values(traced, list(features.values()))


def test_calls_in_turn_take_the_right_value():
    def shifted(signal, by):
        return np.roll(signal, by)

    def one_way(signal):
        return shifted(signal, 1)[0] - shifted(signal, 2)[0]

    def other_way(signal):
        return shifted(signal, 2)[0] - shifted(signal, 1)[0]

    traced = traced_all([one_way, other_way])
    assert names(traced) == ["shifted(1)", "shifted(2)"]
    check_values(traced, [one_way, other_way])


def test_arguments_that_only_looked_alike_are_told_apart_later():
    def total(values):
        return values.sum() + len(values)

    def positive(signal):
        return total(signal[signal > 0])

    def not_negative(signal):
        return total(signal[signal >= 0])

    traced = traced_all([positive, not_negative])
    assert names(traced) == ["total"]
    with_zeros = np.array([0.0, 1.0, 0.0, -2.0])
    assert traced.trim(traced.features)(with_zeros) == (2.0, 4.0)


def test_a_branch_that_no_sample_took_is_computed_as_ever():
    def twice(signal):
        first = spectrum(signal).max()
        return first + (spectrum(signal[:8]).max() if signal[0] > 100 else 0)

    traced = traced_all([peak, twice])
    far = SIGNALS[0] + 1000
    assert traced.trim(traced.features)(far) == (peak(far), twice(far))


def test_other_threads_see_the_plain_functions():
    def in_threads(signal):
        found = []
        thread = threading.Thread(target=lambda: found.append(peak(signal)))
        thread.start()
        thread.join()
        return found[0]

    traced = traced_all([peak, energy, in_threads])
    check_values(traced, [peak, energy, in_threads])


def test_an_extractor_may_be_used_by_many_threads():
    traced = traced_all([peak, energy, crest])
    trimmed, wrong = traced.trim(traced.features), []

    def work(seed):
        for sample in np.random.default_rng(seed).normal(size=(200, 64)):
            if trimmed(sample) != (peak(sample), energy(sample), crest(sample)):
                wrong.append(sample)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
