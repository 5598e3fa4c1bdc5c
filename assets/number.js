// Three digits that count, and all before the point: as solvers/values/rounding.py writes
// them.
function number(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value)
  const near = value.toExponential(2)
  if (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-6) return near
  return value.toFixed(Math.min(Math.max(0, 2 - Number(near.split("e")[1])), 6))
}
