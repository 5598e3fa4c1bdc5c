static int policy_month(policy_real days)
{
    /* Years begin with March here, so that a leap day is their last. */
    const int32_t shifted = (int32_t)POLICY_FLOOR(days) + 719468;
    const int32_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int32_t of_era = shifted - era * 146097;
    const int32_t year =
        (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int32_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int32_t month = (5 * of_year + 2) / 153;
    return (int)(month < 10 ? month + 3 : month - 9);
}

/* Of days since 1970, or of minutes of a day. */
static policy_real policy_date_part(int part, policy_real days, policy_real latest)
{
    const policy_real day = POLICY_FLOOR(days);
    if (part == POLICY_AGE) {
        return latest - days;
    }
    if (part == POLICY_WEEKDAY) {
        return day + 3 - 7 * POLICY_FLOOR((day + 3) / 7);
    }
    if (part == POLICY_MINUTE) {
        return days;
    }
    if (part == POLICY_SINE || part == POLICY_COSINE) {
        const policy_real angle = days * (policy_real)(6.283185307179586 / 1440.0);
        return part == POLICY_SINE ? POLICY_SIN(angle) : POLICY_COS(angle);
    }
    if (part == POLICY_HOUR) {
        return POLICY_FLOOR((days - day) * 24 + (policy_real)1e-9);
    }
    return (policy_real)policy_month(days);
}

/* Notes a code, or a date, such as training did not know. */
static void policy_note_unseen(policy_state *state, uint32_t feature, policy_real code)
{
    uint32_t k = policy_first_bound[feature];
    for (; k < policy_first_bound[feature + 1u]; k += 2u) {
        if (policy_bounds[k] < code && code < policy_bounds[k + 1u]) {
            policy_mark(state->said->unseen, feature);
        }
    }
}

/* What is weighed: made of a feature, where other words than those of a list have the
   place behind it. NAN, what is infinite and days out of the calendar are gaps. */
static policy_real policy_column(policy_state *state, uint32_t place)
{
    const policy_made *made = &policy_columns[place];
    const policy_real *number = &policy_numbers[made->numbers];
    const policy_real code = policy_read(state, made->feature);
    policy_real value = code;
    if (!isfinite(code)
        || (made->part != POLICY_NO_PART && made->part < POLICY_MINUTE
            && (code < POLICY_FIRST_DAY || code >= POLICY_END_DAY))) {
        value = number[0];
        if (policy_has(policy_complete, made->feature)) {
            policy_mark(state->said->guessed, made->feature);
        }
    } else {
        policy_note_unseen(state, made->feature, code);
        if (made->words > 0) {
            uint32_t last = (uint32_t)made->words - 1u;
            uint32_t word =
                code >= 0 && code < (policy_real)last ? (uint32_t)code : last;
            value = number[3u + word];
        } else if (made->part != POLICY_NO_PART) {
            value = policy_date_part(made->part, code, number[1]);
        }
    }
    switch (made->hinge) {
    case POLICY_FOLD:
        return value < number[2] ? number[2] - value : value - number[2];
    case POLICY_HINGE_ABOVE:
        return value > number[2] ? value - number[2] : 0;
    case POLICY_HINGE_BELOW:
        return value < number[2] ? number[2] - value : 0;
    default:
        return value;
    }
}
