/* Features of a signal, as a sample of what a policy's callbacks may compute. Nothing is
   allocated: sorting and the transform work in arrays that you give. */
#ifndef FEATURES_H
#define FEATURES_H

#include <stddef.h>

float features_mean(const float *x, size_t n);

/* The mean of (x - mean) to a power: order 2 is the variance. */
float features_moment(const float *x, size_t n, int order);

/* Sorts in place; a component that quantiles share. */
void features_sort(float *x, size_t n);

/* A quantile of sorted values, between neighbours in proportion; share from 0 to 1. */
float features_quantile(const float *sorted, size_t n, float share);

size_t features_zero_crossings(const float *x, size_t n);

/* Fourier transform in place; n is a power of two. A component that magnitudes share. */
void features_fft(float *re, float *im, size_t n);

float features_magnitude(const float *re, const float *im, size_t k);

#endif
