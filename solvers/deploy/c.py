"""A policy as C99: tables, a small machine that walks them, and callbacks.

No memory is allocated, and nothing but math.h is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from string import Template

from ..errors import DeployError, listed, shown
from ..values.printed import c_reader
from .c_source import comment_of, source_text, string_of
from .c_source import listed as listed_in_c
from .policy import DeployablePolicy
from .text import bill, identifiers, part_text

# Strings and comments, which stay, and where our own names begin.
_OURS = re.compile(
    r'#include "policy\.h"|"(?:[^"\\]|\\.)*"|/\*.*?\*/|\b(?:policy|POLICY)(?=_)',
    re.DOTALL,
)
_INTEGERS = tuple(f"{sign}int{n}_t" for sign in ("", "u") for n in (8, 16, 32))


def c_files(
    policy: DeployablePolicy,
    name: str = "policy",
    real: str = "double",
    notes: Sequence[str] = (),
    integers: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return a header, a source and an example, by their file names."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,30}", name):
        raise DeployError(
            f"The name is {shown(name)}; give a word of small letters, digits and "
            "underscores that begins with a letter."
        )
    if real not in ("float", "double"):
        raise DeployError(f'The numbers are {shown(real)}; use "float" or "double".')
    types = _types(policy, integers or {})
    texts = {
        "policy.h": _header(policy, real, notes, types),
        "policy.c": source_text(policy, real, types),
        "policy_example.c": _example(policy, types),
    }
    return {
        file.replace("policy", name): _OURS.sub(partial(_renamed, name), text)
        for file, text in texts.items()
    }


def _renamed(name: str, found: re.Match[str]) -> str:
    """Return a piece of the source under another name; strings and comments stay."""
    if found[0].startswith(('"', "/*")):
        return found[0]
    return found[0].replace("policy", name).replace("POLICY", name.upper())


def _types(policy: DeployablePolicy, integers: Mapping[str, str]) -> dict[int, str]:
    """Return the types of features that are integers, by place; codes are some."""
    for name, kind in integers.items():
        if kind not in _INTEGERS:
            raise DeployError(
                f"The type of {shown(name)} is {shown(kind)}; use one of "
                f"{', '.join(_INTEGERS)}."
            )
    unknown = [name for name in integers if name not in policy.features]
    if unknown:
        raise DeployError(
            f"The policy asks for no feature {shown(unknown[0])}; give types for some "
            f"of {listed(policy.features)}."
        )
    found = {}
    for place, name in enumerate(policy.features):
        if policy.kinds[place].kind in ("listed", "hashed"):
            found[place] = "int32_t"
        elif name in integers:
            found[place] = integers[name]
    return found


def _header(
    policy: DeployablePolicy, real: str, notes: Sequence[str], types: Mapping[int, str]
) -> str:
    told = "\n".join(f"   {comment_of(line)}".rstrip() for line in bill(policy, notes))
    n_features, n_components = len(policy.features), len(policy.components)
    callbacks = [
        *_callbacks("policy_feature", policy.features, "policy_real", ";", types),
        *_callbacks("policy_component", policy.components, "void", ";"),
    ]
    return Template(part_text("policy.h")).substitute(
        bill=told,
        real=real,
        n_classes=len(policy.classes),
        n_outputs=policy.n_outputs,
        n_features=n_features,
        n_components=n_components,
        room_features=max(1, n_features),
        room_components=max(1, n_components),
        codes=_codes_text(policy),
        callbacks="\n".join(callbacks),
    )


def _codes_text(policy: DeployablePolicy) -> str:
    """Return the codes of words, and how gaps and dates are given."""
    if policy.is_plain:
        return ""
    lines = [
        "/* Values that are not known: NAN, or -1 where words are given as codes.",
        "   Dates are days since 1970, the time of day as part of a day; times are",
        "   minutes since midnight, durations days, percentages parts of one.",
    ]
    codes = []
    for name, kind in zip(policy.features, policy.kinds, strict=True):
        if kind.kind == "hashed":
            lines.append(
                f"   {comment_of(name)}: the CRC-32 of its UTF-8 text, modulo "
                f"{len(kind.words)}."
            )
        elif kind.kind == "listed":
            codes += [(f"{name}_{word}", k) for k, word in enumerate(kind.words)]
            codes.append((f"{name}_any_other", len(kind.words)))
    names = identifiers([name for name, _ in codes])
    told = [
        f"#define POLICY_WORD_{word.upper()} {code} /* {comment_of(name)} */"
        for word, (name, code) in zip(names, codes, strict=True)
    ]
    return "\n".join([*lines, "*/", *told, "", ""])


def _example(policy: DeployablePolicy, types: Mapping[int, str]) -> str:
    features = [
        f"{line}\n{{\n    (void)workspace;\n"
        f"    return {_from_row(policy, place, types)};\n}}\n"
        for place, line in enumerate(
            _callbacks("policy_feature", policy.features, "policy_real", "", types)
        )
    ]
    components = [
        f"{line}\n{{\n    (void)sample;\n    ++((unsigned *)workspace)[{place}];\n}}\n"
        for place, line in enumerate(
            _callbacks("policy_component", policy.components, "void")
        )
    ]
    callbacks = "\n".join([*features, *components])
    how, words = "", _NO_WORDS
    if not policy.is_plain:
        how, words = _HOW, _words(policy)
    return (
        part_text("example.c")
        .replace("POLICY_CALLBACKS", callbacks)
        .replace("POLICY_HOW", how)
        .replace("POLICY_WORDS", words)
    )


_HOW = """
   With --words rows are of words that are parted by tabs, as a table has them."""
_NO_WORDS = """
/* Rows are of numbers alone. */
static int example_read(example_sample *sample)
{
    (void)sample;
    return 0;
}
"""


def _words(policy: DeployablePolicy) -> str:
    """Return what reads cells of a table as the policy takes them."""
    forms = [kind.reader for kind in policy.kinds if kind.reader is not None]
    distinct = list(dict.fromkeys(forms))
    words: list[str] = []
    features = []
    for kind in policy.kinds:
        form = -1 if kind.reader is None else distinct.index(kind.reader)
        counts = f"{len(words)}, {len(kind.words)}, {int(kind.kind == 'hashed')}"
        features.append(f"{{{form}, {counts}}}")
        words += kind.words if kind.kind == "listed" else ()
    return f"""
{c_reader(distinct)}
/* How a feature is read: by a form, or as a word of a list or of buckets. */
typedef struct {{
    int form, first_word, n_words, is_hashed;
}} example_feature;

static const example_feature example_features[] = {{
{listed_in_c(features)}
}};

static const char *const example_words[] = {{
{listed_in_c(map(string_of, words or [""]))}
}};

static const char *const example_gaps[] = {{
{listed_in_c(map(string_of, policy.gap_marks))}
}};

{part_text("words.c")}"""


def _from_row(policy: DeployablePolicy, place: int, types: Mapping[int, str]) -> str:
    value = f"((const example_sample *)sample)->row[{place}]"
    if place not in types:
        return value
    whole = f"({types[place]}){value}"
    is_code = policy.kinds[place].kind != "number"
    return f"{value} != {value} ? -1 : {whole}" if is_code else whole


def _callbacks(
    prefix: str,
    names: Sequence[str],
    returns: str,
    end: str = "",
    types: Mapping[int, str] | None = None,
) -> list[str]:
    return [
        f"{(types or {}).get(place, returns)} {prefix}_{word}"
        f"(const void *sample, void *workspace){end}"
        for place, word in enumerate(identifiers(names))
    ]
