/* Walks a pattern; its ways are tried in their order, as regular expressions have them.
   Where a part begins and ends is noted at 2 k and 2 k + 1. */
static int values_walk(const values_step *step, const char *text, const char **part)
{
    for (;;) {
        const unsigned char c = (unsigned char)*text;
        switch (step->op) {
        case VALUES_BYTE:
            if (c != step->x) {
                return 0;
            }
            ++text, ++step;
            break;
        case VALUES_SET:
            if (!(values_sets[step->x][c / 32] >> (c % 32) & 1u)) {
                return 0;
            }
            ++text, ++step;
            break;
        case VALUES_EITHER:
            if (values_walk(step + step->x, text, part)) {
                return 1;
            }
            step += step->y;
            break;
        case VALUES_JUMP:
            step += step->x;
            break;
        case VALUES_NOTE: {
            const char *before = part[step->x];
            part[step->x] = text;
            if (values_walk(step + 1, text, part)) {
                return 1;
            }
            part[step->x] = before;
            return 0;
        }
        default:
            return c == '\0';
        }
    }
}

/* A word in small letters, with plain blanks, minus and apostrophe, and none around it;
   0 where it has too many characters. */
static int values_fold(const char *word, char *text)
{
    static const struct {
        const char *bytes, plain;
    } wide[] = {{"\302\240", ' '},     {"\342\200\207", ' '},  {"\342\200\211", ' '},
                {"\342\200\212", ' '}, {"\342\200\216", ' '},  {"\342\200\217", ' '},
                {"\342\200\257", ' '}, {"\357\273\277", ' '},
                {"\342\210\222", '-'}, {"\342\200\231", '\''}};
    size_t n = 0, begin = 0, characters = 0;
    while (*word) {
        size_t k, length = 0;
        char c = *word;
        for (k = 0; k < sizeof wide / sizeof *wide && !length; ++k) {
            if (!strncmp(word, wide[k].bytes, strlen(wide[k].bytes))) {
                length = strlen(wide[k].bytes);
                c = wide[k].plain;
            }
        }
        characters += (*word & 0xC0) != 0x80;
        if (characters > 200 || n + 1 >= VALUES_ROOM) {
            return 0;
        }
        text[n++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        word += length ? length : 1;
    }
    while (n > 0 && strchr(" \t\n\v\f\r", text[n - 1])) {
        --n;
    }
    text[n] = '\0';
    while (text[begin] && strchr(" \t\n\v\f\r", text[begin])) {
        ++begin;
    }
    memmove(text, text + begin, n - begin + 1);
    return 1;
}

static int values_has(const char **part, int k)
{
    return part[2 * k] && part[2 * k + 1] > part[2 * k];
}

static int values_begins(const char **part, int k, char c)
{
    return values_has(part, k) && *part[2 * k] == c;
}

/* The number of a part, of its first six digits; 0 where there is none. */
static int64_t values_whole(const char **part, int k)
{
    int64_t number = 0;
    const char *digit = part[2 * k];
    int n;
    for (n = 0; values_has(part, k) && n < 6 && digit < part[2 * k + 1]; ++n) {
        number = 10 * number + (*digit++ - '0');
    }
    return number;
}

static double values_real(const char **part, int k, char thousands, const char *end)
{
    char digits[VALUES_ROOM + 4];
    const char *from;
    size_t n = 0;
    for (from = part[2 * k]; from < part[2 * k + 1]; ++from) {
        if (!thousands || *from != thousands) {
            digits[n++] = (char)(*from == ',' ? '.' : *from);
        }
    }
    strcpy(digits + n, end);
    return strtod(digits, NULL);
}

static double values_number(const char **part, const values_form *form)
{
    const int percent = values_has(part, VALUES_PERCENT);
    double value = 0;
    if (values_has(part, VALUES_NIL)) {
        return 0;
    }
    value = values_real(part, VALUES_DIGITS, form->thousands,
                        percent || form->bare == 'p' ? "e-2" : "");
    if (!isfinite(value) || (form->bare == 'z' && !percent && value != 0)) {
        return NAN;
    }
    return values_begins(part, VALUES_SIGN, '-') || values_has(part, VALUES_OPEN) ? -value
                                                                                  : value;
}

static int64_t values_micros(const char **part)
{
    const int64_t minutes =
        values_whole(part, VALUES_HOUR) * 60 + values_whole(part, VALUES_MINUTE);
    int64_t fraction = values_whole(part, VALUES_FRACTION);
    ptrdiff_t n = values_has(part, VALUES_FRACTION)
                      ? part[2 * VALUES_FRACTION + 1] - part[2 * VALUES_FRACTION]
                      : 6;
    for (; n < 6; ++n) {
        fraction *= 10;
    }
    return (minutes * 60 + values_whole(part, VALUES_SECOND)) * 1000000 + fraction;
}

static double values_duration(const char **part)
{
    static const double sizes[] = {604800e6, 86400e6, 3600e6, 60e6, 1e6, 1e3, 1};
    double micros = 0;
    int k, n = values_has(part, VALUES_MINUTE);
    for (k = 0; k < 7; ++k) {
        if (values_has(part, VALUES_WEEKS + k)) {
            micros += values_real(part, VALUES_WEEKS + k, 0, "") * sizes[k];
            ++n;
        }
    }
    if (!n) {
        return NAN;
    }
    if (values_begins(part, VALUES_BACK, '-')) {
        micros = -micros;
    }
    if (values_has(part, VALUES_MINUTE)) {
        micros += (double)values_micros(part);
    }
    return (values_begins(part, VALUES_SIGN, '-') ? -micros : micros) / 86400e6;
}

/* Microseconds since midnight; -1 where no day has such a time. */
static int64_t values_time(const char **part)
{
    const int64_t day = INT64_C(86400000000), hour = values_whole(part, VALUES_HOUR);
    int64_t micros = values_micros(part);
    if (micros > day || values_whole(part, VALUES_MINUTE) > 59
        || values_whole(part, VALUES_SECOND) > 59) {
        return -1;
    }
    if (values_has(part, VALUES_HALF)) {
        if (hour < 1 || hour > 12) {
            return -1;
        }
        micros += (values_begins(part, VALUES_HALF, 'p') - (hour == 12)) * (day / 2);
    }
    return micros;
}

/* Years begin with March here, so that a leap day is their last. */
static int64_t values_day_number(int64_t year, int64_t month, int64_t day)
{
    const int64_t shifted = year - (month <= 2), era = shifted / 400;
    const int64_t of_era = shifted - era * 400;
    const int64_t of_year = (153 * (month + (month <= 2 ? 9 : -3)) + 2) / 5 + day - 1;
    const int64_t days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * 146097 + days - 719468;
}

static int64_t values_month(const char **part)
{
    const char *name = part[2 * VALUES_NAME];
    size_t k, length;
    if (!values_has(part, VALUES_NAME)) {
        return values_whole(part, VALUES_MONTH);
    }
    length = (size_t)(part[2 * VALUES_NAME + 1] - name);
    for (k = 0; k < VALUES_MONTHS; ++k) {
        const char *known = values_months[k].name;
        if (strlen(known) == length && !memcmp(known, name, length)) {
            return values_months[k].number;
        }
    }
    return 0;
}

/* Days since 1970, of UTC where a zone is told. */
static double values_moment(const char **part)
{
    const int64_t of_day = INT64_C(86400000000), month = values_month(part);
    const int64_t day = values_has(part, VALUES_DAY) ? values_whole(part, VALUES_DAY) : 1;
    int64_t year = values_whole(part, VALUES_YEAR), first, micros = 0, all;
    if (values_has(part, VALUES_SHORT)) {
        year = values_whole(part, VALUES_SHORT);
        year += 1900 + 100 * (year < 69);
    }
    if (year < 1 || month < 1 || month > 12 || day < 1) {
        return NAN;
    }
    first = values_day_number(year, month, 1);
    if (day > values_day_number(year + (month == 12), month % 12 + 1, 1) - first) {
        return NAN;
    }
    if (values_has(part, VALUES_MINUTE)) {
        micros = values_time(part);
        if (micros < 0 || micros >= of_day) {
            return NAN;
        }
    }
    if (values_has(part, VALUES_EAST)) {
        const int64_t hours = values_whole(part, VALUES_ZONE_HOUR);
        const int64_t minutes = values_whole(part, VALUES_ZONE_MINUTE);
        if (hours > 23 || minutes > 59) {
            return NAN;
        }
        micros -= (values_begins(part, VALUES_EAST, '+') ? 1 : -1)
                  * (hours * 60 + minutes) * 60000000;
    }
    all = (first + day - 1) * of_day + micros;
    if (all < -719162 * of_day || all >= 2932897 * of_day) {
        return NAN;
    }
    return (double)all / 86400e6;
}

/* What a word says by a form; NAN where it says nothing. */
static double values_read(const char *word, const values_form *form)
{
    char text[VALUES_ROOM];
    int k;
    if (!values_fold(word, text)) {
        return NAN;
    }
    for (k = 0; k < form->patterns; ++k) {
        const char *part[2 * VALUES_PARTS] = {0};
        int64_t micros;
        if (!values_walk(values_steps + values_starts[form->first + k], text, part)) {
            continue;
        }
        switch (form->kind) {
        case VALUES_YES_NO:
            return k;
        case VALUES_NUMBER:
            return values_number(part, form);
        case VALUES_DATE:
            return values_moment(part);
        case VALUES_DURATION:
            return values_duration(part);
        default:
            micros = values_time(part);
            return micros < 0 ? NAN : (double)(micros % INT64_C(86400000000)) / 60e6;
        }
    }
    return NAN;
}
