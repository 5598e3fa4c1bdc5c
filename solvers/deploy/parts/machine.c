typedef struct {
    const void *sample;
    void *workspace;
    policy_decision *said;
    policy_real values[POLICY_ROOM_FEATURES];
} policy_state;

static int policy_has(const uint32_t *bits, uint32_t place)
{
    return (int)((bits[place / 32u] >> (place % 32u)) & 1u);
}

static void policy_mark(uint32_t *bits, uint32_t place)
{
    bits[place / 32u] |= (uint32_t)1u << (place % 32u);
}

#ifdef POLICY_TRACE
/* Tells whether a component was computed for one of the purchases before. */
static int policy_was_paid(const policy_decision *said, uint32_t component)
{
    uint32_t line, k;
    for (line = 0; line < said->lines; ++line) {
        const uint32_t feature = said->bill[line].feature;
        for (k = policy_first_need[feature]; k < policy_first_need[feature + 1u]; ++k) {
            if (policy_needs[k] == component) {
                return 1;
            }
        }
    }
    return 0;
}

static void policy_bought(policy_decision *said, uint32_t feature, policy_real before)
{
    policy_line *line = &said->bill[said->lines];
    uint32_t need;
    int k;
    line->feature = feature;
    line->added = said->cost - before;
    for (need = policy_first_need[feature]; need < policy_first_need[feature + 1u];
         ++need) {
        if (policy_was_paid(said, policy_needs[need])) {
            policy_mark(line->already_paid, policy_needs[need]);
        }
    }
    for (k = 0; k < POLICY_OUTPUTS; ++k) {
        line->score[k] = NAN;
    }
    ++said->lines;
}

/* Notes on the bill what the policy says now. */
static void policy_say(policy_decision *said, const policy_real *score)
{
    int k;
    for (k = 0; k < POLICY_OUTPUTS && said->lines > 0; ++k) {
        said->bill[said->lines - 1u].score[k] = score[k];
    }
}

static void policy_stop(policy_decision *said, policy_why why)
{
    said->why = why;
}
#else
#define policy_bought(said, feature, before) (void)(before)
#define policy_say(said, score) (void)(score)
#define policy_stop(said, why) (void)(said)
#endif

/* Computes a feature, and the components that it needs, the first time. Nothing is
   computed behind a value that there is no answer with. */
static policy_real policy_read(policy_state *state, uint32_t feature)
{
    policy_decision *said = state->said;
    const policy_real before = said->cost;
    uint32_t k;
    if (policy_has(said->features, feature)) {
        return state->values[feature];
    }
    if (said->error == POLICY_OK) {
        for (k = policy_first_need[feature]; k < policy_first_need[feature + 1u]; ++k) {
            const uint32_t component = policy_needs[k];
            if (!policy_has(said->components, component)) {
                policy_mark(said->components, component);
                said->cost += policy_costs[component];
                policy_compute[component](state->sample, state->workspace);
            }
        }
        state->values[feature] =
            policy_value[feature](state->sample, state->workspace);
        policy_mark(said->features, feature);
        policy_bought(said, feature, before);
        if (POLICY_REFUSES_GAP(feature) && !isfinite(state->values[feature])) {
            said->error = POLICY_NOT_FINITE;
            said->odd_feature = feature;
            return 0;
        }
        return state->values[feature];
    }
    return 0;
}

POLICY_COLUMN_CODE
static int policy_largest(const policy_real *values, int n)
{
    int k, winner = 0;
    for (k = 1; k < n; ++k) {
        if (values[k] > values[winner]) {
            winner = k;
        }
    }
    return winner;
}

/* The largest value but the winner's; 0 where there is no other. */
static policy_real policy_second(const policy_real *values, int n, int winner)
{
    int k, second = winner == 0 ? 1 : 0;
    if (n == 1) {
        return 0;
    }
    for (k = 0; k < n; ++k) {
        if (k != winner && values[k] > values[second]) {
            second = k;
        }
    }
    return values[second];
}

/* Tells whether a stage may answer with its values. */
static int policy_is_sure(uint8_t rule, const policy_real *values, int n,
                          const policy_real *units, const policy_real *least)
{
    const int winner = policy_largest(values, n);
    const policy_real best = values[winner];
    const policy_real second = policy_second(values, n, winner);
    policy_real size = best;
    switch (rule) {
    case POLICY_OUTSIDE:
        return !(least[0] < best - second && best - second < least[1]);
    case POLICY_SIZE:
        size = best < 0 ? -best : best;
        break;
    case POLICY_CLAIM:
        if (!(best > 0 && second <= 0)) {
            return 0;
        }
        break;
    default:
        size = best - second;
        break;
    }
    return size / units[winner] >= least[winner];
}

#if POLICY_NORMALISES
/* Leaves the logarithms of numbers whose sum is one. */
static void policy_normalise(policy_real *values, int n)
{
    const policy_real best = values[policy_largest(values, n)];
    policy_real sum = 0;
    int k;
    for (k = 0; k < n; ++k) {
        sum += POLICY_EXP(values[k] - best);
    }
    for (k = 0; k < n; ++k) {
        values[k] -= best + POLICY_LOG(sum);
    }
}
#else
#define policy_normalise(values, n) (void)(values)
#endif

#ifdef POLICY_SLOPE
/* What each answer is expected to cost, by the chances of the classes. */
static void policy_expect(const policy_real *chances, policy_real *paid)
{
    int k, a;
    for (a = 0; a < POLICY_CLASSES; ++a) {
        paid[a] = 0;
        for (k = 0; k < POLICY_CLASSES; ++k) {
            paid[a] += chances[k] * policy_mistakes[k * POLICY_CLASSES + a];
        }
    }
}
#endif

#if POLICY_ROOM_VALUES > 2
/* Makes of a gate's scores by how much the largest leads; its odds, the last, follow. */
static void policy_lead(policy_real *values, int n)
{
    policy_real best = values[0], next = values[1];
    int k;
    for (k = 1; k < n - 1; ++k) {
        if (values[k] > best) {
            next = best;
            best = values[k];
        } else if (k == 1 || values[k] > next) {
            next = values[k];
        }
    }
    values[0] = best - next;
    values[1] = values[n - 1];
}
#endif

/* Holds a score between bounds; of several makes log-probabilities that are no lower. */
static void policy_bound(policy_real *values, int n, policy_real bound, int gated)
{
    int k;
    if (n > 1 && !gated) {
        policy_normalise(values, n);
    } else {
#if POLICY_ROOM_VALUES > 2
        if (n > 2) { /* a gate's: scores of classes, and odds */
            policy_lead(values, n);
        }
#endif
        n = 1;
        values[0] = values[0] > bound ? bound : values[0];
    }
    for (k = 0; k < n; ++k) {
        values[k] = values[k] < -bound ? -bound : values[k];
    }
}

/* The odds of a gate, which sees a score and how sure that is. */
static policy_real policy_odds(const policy_real *values, const policy_real *weights)
{
    const policy_real score = values[0];
    const policy_real size = score < 0 ? -score : score;
    return values[1] + weights[0] * score + weights[1] * size
           + weights[2] * size * size + weights[3] / (1 + size);
}

static void policy_follow(policy_state *state, uint32_t at, policy_real *answer);
POLICY_SHOP
/* Reckons the values of a node; returns where the numbers of its rule begin. */
static const policy_real *policy_weigh(policy_state *state, const policy_node *node,
                                       policy_real *values)
{
    const policy_index *asked = &policy_asked[node->asked];
    const policy_real *number = &policy_numbers[node->numbers];
    const int n = node->values;
    uint32_t i;
    int k;
    for (i = 0; i < node->buys; ++i) {
        (void)policy_read(state, *asked++);
    }
    for (k = 0; k < n; ++k) {
        values[k] = *number++;
    }
    for (i = 0; i < node->terms; ++i) {
        const policy_real value = policy_column(state, *asked++);
        for (k = 0; k < n; ++k) {
            values[k] += *number++ * value;
        }
    }
    for (i = 0; i < node->parts; ++i) {
        policy_follow(state, *asked++, values);
    }
    POLICY_ROUND(values, n)
    if (node->flags & POLICY_BOUNDED) {
        policy_bound(values, n, *number++, node->rule == POLICY_GATEDFORK);
    }
    return number;
}

/* Where a question about one column leads. */
static uint32_t policy_ask(policy_state *state, const policy_node *node)
{
    const policy_real value = policy_column(state, policy_asked[node->asked]);
    const policy_real at = policy_numbers[node->numbers];
    const int is_below = node->rule == POLICY_ASK ? value <= at : -value <= at;
    return is_below ? node->below : node->above;
}

/* Follows the row from one node until it leaves, and adds the answer up. */
static void policy_follow(policy_state *state, uint32_t at, policy_real *answer)
{
    policy_real values[POLICY_ROOM_VALUES];
    for (;;) {
        const policy_node *node = &policy_nodes[at];
        const policy_real *number, *scale;
        const int n = node->values;
        int k;
        if (node->rule >= POLICY_ASK) {
            at = policy_ask(state, node);
            continue;
        }
        if (node->rule == POLICY_LEAF) {
            for (k = 0; k < n; ++k) {
                answer[k] += policy_numbers[node->numbers + (uint32_t)k];
            }
            policy_stop(state->said, POLICY_END);
            return;
        }
        number = scale = policy_weigh(state, node, values);
        number += node->flags & POLICY_SCALED ? 2 : 0;
        if (node->rule == POLICY_FORK) {
            at = values[0] <= number[0] ? node->below : node->above;
        } else if (node->rule == POLICY_GATEDFORK) {
            at = policy_odds(values, number) > 0 ? node->above : node->below;
        } else if (node->rule == POLICY_RECTIFIED) {
            for (k = 0; k < POLICY_SUMS && values[0] > 0; ++k) {
                answer[k] += number[k] * values[0];
            }
            return;
        } else if (node->rule == POLICY_SHOPPING) {
            POLICY_GO_SHOPPING
            policy_stop(state->said, POLICY_NOTHING_PAYS);
            return;
        } else {
            policy_real says[POLICY_ROOM_VALUES] = {0};
            const int is_impossible = node->rule == POLICY_IMPOSSIBLE;
            const int is_last = node->rule == POLICY_ANSWERED || is_impossible;
            for (k = 0; k < n; ++k) {
                says[k] = node->flags & POLICY_SCALED
                              ? scale[0] * values[k] + scale[1]
                              : values[k];
            }
            if (!is_last) {
                policy_say(state->said, says);
            }
            if (is_last || policy_is_sure(node->rule, values, n, number, number + n)) {
                policy_stop(state->said, is_impossible ? POLICY_NO_CHANCE
                                         : is_last     ? POLICY_END
                                                       : POLICY_SURE);
                state->said->impossible = is_impossible;
                for (k = 0; k < n; ++k) {
                    answer[k] += says[k];
                }
                return;
            }
            at = node->above;
        }
    }
}

POLICY_REST_CODE
POLICY_PRICED_CODE
policy_decision policy_decide(const void *sample, void *workspace)
{
    policy_decision said = {0};
    policy_state state;
    policy_real sums[POLICY_SUMS] = {0};
    int output;
    state.sample = sample;
    state.workspace = workspace;
    state.said = &said;
    policy_sum(&state, sums);
    for (output = 0; output < POLICY_SUMS; ++output) {
        sums[output] = sums[output] / POLICY_DIVISOR + POLICY_OFFSET;
    }
    for (output = 0; output < POLICY_OUTPUTS; ++output) {
        said.score[output] = said.error != POLICY_OK      ? NAN
                             : POLICY_SUMS > POLICY_OUTPUTS ? sums[POLICY_SUMS - 1] - sums[0]
                                                          : sums[output];
    }
    if (said.error != POLICY_OK) {
        said.label = -1;
        return said;
    }
    POLICY_PRICED_CALL
    said.label = POLICY_OUTPUTS == 1 ? said.score[0] POLICY_ABOVE POLICY_CUT
                                     : policy_largest(said.score, POLICY_OUTPUTS);
    return said;
}
