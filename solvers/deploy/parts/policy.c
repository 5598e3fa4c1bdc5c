#include "policy.h"

#include <math.h>

typedef ${index} policy_index;

enum { ${rules} };
enum { POLICY_BOUNDED = 1, POLICY_SCALED = 2 };

/* What happens at a node: so many features are bought, so many columns weighed, and the
   answers of so many parts added; then its rule says whether these values are the
   answer, or where to go on. */
typedef struct {
    policy_index asked, buys, terms, parts, numbers, below, above;
    uint8_t values, rule, flags;
} policy_node;

#define POLICY_ROOTS ${n_roots}u
#define POLICY_SUMS ${n_sums}
#define POLICY_ROOM_VALUES ${room_values}
#define POLICY_DIVISOR ${divisor}
#define POLICY_OFFSET ${offset}
#define POLICY_CUT ${cut}
#define POLICY_ABOVE ${above}
#define POLICY_REFUSES_GAP(feature) ${refuses_gap}
#define POLICY_NORMALISES ${normalises}
${functions}

const char *const policy_labels[POLICY_CLASSES] = {
${labels}
};

const char *const policy_feature_names[POLICY_ROOM_FEATURES] = {
${feature_names}
};
${converters}
static policy_real (*const policy_value[])(const void *, void *) = {
${values}
};

static void (*const policy_compute[])(const void *, void *) = {
${components}
};

static const policy_real policy_costs[] = {
${costs}
};

static const policy_index policy_first_need[] = {
${first_need}
};

static const policy_index policy_needs[] = {
${needs}
};

static const policy_index policy_asked[] = {
${asked}
};

static const policy_real policy_numbers[] = {
${numbers}
};

static const policy_node policy_nodes[] = {
${nodes}
};

static const policy_index policy_roots[] = {
${roots}
};
${rests}${gapless}${columns}${stalls}
${machine}