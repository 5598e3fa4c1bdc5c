"""How the template's controls look: colours, one ring around the focus, large targets.

What is of ours has the same ring in `assets/`: two pixels in the ink of the theme, set
off by two. Targets are 44 pixels high, and wide; those of tables are as high as a row.
"""

from __future__ import annotations

from typing import Any

PRIMARY = {"light": "#0b5a8f", "dark": "#7cc4f5"}
# What cannot be moved now still says what it is: the template's own is half seen.
DISABLED = {"light": "#6b737c", "dark": "#9aa4ae"}
TARGET = 44  # CSS pixels
RING = {
    "outline": "2px solid var(--mui-palette-text-primary, currentColor)",
    "outlineOffset": "2px",
}
WITHIN = RING | {"outlineOffset": "-2px"}
_AROUND_BOX = RING | {"outlineOffset": "-7px", "borderRadius": "6px"}


def _root(**look: Any) -> dict[str, Any]:
    return {"styleOverrides": {"root": look}}


_COMPONENTS: dict[str, Any] = {
    # The cross of a dialog is as light as its ground in the dark, unless it is of its
    # text.
    "MuiDialog": {
        "styleOverrides": {"paper": {"& [aria-label=close]": {"color": "inherit"}}}
    },
    # Of whatever is pressed or ticked: buttons, boxes, options, entries.
    "MuiButtonBase": {
        "defaultProps": {"disableRipple": True},
        **_root(**{"&.Mui-focusVisible": RING}),
    },
    "MuiButton": _root(minHeight=TARGET),
    "MuiIconButton": _root(minHeight=TARGET, minWidth=TARGET),
    "MuiListItemButton": _root(
        **{"minHeight": TARGET, "&.Mui-focusVisible": {**WITHIN, "borderWidth": 0}}
    ),
    "MuiMenuItem": _root(**{"minHeight": TARGET, "&.Mui-focusVisible": WITHIN}),
    "MuiAccordionSummary": _root(**{"&.Mui-focusVisible": WITHIN}),
    # Around the box alone: further out it would lie on the label.
    "MuiCheckbox": _root(**{"&.Mui-focusVisible": _AROUND_BOX}),
    "MuiRadio": _root(**{"&.Mui-focusVisible": _AROUND_BOX}),
    "MuiFormControlLabel": _root(minHeight=TARGET),
    "MuiOutlinedInput": _root(
        **{"&:has(:focus-visible)": RING, "&.Mui-focused": {"borderRadius": "4px"}}
    ),
    # The focus is on what is not seen within: the ring is around what is.
    "MuiSwitch": _root(**{"&:has(.Mui-focusVisible)": {**RING, "borderRadius": "8px"}}),
    "MuiSlider": {
        "styleOverrides": {
            "thumb": {
                "&.Mui-focusVisible": {**RING, "boxShadow": "none"},
                "&::after": {"width": TARGET, "height": TARGET},
            }
        }
    },
}


def theme_config() -> dict[str, Any]:
    """Return what the template makes its two themes of."""
    return {
        theme: {
            "palette": {
                "primary": {"main": colour},
                "text": {"disabled": DISABLED[theme]},
            },
            "components": _COMPONENTS,
            "chart_style": "classic",
        }
        for theme, colour in PRIMARY.items()
    }
