"""Settings that every test shares."""

from hypothesis import HealthCheck, settings

# Examples are drawn anew on each machine, but the same for each run on it; a slow
# machine is no reason to fail.
settings.register_profile(
    "thriftscope",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("thriftscope")
