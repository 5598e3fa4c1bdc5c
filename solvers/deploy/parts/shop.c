/* What the best answer is worth, by the chances of the classes. */
static policy_real policy_best_answer(const policy_real *chances)
{
#ifdef POLICY_SLOPE
    policy_real paid[POLICY_CLASSES], least = INFINITY;
    int k;
    policy_expect(chances, paid);
    for (k = 0; k < POLICY_CLASSES; ++k) {
        least = paid[k] < least ? paid[k] : least;
    }
    return -least;
#else
    return chances[policy_largest(chances, POLICY_CLASSES)];
#endif
}

/* How much rarer, or where they have prices cheaper, errors get once a column is known. */
static policy_real policy_promise(const policy_real *believed, const policy_stall *stall)
{
    const policy_real *share = &policy_numbers[stall->shares];
    policy_real right = 0;
    uint32_t bin;
    int k;
    for (bin = 0; bin <= stall->cuts; ++bin) {
        policy_real both[POLICY_CLASSES];
        for (k = 0; k < POLICY_CLASSES; ++k) {
            both[k] = believed[k] * POLICY_EXP(share[k]);
        }
        right += policy_best_answer(both);
        share += POLICY_CLASSES;
    }
    return right - policy_best_answer(believed);
}

/* What the columns of a group would add to the bill. */
static policy_real policy_added(const policy_state *state, const policy_group *group)
{
    uint32_t counted[(POLICY_ROOM_COMPONENTS + 31) / 32] = {0};
    policy_real sum = 0;
    uint32_t i, k;
    for (i = group->first; i < group->end; ++i) {
        const uint32_t feature = policy_stalls[i].feature;
        for (k = policy_first_need[feature]; k < policy_first_need[feature + 1u]; ++k) {
            const uint32_t component = policy_needs[k];
            if (!policy_has(state->said->components, component)
                && !policy_has(counted, component)) {
                policy_mark(counted, component);
                sum += policy_costs[component];
            }
        }
    }
    return sum;
}

/* Which group is worth most; POLICY_GROUPS where none pays. */
static uint32_t policy_best_group(const policy_state *state, const policy_real *joint,
                                  const uint32_t *bought, policy_real error_cost)
{
    policy_real believed[POLICY_CLASSES], worths[POLICY_GROUPS], most = -INFINITY;
    const policy_real least = (policy_real)1e-12 * error_cost; /* less is rounding */
    uint32_t g, i;
    int k;
    for (k = 0; k < POLICY_CLASSES; ++k) {
        believed[k] = joint[k];
    }
    policy_normalise(believed, POLICY_CLASSES);
    for (k = 0; k < POLICY_CLASSES; ++k) {
        believed[k] = POLICY_EXP(believed[k]);
    }
    for (g = 0; g < POLICY_GROUPS; ++g) {
        const policy_group *group = &policy_groups[g];
        policy_real worth = -INFINITY;
        worths[g] = worth;
        if (policy_has(bought, g)) {
            continue;
        }
        for (i = group->first; i < group->end; ++i) {
            const policy_real promised = policy_promise(believed, &policy_stalls[i]);
            worth = promised > worth ? promised : worth;
        }
        worth = error_cost * worth - policy_added(state, group);
        worths[g] = worth;
        most = worth > most ? worth : most;
    }
    for (g = 0; most > least && worths[g] < most - least; ++g) {
    }
    return most > least ? g : POLICY_GROUPS;
}

/* By how much the second of two classes leads, or logarithms of probabilities. */
static void policy_tell(const policy_real *joint, policy_real *told)
{
    int k;
    for (k = 0; k < POLICY_CLASSES; ++k) {
        told[k] = joint[k];
    }
    if (POLICY_CLASSES == 2) {
        told[0] = joint[1] - joint[0];
    } else {
        policy_normalise(told, POLICY_CLASSES);
    }
}

/* Buys groups while they promise more than they add, and answers. */
static void policy_shop(policy_state *state, policy_real *joint, policy_real error_cost,
                        policy_real *answer)
{
    uint32_t bought[(POLICY_GROUPS + 31) / 32] = {0};
    policy_real told[POLICY_CLASSES];
    uint32_t i, c, best;
    int k;
    while ((best = policy_best_group(state, joint, bought, error_cost))
           != POLICY_GROUPS) {
        policy_mark(bought, best);
        for (i = policy_groups[best].first; i < policy_groups[best].end; ++i) {
            const policy_stall *stall = &policy_stalls[i];
            const policy_real value = policy_column(state, stall->column);
            const policy_real *share = &policy_numbers[stall->shares];
            for (c = 0; c < stall->cuts; ++c) {
                if (value > policy_numbers[stall->first_cut + c]) {
                    share += POLICY_CLASSES;
                }
            }
            for (k = 0; k < POLICY_CLASSES; ++k) {
                joint[k] += share[k];
            }
        }
        policy_tell(joint, told);
        policy_say(state->said, told);
    }
    policy_tell(joint, told);
    for (k = 0; k < POLICY_OUTPUTS; ++k) {
        answer[k] += told[k];
    }
}
