"""What is shared, what is not, and that no value ever changes by it."""

import functools
import math
import random
import re
import threading
import time
import types

import numpy as np
import pytest

from solvers import FeaturePipeline, Step
from solvers.tracing import trace_extractor, tracing
from solvers.verification import verifying

SIGNALS = list(np.random.default_rng(0).normal(size=(6, 64)))


def spectrum(signal):
    return np.abs(np.fft.rfft(signal))


def peak(signal):
    return spectrum(signal).max()


def energy(signal):
    return (spectrum(signal=signal) ** 2).sum()


def crest(signal):
    return peak(signal) / np.sqrt(energy(signal))


def traced_all(features, samples=SIGNALS, **options):
    return trace_extractor(features, samples, share_above=0.0, **options)


def names(traced):
    return sorted(one.component for one in traced.shared)


def check_values(traced, features, samples=SIGNALS):
    plain = [tuple(function(sample) for function in features) for sample in samples]
    trimmed = traced.trim(traced.features)
    assert [trimmed(sample) for sample in samples] == plain


def test_values_are_the_same_to_the_last_bit_on_a_thousand_samples():
    features = [peak, energy, crest]
    traced = traced_all(features)
    trimmed = traced.trim(["energy", "crest"])
    for sample in np.random.default_rng(1).normal(size=(1000, 64)):
        found = [value.hex() for value in map(float, trimmed(sample))]
        assert found == [float(f(sample)).hex() for f in (energy, crest)]


def test_a_feature_that_others_call_is_what_they_share():
    traced = traced_all([peak, energy, crest])
    assert names(traced) == ["energy", "peak", "spectrum"]
    graph = traced.hypergraph(dict.fromkeys(traced.components, 1.0))
    assert graph.cost(["peak"]) == 2  # itself and the spectrum
    assert graph.cost(["crest"]) == graph.cost(traced.features) == 4


def test_arguments_are_the_same_however_they_are_spelled():
    (one, *_) = [s for s in traced_all([peak, energy]).shared]
    assert (one.component, one.features, one.calls) == (
        "spectrum",
        ("peak", "energy"),
        2,
    )
    assert "behind 2 features; they would compute it 2 times" in str(one)


def test_other_arguments_are_another_component_with_its_own_name():
    def norm(signal, order):
        return np.linalg.norm(signal, order)

    features = {
        "a": lambda s: norm(s, 1),
        "b": lambda s: 2 * norm(s, order=1),
        "c": lambda s: norm(s, 2),
        "d": lambda s: norm(s, 2) + 1,
    }
    traced = traced_all(features)
    assert names(traced) == ["norm(1)", "norm(2)"]
    check_values(traced, list(features.values()))


library = types.ModuleType("library")
library.spectrum = spectrum
registry = {"fft": spectrum, "other": 3}


def by_module(signal):
    return library.spectrum(signal).sum()


def by_registry(signal):
    return registry["fft"](signal).min()


def by_default(signal, transform=spectrum):
    return transform(signal).mean()


def by_keyword(signal, *, transform=spectrum):
    return transform(signal)[0]


partial_spectrum = functools.partial(spectrum)


def by_partial(signal):
    return partial_spectrum(signal)[1]


def decorated(function):
    @functools.wraps(function)
    def wrapper(signal):
        return function(signal)

    return wrapper


@decorated
def by_closure(signal):
    return spectrum(signal)[2]


def in_a_loop(signal):
    return sum(one(signal)[3] for one in [spectrum, spectrum])


WAYS = [
    by_module,
    by_registry,
    by_default,
    by_keyword,
    by_partial,
    by_closure,
    in_a_loop,
]


def test_functions_are_found_wherever_code_holds_them():
    traced = traced_all(WAYS)
    (one,) = traced.shared
    assert one.component == "spectrum"
    assert one.features == tuple(way.__name__ for way in WAYS)
    assert one.calls == 8
    check_values(traced, WAYS)


def test_c_functions_are_shared_when_their_package_is_named():
    traced = traced_all([peak, lambda_free], inside=["numpy.fft"])
    assert names(traced) == ["rfft"]
    check_values(traced, [peak, lambda_free])


def lambda_free(signal):
    return np.fft.rfft(signal)[0].real


def test_nothing_of_a_library_is_left_changed():
    before = (np.fft.rfft, library.spectrum, by_default.__defaults__, dict(globals()))
    traced = traced_all([*WAYS, peak], inside=["numpy.fft", __name__])
    traced.trim(["peak"])(SIGNALS[0])
    assert before == (
        np.fft.rfft,
        library.spectrum,
        by_default.__defaults__,
        dict(globals()),
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


# ---------------------------------------------------------------- samples unlike those


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


def test_a_branch_is_charged_on_every_sample_and_told():
    def branchy(signal):
        return spectrum(signal).max() if signal[0] > 0 else 0.0

    traced = traced_all([peak, branchy])
    assert any("'branchy' call other functions on some" in n for n in traced.notes)
    assert names(traced) == ["spectrum"]
    check_values(traced, [peak, branchy])


def test_a_branch_that_no_sample_took_is_computed_as_ever():
    def twice(signal):
        first = spectrum(signal).max()
        return first + (spectrum(signal[:8]).max() if signal[0] > 100 else 0)

    traced = traced_all([peak, twice])
    far = SIGNALS[0] + 1000
    assert traced.trim(traced.features)(far) == (peak(far), twice(far))


# --------------------------------------------------------------------- kept whole


def drawing(signal):
    return noise(signal) + random.random()


def noise(signal):
    return float(np.random.normal())


def own_generator(signal):
    return float(np.random.default_rng().normal()) + peak(signal)


count = 0
remembered = []


def counting(signal):
    global count
    count += 1
    return peak(signal) + count * 0


def remembering(signal):
    remembered.append(1)
    return peak(signal)


def writing(signal, path="nowhere"):
    with open(path, "w") as file:
        file.write("x")
    return peak(signal)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (drawing, "draws from the global random numbers"),
        (own_generator, "gives something else each time"),
        (counting, "sets the variable count"),
        (remembering, r"changes .*remembered"),
    ],
)
def test_what_does_more_than_return_is_kept_whole(function, why):
    traced = traced_all([peak, energy, function])
    name = function.__name__
    (note,) = [n for n in traced.notes if "kept whole" in n]
    assert f"Feature '{name}' is kept whole" in note
    assert re.search(why, note)
    assert [one.features for one in traced.shared] == [("peak", "energy")]


def test_a_feature_that_writes_files_is_kept_whole(tmp_path):
    def writes(signal):
        return writing(signal, tmp_path / "out.txt")

    traced = traced_all([peak, energy, writes])
    assert (
        "Feature 'writes' is kept whole and shares nothing: it writes to a file."
        in (traced.notes)
    )


def test_a_counter_in_a_closure_is_seen():
    seen = 0

    def counted(signal):
        nonlocal seen
        seen += 1
        return peak(signal)

    traced = traced_all([peak, energy, counted])
    assert any("'counted' is kept whole" in n for n in traced.notes)


def centred(signal):
    return signal - signal.mean()


def spoiling(signal):
    values = centred(signal)
    values *= 0
    return values.sum()


def trusting(signal):
    return np.abs(centred(signal)).sum()


def test_a_shared_array_that_somebody_changes_is_not_shared():
    traced = traced_all([trusting, spoiling, peak, energy])
    assert names(traced) == ["spectrum"]
    (note,) = [n for n in traced.notes if "'centred'" in n]
    assert "changed in place afterwards" in note
    check_values(traced, [trusting, spoiling, peak, energy])


def sorting(values):
    values.sort()
    return values


def lowest(signal):
    return sorting(signal.copy())[0]


def highest(signal):
    return sorting(signal.copy())[-1]


def test_a_call_that_changes_its_argument_is_not_shared():
    traced = traced_all([lowest, highest])
    assert not traced.shared
    assert any("'sorting' is called 2 times alike and not" in n for n in traced.notes)
    check_values(traced, [lowest, highest])


def parts(signal):
    return (part for part in np.split(signal, 4))


def first_part(signal):
    return next(parts(signal)).sum()


def all_parts(signal):
    return sum(part.sum() for part in parts(signal))


def test_what_can_be_read_once_is_not_shared():
    traced = traced_all([first_part, all_parts])
    assert not traced.shared
    check_values(traced, [first_part, all_parts])


def test_a_call_that_raises_and_is_caught_is_not_shared():
    def picky(signal):
        raise ValueError("never")

    def careful(signal):
        try:
            return picky(signal)
        except ValueError:
            return peak(signal)

    traced = traced_all({"one": careful, "two": lambda s: careful(s) + 1})
    assert all(name != "picky" for name in names(traced))
    check_values(traced, [careful, lambda s: careful(s) + 1])


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


def test_what_takes_less_than_a_look_up_stays_where_it_is():
    def half(x):
        return x / 2

    features = {"a": lambda s: half(3), "b": lambda s: half(3) + 1}
    traced = trace_extractor(features, SIGNALS)
    assert not traced.shared
    assert any("take less time than looking them up" in n for n in traced.notes)


# ------------------------------------------------------------------- many columns


def table(signal):
    return {"peak": peak(signal), "energy": energy(signal)}


def test_one_function_is_bought_whole_and_says_so():
    traced = traced_all(table)
    assert traced.features == ("peak", "energy")
    graph = traced.hypergraph()
    assert graph.cost(["peak"]) == graph.cost(traced.features)
    assert any("One function gives all 2 columns" in n for n in traced.notes)
    assert traced.trim(["energy"])(SIGNALS[0]) == (energy(SIGNALS[0]),)


def test_columns_of_one_entry_need_the_same():
    traced = traced_all({"bands": lambda s: spectrum(s)[:3], "peak": peak})
    assert traced.features == ("bands_0", "bands_1", "bands_2", "peak")
    trimmed = traced.trim(["bands_1", "peak"])
    assert trimmed.features == ("bands_1", "peak")
    assert trimmed(SIGNALS[1]) == (spectrum(SIGNALS[1])[1], peak(SIGNALS[1]))
    with pytest.raises(ValueError, match="gives 1 numbers and gave 3 where it was"):
        trimmed(SIGNALS[1][:1])


def test_numbers_that_are_not_finite_pass_and_are_told():
    def log(signal):
        return math.nan if signal[0] < 0 else 1.0

    traced = traced_all({"log": log, "peak": peak})
    n_gaps = sum(signal[0] < 0 for signal in SIGNALS)
    assert f"Feature 'log' is not finite on {n_gaps} of 6 samples." in traced.notes


# ------------------------------------------------------------------------ prices


def slow(signal):
    time.sleep(0.008)  # takes as long on a busy machine
    return signal[0]


def slower(signal):
    time.sleep(0.016)
    return slow(signal) + signal[1]


def slowest(signal):
    return slow(signal) - slower(signal)


def test_own_times_add_up_to_what_trimmed_extractors_take():
    traced = traced_all([slow, slower, slowest], SIGNALS[:2])
    selections = [["slow"], ["slower"], ["slow", "slower"], ["slow", "slowest"]]
    *_, last = verifying(traced, selections, SIGNALS[:2], repeats=5)
    assert last.ratio == pytest.approx(np.ones(4), abs=0.4)
    assert traced.hypergraph().cost("slowest") == traced.hypergraph().total_cost
    assert traced.hypergraph().marginal_costs(["slow", "slower"])[2] < 4000
    assert traced.costs_spread.shape == (3,)


def test_an_open_sample_pays_once_and_on_demand():
    traced = traced_all([peak, energy, crest])
    opened = traced.open(SIGNALS[0])
    assert opened.paid == ()
    assert opened.feature("peak") == peak(SIGNALS[0])
    assert set(opened.paid) == {"peak", "spectrum"}
    assert opened.feature("crest") == crest(SIGNALS[0])
    assert set(opened.paid) == set(traced.components)
    other = traced.open(SIGNALS[1])
    assert other.feature("energy") == energy(SIGNALS[1])
    assert opened.feature("energy") == energy(SIGNALS[0])


def test_tracing_tells_how_far_it_is_and_can_be_left():
    steps = tracing([peak, energy], SIGNALS)
    shares = []
    for step in steps:
        shares.append(step.share)
        if step.share > 0.3:
            break
    assert step.seconds_left > 0
    assert step.extractor is None
    assert shares == sorted(shares)
    steps.close()


def test_a_pipeline_and_a_trace_of_the_same_code_agree():
    def deviation(signal):
        return ((signal - mean(signal)) ** 2).mean() ** 0.5

    def mean(signal):
        return signal.mean()

    def declared(signal, mean):
        return ((signal - mean) ** 2).mean() ** 0.5

    pipeline = FeaturePipeline(
        [mean, Step("deviation", declared)], inputs=["signal"]
    ).hypergraph()
    traced = traced_all([mean, deviation])
    ones = np.ones(len(traced.components))
    for features in (["mean"], ["deviation"], ["mean", "deviation"]):
        assert traced.hypergraph(ones).cost(features) == pipeline.cost(features)


def of_power(function, signal):
    return function(signal * signal)


def fourth(signal):
    return (spectrum(signal) ** 4).sum()


def test_what_a_function_is_handed_shares_as_what_it_names():
    features = {
        "energy": functools.partial(of_power, functools.partial(energy)),
        "fourth": functools.partial(of_power, functools.partial(fourth)),
    }
    traced = trace_extractor(features, SIGNALS, share_above=0.0)
    assert names(traced) == ["spectrum"]
    # A shared spectrum is no longer part of what the features take themselves.
    assert traced.shared[0].cost > 0
    check_values(traced, features.values())


def once(function, signal):
    return function(signal)


def again(function, signal):
    return function(signal) + 1


def twice(function, power, signal):
    return (once(function, signal) ** power).sum() + again(function, signal).max()


def test_what_cannot_be_replaced_is_not_called_shared():
    features = {
        "first": functools.partial(twice, spectrum, 1),
        "second": functools.partial(twice, spectrum, 2),
    }
    traced = trace_extractor(features, SIGNALS, share_above=0.0)
    assert names(traced) == ["again", "once"]
    assert "is called in a way that cannot be followed" in traced.notes[0]
    check_values(traced, features.values())
