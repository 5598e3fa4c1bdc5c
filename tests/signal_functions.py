"""Four feature functions that need each other."""


def mean(signal):
    return sum(signal) / len(signal)


def deviation(signal, mean):
    return (sum((x - mean) ** 2 for x in signal) / len(signal)) ** 0.5


def peak(signal):
    return max(signal)


def crest(peak, deviation):
    return peak / deviation
