// Runs a policy: features are read when they are needed, by what `read` gives.
function toEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

function largest(values) {
  return values.indexOf(Math.max(...values));
}

function lead(values) {
  const winner = largest(values);
  const others = values.filter((_, k) => k !== winner);
  return values[winner] - (others.length ? Math.max(...others) : 0);
}

// How sure a stage is, and from which number on it may answer; null: it may not.
function sureness(values, [kind, units, least]) {
  const winner = largest(values);
  if (kind === "claim" && (values[winner] <= 0 || lead(values) < values[winner])) {
    return null;
  }
  const size = kind === "size" ? Math.abs(values[winner])
    : kind === "claim" ? values[winner] : lead(values);
  return { size: size / units[winner], least: least[winner] };
}

function isSure(values, exit) {
  if (exit[0] === "outside") {
    const gap = lead(values);
    return !(exit[2][0] < gap && gap < exit[2][1]);
  }
  const sure = sureness(values, exit);
  return sure !== null && sure.size >= sure.least;
}

// A part of a date, from days since 1970; weeks begin with Monday, 0. Or, of minutes of a
// day, these, and the sine and cosine of their angle in its circle.
function datePart(part, days, latest) {
  if (part === "minute") return days;
  if (part === "sine") return Math.sin(days * (2 * Math.PI / 1440));
  if (part === "cosine") return Math.cos(days * (2 * Math.PI / 1440));
  const day = Math.floor(days);
  if (part === "age") return latest - days;
  if (part === "weekday") return day + 3 - 7 * Math.floor((day + 3) / 7);
  if (part === "hour") return Math.floor((days - day) * 24 + 1e-9);
  return new Date(day * 864e5).getUTCMonth() + 1;
}

// What is weighed: a feature, or what is made of it; NaN is a gap, and other words than
// those of a list have the place behind it.
function columnOf(policy, place, read) {
  if (!policy.columns) return read(place);
  const made = policy.columns[place];
  const code = read(made.of);
  let value = code;
  if (Number.isNaN(code)) {
    value = made.gap ?? NaN;
  } else if (made.table) {
    const last = made.table.length - 1;
    value = made.table[code >= 0 && code < last ? Math.trunc(code) : last];
  } else if (made.part) {
    value = datePart(made.part[0], code, made.part[1]);
  }
  const [hinge, at] = made.hinge ?? ["", 0];
  if (hinge === "fold") return Math.abs(value - at);
  if (hinge) return Math.max(hinge === "above" ? value - at : at - value, 0);
  return value;
}

// Logarithms whose exponentials sum to one.
function normalised(values) {
  const best = Math.max(...values);
  const sum = values.reduce((sum, value) => sum + Math.exp(value - best), 0);
  return values.map((value) => value - best - Math.log(sum));
}

// What each answer costs, by the chances of the classes.
function expected(chances, costs) {
  return costs.map((_, answer) => costs.reduce(
    (sum, ofClass, k) => sum + chances[k] * ofClass[answer], 0));
}

// How much rarer, or where they have prices cheaper, errors get once a column is known.
function promise(joint, logs, mistakes) {
  const best = (chances) => (mistakes.length
    ? -Math.min(...expected(chances, mistakes)) : Math.max(...chances));
  const believed = normalised(joint).map(Math.exp);
  const right = logs.map((shares) => best(
    shares.map((share, k) => believed[k] * Math.exp(share))));
  return right.reduce((sum, one) => sum + one, 0) - best(believed);
}

// Buys groups of columns while they promise more than they add.
function shopped(policy, joint, [errorCost, groups, cuts, logs, mistakes], read) {
  const featureOf = (c) => (policy.columns ? policy.columns[c].of : c);
  const paid = new Set();
  const added = (group) => {
    const parts = new Set(group.flatMap((c) => policy.needs[featureOf(c)]));
    return [...parts].filter((part) => !paid.has(part))
      .reduce((sum, part) => sum + policy.costs[part], 0);
  };
  const left = [...groups];
  for (;;) {
    const worth = left.map((group) => errorCost
      * Math.max(...group.map((c) => promise(joint, logs[c], mistakes))) - added(group));
    const most = Math.max(...worth);
    const least = 1e-12 * errorCost; // less is rounding
    if (!(most > least)) break;
    const best = worth.findIndex((one) => one >= most - least);
    for (const c of left.splice(best, 1)[0]) {
      const value = columnOf(policy, c, read);
      const bin = cuts[c].filter((cut) => value > cut).length;
      joint = joint.map((log, k) => log + logs[c][bin][k]);
      policy.needs[featureOf(c)].forEach((part) => paid.add(part));
    }
  }
  return joint.length === 2 ? [joint[1] - joint[0]] : normalised(joint);
}

// The odds of a gate, which sees a score and how sure that is.
function oddsOf([score, odds], weights) {
  const size = Math.abs(score);
  return [score, size, size * size, 1 / (1 + size)]
    .reduce((sum, seen, k) => sum + weights[k] * seen, odds);
}

// The values of a node: sums of columns, and of the answers of its parts.
function weighed(policy, node, read) {
  for (const feature of node.buys ?? []) read(feature);
  let values = [...(node.base ?? [0])];
  for (const [column, weights] of node.terms ?? []) {
    const value = columnOf(policy, column, read);
    weights.forEach((weight, k) => { values[k] += weight * value; });
  }
  for (const part of node.parts ?? []) {
    follow(policy, part, read, []).forEach((value, k) => { values[k] += value; });
  }
  if (policy.steps) {
    values = values.map((value) => toEven(value * policy.steps) / policy.steps);
  }
  if (!node.bound) return values;
  if (values.length > 1 && !node.gate) {
    return normalised(values).map((value) => Math.max(value, -node.bound));
  }
  if (values.length > 2) { // a gate's: scores of classes, and odds
    const odds = values.pop();
    const [best, next] = values.sort((one, other) => other - one);
    values = [best - next, odds];
  }
  values[0] = Math.min(Math.max(values[0], -node.bound), node.bound);
  return values;
}

// Follows a sample from one node until it leaves; notes what it sees on the way.
function follow(policy, at, read, trail) {
  for (;;) {
    const node = policy.nodes[at];
    const seen = { node: at, values: null };
    trail.push(seen);
    const values = weighed(policy, node, read);
    seen.values = values;
    if (node.fork) {
      at = values[0] <= node.fork[0] ? node.fork[1] : node.fork[2];
    } else if (node.gate) {
      at = oddsOf(values, node.gate[0]) > 0 ? node.gate[2] : node.gate[1];
    } else if ("rectified" in node) {
      return node.rectified.map((weight) => weight * Math.max(values[0], 0));
    } else if (node.shop) {
      return shopped(policy, values, node.shop, read);
    } else {
      const [scale, shift] = node.scale ?? [1, 0];
      seen.said = values.map((value) => scale * value + shift);
      if (!node.exit || isSure(values, node.exit)) return seen.said;
      at = node.exit[3];
    }
  }
}

// What classes may still reach beside the first, by what the roots to come add at least;
// null where another may win.
function mostReached(totals, rest) {
  const winner = largest(totals);
  const reached = totals.map((total, k) => (k === winner ? total : total - rest[winner][k]));
  return reached.every((most, k) => k === winner || totals[winner] > most) ? reached : null;
}

// What classes reach between bounds, of two the second's lead; null where several may win.
function reachedBetween(low, high, slack) {
  if (low.length === 1) {
    if (low[0] > slack) return [0, low[0]];
    return high[0] < -slack ? [0, high[0]] : null;
  }
  const winner = largest(low);
  const sure = high.every((most, k) => k === winner || low[winner] - most > slack);
  return sure ? high.map((most, k) => (k === winner ? low[k] : most)) : null;
}

// Lets roots wait for one feature after the other; null where that settles nothing.
function settledInTurns(policy, read, trail) {
  const { n, of, least, most, slack } = policy.turns;
  const waiting = Array.from({ length: n + 1 }, () => []);
  const sums = (bounds) => policy.roots.reduce(
    (sum, root) => sum.map((x, k) => x + bounds[root][k]), least[0].map(() => 0));
  let [low, high] = [sums(least), sums(most)];
  policy.roots.forEach((root) => waiting[of[root]].push(root));
  for (let turn = 0; turn < n; turn += 1) {
    const reached = reachedBetween(low, high, slack);
    if (reached) return reached;
    for (const begin of waiting[turn]) {
      let at = begin;
      while (of[at] <= turn) {
        const { fork } = policy.nodes[at];
        const seen = { node: at, values: null };
        trail.push(seen); // before it reads: what is bought is noted there
        seen.values = weighed(policy, policy.nodes[at], read);
        at = seen.values[0] <= fork[0] ? fork[1] : fork[2];
      }
      waiting[of[at]].push(at);
      low = low.map((x, k) => x + least[at][k] - least[begin][k]);
      high = high.map((x, k) => x + most[at][k] - most[begin][k]);
    }
  }
  return reachedBetween(low, high, slack);
}

// What the roots add up to, until nothing can change the label; and whether that was so.
function summed(policy, read, trail) {
  const early = policy.turns ? settledInTurns(policy, read, trail) : null;
  if (early) return [early, true];
  const totals = new Array(policy.sums).fill(0);
  for (const [place, root] of policy.roots.entries()) {
    follow(policy, root, read, trail).forEach((value, k) => { totals[k] += value; });
    const rest = policy.rests[place];
    const reached = rest ? mostReached(totals, rest) : null;
    if (reached) return [reached, true];
  }
  return [totals, false];
}

// Of totals the scores: where mistakes have prices, minus what each answer costs.
function scoresOf(policy, totals) {
  let scores = totals.map((total) => total / policy.divisor + policy.offset);
  if (scores.length === 2) scores = [scores[1] - scores[0]];
  if (!policy.priced.length) return scores;
  const [slope, offsets, costs] = policy.priced;
  const odds = scores.length === 1 ? [0, scores[0]] : scores;
  const chances = normalised(odds.map((odd, k) => slope * odd + offsets[k])).map(Math.exp);
  const paid = expected(chances, costs);
  return scores.length === 1 ? [paid[0] - paid[1]] : paid.map((cost) => -cost);
}

// The place of the class that scores are for.
function winnerOf(policy, scores) {
  if (scores.length > 1) return largest(scores);
  return Number(policy.callsAtCut ? scores[0] >= policy.cut : scores[0] > policy.cut);
}

function decide(policy, read, trail = []) {
  const [totals, settled] = summed(policy, read, trail);
  const scores = scoresOf(policy, totals);
  const winner = winnerOf(policy, scores);
  // What was read has no chance at all in a network: the label is that of nothing known.
  const impossible = trail.some(({ node }) => policy.nodes[node].impossible ?? false);
  return { label: policy.classes[winner], scores, impossible, settled };
}
