// Asks for one test at a time, as the policy would. All text is set as text.
const answers = new Map();
const places = new Map(); // the list item of each node of the picture
const spot = (id) => document.getElementById(id);
const number = (x) => Number(x.toPrecision(4)).toString();
const priced = (x) => `${number(x)} ${policy.unit}`;

function element(tag, text, ...children) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function paidBy(features) {
  return new Set(features.flatMap((feature) => policy.needs[feature]));
}

function costOf(components) {
  return [...components].reduce((sum, component) => sum + policy.costs[component], 0);
}

// What features add to the cost behind others, and the components that were paid before.
function addedBy(feature, before) {
  const paid = paidBy(before);
  const needed = policy.needs[feature];
  return {
    cost: costOf(needed.filter((component) => !paid.has(component))),
    shared: needed.filter((component) => paid.has(component)),
  };
}

// The way so far; each place of it tells which features were asked for there.
function walk() {
  const trail = [];
  const known = new Set();
  const read = (feature) => {
    if (!answers.has(feature)) throw { asked: feature };
    if (!known.has(feature)) {
      known.add(feature);
      (trail.at(-1).bought ??= []).push(feature);
    }
    return answers.get(feature);
  };
  try {
    return { trail, said: decide(policy, read, trail) };
  } catch (stopped) {
    if (!("asked" in Object(stopped))) throw stopped;
    return { trail, asked: stopped.asked };
  }
}

function why(trail, said) {
  if (said.settled) return "No test that is left can change the answer.";
  if (policy.roots.length > 1) {
    return `All ${policy.roots.length} parts have answered; their sum decides.`;
  }
  const { node, values } = trail.at(-1);
  const { exit, shop, impossible } = policy.nodes[node];
  if (impossible) {
    return "What was asked for cannot occur: the network gives it no chance at all. "
      + "The answer is that of nothing known; take back what is wrong.";
  }
  if (shop) return "No further test promises more than it costs.";
  if (!exit) {
    return trail.length > 1 ? "The end of its way is reached." : "All is known that counts.";
  }
  if (exit[0] === "outside") return "The score is far enough out. Later tests are not asked for.";
  const sure = sureness(values, exit);
  return `It is sure enough here: ${number(sure.size)}, where ${number(sure.least)} `
    + "will do. Later tests are not asked for.";
}

// What the policy said behind the last test that it had by then.
function scoresAfter(trail) {
  const found = new Map();
  let last = null;
  for (const { bought, said } of trail) {
    last = bought?.at(-1) ?? last;
    if (said && last !== null) found.set(last, said);
  }
  return policy.roots.length > 1 ? new Map() : found;
}

// A value as the person gave it.
function given(feature, value) {
  const [kind, words] = kindOf(feature);
  if (Number.isNaN(value)) {
    return policy.complete?.includes(feature)
      ? "not known, though training had all: a guess" : "not known";
  }
  const isUnseen = policy.unseen?.[feature].some(([low, high]) => low < value && value < high);
  if (kind === "listed") {
    return (words[value] ?? "another") + (isUnseen ? ", which training did not know" : "");
  }
  if (kind === "time") return new Date(value * 6e4).toISOString().slice(11, 19);
  if (kind === "date") {
    const day = new Date(value * 864e5).toISOString().slice(0, hasHours(feature) ? 16 : 10);
    return day + (isUnseen ? ", far from all that training knew" : "");
  }
  return number(value);
}

function showBill(trail) {
  const scores = scoresAfter(trail);
  const rows = [...answers].map(([feature, value], k) => {
    const before = [...answers.keys()].slice(0, k);
    const { cost, shared } = addedBy(feature, before);
    const note = shared.length
      ? `${shared.map((c) => policy.components[c]).join(", ")} already paid` : "";
    const name = element("th", policy.features[feature]);
    name.scope = "row";
    return element("tr", "", name, element("td", given(feature, value)),
      element("td", priced(cost)),
      element("td", (scores.get(feature) ?? []).map(number).join(", ")),
      element("td", note));
  });
  spot("bill").replaceChildren(...rows);
  spot("total").textContent = `${priced(costOf(paidBy([...answers.keys()])))} of at most `
    + priced(costOf(paidBy([...policy.features.keys()])));
  spot("back").disabled = spot("again").disabled = answers.size === 0;
}

function showWay(trail, ended) {
  for (const item of places.values()) {
    item.classList.remove("passed");
    item.removeAttribute("aria-current");
  }
  trail.forEach(({ node }) => places.get(node)?.classList.add("passed"));
  if (policy.roots.length > 1) return;
  places.get(trail.at(-1).node)?.setAttribute("aria-current", ended ? "true" : "step");
}

// Which of two classes higher scores speak for, and from where on it is called.
function calledFrom() {
  if (policy.classes.length > 2) return "";
  const from = policy.callsAtCut ? "from" : "above";
  return ` (called ${policy.classes[1]} ${from} ${number(policy.cut)})`;
}

function show(focus) {
  const { trail, asked, said } = walk();
  const ended = said !== undefined;
  spot("ask").hidden = ended;
  spot("result").hidden = !ended;
  if (ended) {
    spot("label").textContent = String(said.label);
    spot("score").textContent = said.scores.map(number).join(", ") + calledFrom();
    spot("why").textContent = why(trail, said);
  } else {
    const { cost } = addedBy(asked, [...answers.keys()]);
    spot("name").textContent = policy.features[asked];
    offer(asked);
    spot("price").textContent = cost ? `This costs ${priced(cost)}.` : "This costs nothing more.";
    spot("ask").dataset.feature = asked;
  }
  showBill(trail);
  showWay(trail, ended);
  if (focus) (ended ? spot("result") : field()).focus();
}

function kindOf(feature) {
  return policy.kinds?.[feature] ?? ["number", []];
}

// Whether the hour of a date is weighed; where it is not, a day is all that is asked.
function hasHours(feature) {
  return (policy.columns ?? []).some((made) => made.of === feature && made.part?.[0] === "hour");
}

// How words of a number are read that is not written as the browser has it.
function formOf(feature) {
  return kindOf(feature)[0] === "number" ? policy.forms?.[feature] : null;
}

// The field that the value of the test is put into.
function field() {
  return spot("value").hidden ? spot("choice") : spot("value");
}

// Whether training knew what to do without the value.
function mayBeUnknown(feature) {
  const made = policy.columns?.filter((column) => column.of === feature) ?? [];
  return made.length > 0 && made.every((column) => "gap" in column);
}

// Says what is wrong with an answer; nothing where there is none.
function refuse(sentence) {
  spot("odd").textContent = sentence;
  spot("value").setAttribute("aria-invalid", String(sentence !== ""));
}

function refusal(feature) {
  const [kind] = kindOf(feature);
  const wanted = { date: "a day of the calendar", time: "a time of day", hashed: "a text" }[kind]
    ?? (formOf(feature) ? "a number as the table has them" : "a finite number");
  const name = policy.features[feature];
  return mayBeUnknown(feature) ? `Give ${wanted} for ${name}, or say that it is not known.`
    : `Give ${wanted} for ${name}: training knew of no gaps, so there is no answer without it.`;
}

// Asks for a number, a date or one of some words, as the test has them.
function offer(feature) {
  const [kind, words] = kindOf(feature);
  const isListed = kind === "listed";
  const day = hasHours(feature) ? "datetime-local" : "date";
  const types = { date: day, time: "time", hashed: "text" };
  spot("value").type = types[kind] ?? (formOf(feature) ? "text" : "number");
  spot("value").value = "";
  spot("value").hidden = spot("value").disabled = isListed;
  spot("choice").hidden = spot("choice").disabled = !isListed;
  spot("name").htmlFor = field().id;
  spot("unknown").hidden = !mayBeUnknown(feature);
  refuse("");
  const offered = isListed ? [...words, "another"] : [];
  spot("choice").replaceChildren(...offered.map((word, place) => {
    const option = element("option", word);
    option.value = place;
    return option;
  }));
}

// CRC-32 of a text in UTF-8: the bucket of a word that is not listed.
function checksum(text) {
  let crc = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

// What was put into the field, as the number that the policy reads.
function answered(feature) {
  const [kind, words] = kindOf(feature);
  if (kind === "listed") return Number(spot("choice").value);
  if (kind === "hashed") {
    const text = spot("value").value.trim();
    return text && !policy.gaps.includes(text) ? checksum(text) % words.length : NaN;
  }
  if (formOf(feature)) return readWord(spot("value").value, formOf(feature));
  const value = spot("value").valueAsNumber;
  if (kind === "time") return value / 6e4;
  if (kind !== "date") return value;
  const days = value / 864e5;
  return days >= policy.calendar[0] && days < policy.calendar[1] ? days : NaN;
}

function named(columns) {
  const names = policy.columns?.map((column) => column.name) ?? policy.features;
  return columns.map((column) => names[column]).join(", ");
}

function describe(place) {
  const node = policy.nodes[place];
  const weighed = (node.terms ?? []).map(([column]) => column);
  const asked = (node.buys ?? []).map((feature) => policy.features[feature]);
  const bought = asked.length ? `Ask for ${asked.join(", ")}; ` : "";
  if (node.fork) {
    return compared(node) >= 0 ? `${named(weighed)}?` : `Weigh ${named(weighed)}`;
  }
  if (node.gate) return `${bought}is the answer sure enough?`;
  if (node.shop) {
    const groups = node.shop[1].map((group) => `${named(group)}`);
    return `Ask for what promises more than it costs, out of: ${groups.join("; ")}`;
  }
  if (node.parts) {
    return `${bought}add up ${node.parts.length} trees`
      + (node.exit ? ", and answer if sure" : ", and answer");
  }
  if (!weighed.length) return `Answer ${answerOf(node)}`;
  return `${bought}weigh ${weighed.length} ${weighed.length > 1 ? "values" : "value"}`
    + (node.exit ? ", and answer if sure" : ", and answer");
}

function answerOf(node) {
  const [scale, shift] = node.scale ?? [1, 0];
  const said = (node.base ?? [0]).map((x) => scale * x + shift);
  const values = scoresOf(policy, said);
  const answer = `${policy.classes[winnerOf(policy, values)]} (${values.map(number).join(", ")})`;
  return node.impossible ? `${answer}, as if nothing was known: this cannot occur` : answer;
}

// The column whose value a node holds against a bound; -1 where it weighs.
function compared(node) {
  const [term] = node.terms ?? [];
  const plain = node.fork && node.terms.length === 1 && term[1][0] === 1 && !node.base;
  return plain ? term[0] : -1;
}

// The values above one bound and up to another, in words where there are some.
function between(column, low, high) {
  const made = policy.columns?.[column];
  if (made?.table && kindOf(made.of)[0] === "listed" && !made.hinge) {
    const values = [...made.table, made.gap ?? NaN];
    const words = [...kindOf(made.of)[1], "another", "not known"];
    const found = words.filter((_, k) => low < values[k] && values[k] <= high);
    const more = found.length > 5 ? ` or ${found.length - 4} others` : "";
    return found.slice(0, more ? 4 : 5).join(" or ") + more || "nothing";
  }
  if (low === -Infinity) return `up to ${number(high)}`;
  return high === Infinity ? `above ${number(low)}` : `${number(low)} to ${number(high)}`;
}

// What follows from one question: where each range of its value leads.
function ranges(place, item) {
  const column = compared(policy.nodes[place]);
  const found = [];
  let above = place;
  let low = -Infinity;
  do {
    const [bound, below, onward] = policy.nodes[above].fork;
    places.set(above, item);
    found.push([`${between(column, low, bound)}: `, below]);
    low = bound;
    above = onward;
  } while (column >= 0 && compared(policy.nodes[above]) === column);
  return [...found, [`${between(column, low, Infinity)}: `, above]];
}

// The tests that a node asks for, whoever comes to it; a shop's depend on the case.
function askedAt(node) {
  const columns = (node.terms ?? []).map(([column]) => policy.columns?.[column].of ?? column);
  return [...new Set([...(node.buys ?? []), ...columns])];
}

// What a node costs those who asked for some tests before, in words.
function charged(node, before) {
  const asked = askedAt(node).filter((feature) => !before.includes(feature));
  const paid = paidBy(before);
  const cost = costOf([...paidBy(asked)].filter((component) => !paid.has(component)));
  if (!asked.length) return "";
  return cost ? ` [${priced(cost)}]` : " [nothing more]";
}

function draw(place, prefix, list, stage = 1, before = []) {
  const node = policy.nodes[place];
  const start = node.exit || stage > 1 ? `${stage}. ` : prefix;
  const said = start + describe(place) + charged(node, before);
  const item = element("li", "", element("span", said));
  const asked = [...before, ...askedAt(node)];
  places.set(place, item);
  list.append(item);
  if (node.exit) draw(node.exit[3], "", list, stage + 1, asked);
  if (node.fork) {
    const inner = element("ul");
    item.append(inner);
    for (const [range, child] of ranges(place, item)) draw(child, range, inner, 1, asked);
  }
  if (node.gate) drawGate(node, item, asked);
}

// How many nodes the picture has: a gate's ways may meet again, trees of a stage are
// not drawn.
function drawn(place = 0, room = 401) {
  const node = policy.nodes[place];
  const ways = node.fork?.slice(1) ?? node.gate?.slice(1) ?? [];
  const onward = new Set(node.exit ? [node.exit[3]] : ways);
  let count = 1;
  for (const way of onward) {
    if (count >= room) return count;
    count += drawn(way, room - count);
  }
  return count;
}

// Where a gate leads, without what leads to one place alone.
function drawGate(node, item, asked) {
  const [, below, above] = node.gate;
  const inner = element("ul");
  item.append(inner);
  draw(below, below === above ? "" : "one way: ", inner, 1, asked);
  if (below !== above) draw(above, "the other: ", inner, 1, asked);
}

function drawAll() {
  const one = policy.roots.length === 1;
  if (one && drawn() <= 400) {
    const said = "In brackets: what a step adds to what was paid before it.";
    spot("picture").before(element("p", said));
    draw(0, "", spot("picture"));
    return;
  }
  const parts = one ? `${policy.nodes.length} questions and answers`
    : `${policy.roots.length} parts whose answers are added up`;
  spot("picture").before(element("p", `It has ${parts}. It may ask for:`));
  policy.features.forEach((name, feature) => {
    const needs = policy.needs[feature].map(
      (c) => `${policy.components[c]} ${priced(policy.costs[c])}`);
    spot("picture").append(element("li", `${name}: ${needs.join(", ")}`));
  });
}

spot("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const feature = Number(spot("ask").dataset.feature);
  const value = answered(feature);
  if (!Number.isFinite(value)) {
    refuse(refusal(feature));
    field().focus();
    return;
  }
  answers.set(feature, value);
  show(true);
});
spot("unknown").addEventListener("click", () => {
  answers.set(Number(spot("ask").dataset.feature), NaN);
  show(true);
});
spot("back").addEventListener("click", () => {
  answers.delete([...answers.keys()].at(-1));
  show(true);
});
spot("again").addEventListener("click", () => {
  answers.clear();
  show(true);
});
drawAll();
show(false);
