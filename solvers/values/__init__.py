"""The one grammar of what people write in a cell: forms of columns, and readers."""

from .base import ALONE, AmbiguousCellError, Beside, ValueForm
from .dates import (
    DateForm,
    DurationForm,
    TimeForm,
    date_form,
    offered_dates,
    time_form,
)
from .forms import ColumnGuess, beside_columns, form_from, form_notes, guessed_form
from .marks import USUAL_MARKS, FileMarks, MarksGiven
from .names import matched_names, same_name
from .numbers import (
    NumberForm,
    counts_money_in,
    first_code,
    number_form,
    plain_number,
    spelled,
)
from .words import (
    GAP_MARKS,
    YesNoForm,
    trimmed,
    unit_in,
    yes_no_form,
)

__all__ = [
    "ALONE",
    "GAP_MARKS",
    "USUAL_MARKS",
    "AmbiguousCellError",
    "Beside",
    "ColumnGuess",
    "DateForm",
    "DurationForm",
    "FileMarks",
    "MarksGiven",
    "NumberForm",
    "TimeForm",
    "ValueForm",
    "YesNoForm",
    "beside_columns",
    "counts_money_in",
    "date_form",
    "first_code",
    "form_from",
    "form_notes",
    "guessed_form",
    "matched_names",
    "number_form",
    "offered_dates",
    "plain_number",
    "same_name",
    "spelled",
    "time_form",
    "trimmed",
    "unit_in",
    "yes_no_form",
]
