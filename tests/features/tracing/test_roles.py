"""Places play one role where they are given the same, and are shared once."""

from solvers.features.tracing.calls import TracedCall
from solvers.features.tracing.roles import (
    Role,
    Site,
    assign_roles,
    find_shared,
    merge_call,
    merge_times,
)
from tests.each import each


def fft(x):
    return x


def norm(x):
    return x


def entry(x):
    return x


def _site(function, keys, children=(), results=None):
    found = Site(function, keys=dict(keys), results=dict(results or keys))
    for number, child in enumerate(children):
        found.children[id(child.function), number] = child
    return found


def _entry(*children):
    return _site(entry, {}, children)


def _shared(*entries):
    assign_roles(entries)
    roles = {site.role for one in entries for site in one.walk() if site is not one}
    return find_shared(entries, roles)


def test_places_given_the_same_on_every_sample_play_one_role():
    one, other = _site(fft, {0: "a", 1: "b"}), _site(fft, {0: "a", 1: "b"})
    assign_roles([_entry(one), _entry(other)])
    assert one.role is other.role
    assert one.role.sites == [one, other]


@each(
    "other",
    [
        _site(fft, {0: "a", 1: "c"}),  # something else on one sample
        _site(norm, {0: "a", 1: "b"}),  # another function
        _site(fft, {2: "a"}),  # never seen together
    ],
    ids=["another argument", "another function", "no sample in common"],
)
def test_places_that_differ_play_roles_of_their_own(other):
    one = _site(fft, {0: "a", 1: "b"})
    assign_roles([_entry(one), _entry(other)])
    assert one.role is not other.role


def test_places_that_agree_where_both_were_called_play_one_role():
    one, other = _site(fft, {0: "a", 1: "b"}), _site(fft, {1: "b", 2: "c"})
    third = _site(fft, {2: "d"})
    assign_roles([_entry(one), _entry(other), _entry(third)])
    assert one.role is other.role
    assert third.role is not one.role  # it contradicts what the role saw on sample 2


def test_a_role_called_twice_is_shared_and_one_called_once_is_not():
    entries = [_entry(_site(fft, {0: "a"})), _entry(_site(fft, {0: "a"}))]
    assert [role.function for role in _shared(*entries)] == [fft]
    assert _shared(_entry(_site(fft, {0: "a"})), _entry(_site(fft, {0: "b"}))) == []


def test_what_a_shared_role_calls_alone_is_called_once_and_not_shared():
    entries = [_entry(_site(fft, {0: "a"}, [_site(norm, {0: "n"})])) for _ in range(2)]
    assert [role.function for role in _shared(*entries)] == [fft]


def test_what_is_called_inside_and_outside_of_a_shared_role_is_shared_too():
    entries = [_entry(_site(fft, {0: "a"}, [_site(norm, {0: "n"})])) for _ in range(2)]
    alone = _entry(_site(norm, {0: "n"}))
    assert {role.function for role in _shared(*entries, alone)} == {fft, norm}


def test_what_may_not_be_shared_is_gone_into_wherever_it_is_called():
    entries = [_entry(_site(fft, {0: "a"}, [_site(norm, {0: "n"})])) for _ in range(2)]
    assign_roles(entries)
    allowed = {
        site.role for one in entries for site in one.walk() if site.function is norm
    }
    assert [role.function for role in find_shared(entries, allowed)] == [norm]


def test_results_that_differ_are_an_objection():
    role = Role(fft)
    role.sites = [
        _site(fft, {0: "a"}, results={0: "x"}),
        _site(fft, {0: "a"}, results={0: "y"}),
    ]
    assert role.objection == "it gives something else each time"
    role.sites.pop()
    assert role.objection == ""


def _call(function=fft, key="a", result="r", children=(), nanoseconds=1):
    return TracedCall(
        function,
        key=key,
        result_key=result,
        children=list(children),
        nanoseconds=nanoseconds,
    )


@each(
    ("again", "objection"),
    [
        (_call(), ""),
        (_call(key="b"), "it is given something else each time"),
        (_call(result="s"), "it gives something else each time"),
    ],
)
def test_a_sample_that_is_seen_again_must_look_the_same(again, objection):
    site = Site(fft)
    merge_call(site, _call(), 0)
    merge_call(site, again, 0, again=True)
    assert site.objection == objection


def test_calls_are_merged_place_by_place_over_samples():
    site = Site(entry)
    merge_call(site, _call(entry, children=[_call(fft, "a"), _call(norm, "n")]), 0)
    merge_call(site, _call(entry, children=[_call(fft, "b")]), 1)
    by_function = {child.function: child for child in site.children.values()}
    assert by_function[fft].keys == {0: "a", 1: "b"}
    assert by_function[norm].keys == {0: "n"}


def test_a_role_takes_the_median_time_of_all_its_places():
    one, other = _site(fft, {0: "a"}), _site(fft, {0: "a"})
    entries = [_entry(one), _entry(other)]
    assign_roles(entries)
    for site, times in ((entries[0], (5, 1)), (entries[1], (30,))):
        for nanoseconds in times:
            merge_times(site, _call(entry, children=[_call(nanoseconds=nanoseconds)]))
    assert one.role.nanoseconds == 5
    assert Role(fft).nanoseconds == 0.0
