/*
${bill}
*/
#ifndef POLICY_H
#define POLICY_H

#include <stdint.h>

typedef ${real} policy_real;

#define POLICY_CLASSES ${n_classes}
#define POLICY_OUTPUTS ${n_outputs}
#define POLICY_FEATURES ${n_features}
#define POLICY_COMPONENTS ${n_components}
#define POLICY_ROOM_FEATURES ${room_features}
#define POLICY_ROOM_COMPONENTS ${room_components}

#ifdef POLICY_TRACE
/* Why it stopped: at the end of its way, because it was sure, because no feature
   promised more than it costs, because all parts have answered, because what was
   computed cannot occur, or because no other part could change the answer. */
typedef enum {
    POLICY_END,
    POLICY_SURE,
    POLICY_NOTHING_PAYS,
    POLICY_SUM,
    POLICY_NO_CHANCE,
    POLICY_SETTLED
} policy_why;

/* A purchase: what it added to the cost, which of the components that it needs were
   paid before, as bits, and what the policy said once it had that. */
typedef struct {
    uint32_t feature;
    policy_real added;
    uint32_t already_paid[(POLICY_ROOM_COMPONENTS + 31) / 32];
    policy_real score[POLICY_OUTPUTS]; /* NAN where it said nothing before the next */
} policy_line;
#endif

/* Why there is no answer: a feature was NAN or infinite, and training had no gaps. */
typedef enum { POLICY_OK, POLICY_NOT_FINITE } policy_error;

typedef struct {
    policy_error error;
    uint32_t odd_feature; /* where there is an error: what was computed last */
    int label; /* its place among the labels; -1 where there is an error */
    policy_real score[POLICY_OUTPUTS]; /* of two labels higher speaks for the second */
    policy_real cost;
    uint32_t features[(POLICY_ROOM_FEATURES + 31) / 32]; /* bits: what was computed */
    uint32_t components[(POLICY_ROOM_COMPONENTS + 31) / 32];
    /* bits: what had no value though training had all, so that another stood for it */
    uint32_t guessed[(POLICY_ROOM_FEATURES + 31) / 32];
    /* bits: what had a word that training did not know, which counts as a rare one, or
       a date further outside of training's than these span */
    uint32_t unseen[(POLICY_ROOM_FEATURES + 31) / 32];
    int impossible; /* 1: what was computed has no chance at all in a network; the label
                       is that of nothing known, and no answer about this sample */
#ifdef POLICY_TRACE /* define it for all sources, or for none */
    policy_why why;
    uint32_t lines; /* so many of the bill are filled, in the order of purchase */
    policy_line bill[POLICY_ROOM_FEATURES];
#endif
} policy_decision;

extern const char *const policy_labels[POLICY_CLASSES];
extern const char *const policy_feature_names[POLICY_ROOM_FEATURES];

/* Decides about a sample. What you write below is handed the sample and the workspace;
   each of it is called at most once, and only if the answer depends on it. */
policy_decision policy_decide(const void *sample, void *workspace);

${codes}/* To write: compute what features share, into the workspace; then give a feature, a
   finite number. The components that a feature needs are called before it, in the order
   in which they stand here. */
${callbacks}

#endif
