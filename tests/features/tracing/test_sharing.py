"""What is shared, what is not, and that no value ever changes by it."""

import functools
import types

import numpy as np

from solvers.features.tracing import trace_extractor
from tests.features.tracing.signals import SIGNALS, check_values, names, traced_all

# In this module: what features call is found in the module that wrote them.


def spectrum(signal):
    return np.abs(np.fft.rfft(signal))


def peak(signal):
    return spectrum(signal).max()


def energy(signal):
    return (spectrum(signal=signal) ** 2).sum()


def crest(signal):
    return peak(signal) / np.sqrt(energy(signal))


def test_values_are_the_same_to_the_last_bit_on_a_thousand_samples():
    features = [peak, energy, crest]
    traced = traced_all(features)
    trimmed = traced.trim(["energy", "crest"])
    for sample in np.random.default_rng(1).normal(size=(1000, 64)):
        found = [value.hex() for value in map(float, trimmed(sample))]
        assert found == [float(f(sample)).hex() for f in (energy, crest)]


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
