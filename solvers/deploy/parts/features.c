#include "features.h"

#include <math.h>

float features_mean(const float *x, size_t n)
{
    float sum = 0.0f;
    size_t k;
    for (k = 0; k < n; ++k) {
        sum += x[k];
    }
    return sum / (float)n;
}

float features_moment(const float *x, size_t n, int order)
{
    const float mean = features_mean(x, n);
    float sum = 0.0f;
    size_t k;
    for (k = 0; k < n; ++k) {
        float power = 1.0f;
        int i;
        for (i = 0; i < order; ++i) {
            power *= x[k] - mean;
        }
        sum += power;
    }
    return sum / (float)n;
}

/* Lets a value sink below those that are larger. */
static void features_sink(float *x, size_t at, size_t n)
{
    const float value = x[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= n) {
            break;
        }
        if (child + 1 < n && x[child + 1] > x[child]) {
            ++child;
        }
        if (x[child] <= value) {
            break;
        }
        x[at] = x[child];
        at = child;
    }
    x[at] = value;
}

void features_sort(float *x, size_t n)
{
    size_t k;
    for (k = n / 2; k > 0; --k) {
        features_sink(x, k - 1, n);
    }
    for (k = n; k > 1; --k) {
        const float largest = x[0];
        x[0] = x[k - 1];
        x[k - 1] = largest;
        features_sink(x, 0, k - 1);
    }
}

float features_quantile(const float *sorted, size_t n, float share)
{
    const float place = share * (float)(n - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - (float)below) * (sorted[above] - sorted[below]);
}

size_t features_zero_crossings(const float *x, size_t n)
{
    size_t k, count = 0;
    for (k = 1; k < n; ++k) {
        count += (x[k - 1] < 0.0f) != (x[k] < 0.0f);
    }
    return count;
}

/* Puts values into the order in which the transform adds them up. */
static void features_reverse(float *re, float *im, size_t n)
{
    size_t k, other = 0;
    for (k = 1; k < n; ++k) {
        size_t bit = n >> 1;
        for (; other & bit; bit >>= 1) {
            other ^= bit;
        }
        other ^= bit;
        if (k < other) {
            const float a = re[k], b = im[k];
            re[k] = re[other];
            im[k] = im[other];
            re[other] = a;
            im[other] = b;
        }
    }
}

void features_fft(float *re, float *im, size_t n)
{
    size_t size, begin, k;
    features_reverse(re, im, n);
    for (size = 2; size <= n; size *= 2) {
        const size_t half = size / 2;
        for (k = 0; k < half; ++k) {
            const float angle = -6.28318530717958648f * (float)k / (float)size;
            const float c = cosf(angle), s = sinf(angle);
            for (begin = 0; begin < n; begin += size) {
                const size_t low = begin + k, high = begin + k + half;
                const float a = c * re[high] - s * im[high];
                const float b = c * im[high] + s * re[high];
                re[high] = re[low] - a;
                im[high] = im[low] - b;
                re[low] += a;
                im[low] += b;
            }
        }
    }
}

float features_magnitude(const float *re, const float *im, size_t k)
{
    return sqrtf(re[k] * re[k] + im[k] * im[k]);
}
