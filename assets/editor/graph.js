// The graph as the server last sent it. Parts of one module, joined in this order:
// graph, scene, camera, form, bar, keys, pointer, editor.

// Sum and blocks are worked out here because they are wanted under a moving pointer.
class Graph {
  constructor(sent) {
    this.unit = sent.unit ?? ""
    this.nBlocks = sent.n_blocks ?? 0
    this.nAll = sent.n_all ?? 0
    this.nodes = new Map()
    this.order = []
    for (const [id, name, cost, kind, block, x, y, hidden] of sent.components ?? [])
      this.add({ id, name, cost, kind, block, x, y, hidden, isFeature: false })
    for (const [id, name, cost, block, x, y, hidden] of sent.features ?? [])
      this.add({ id, name, cost, block, x, y, hidden, isFeature: true })
    this.links = (sent.links ?? []).filter(
      ([c, f]) => this.nodes.has(c) && this.nodes.has(f))
    for (const [c, f] of this.links) {
      this.nodes.get(c).near.push(f)
      this.nodes.get(f).near.push(c)
    }
    this.costliest = Math.max(0, ...(sent.components ?? []).map(part => part[2]))
  }

  add(node) {
    node.near = []
    this.nodes.set(node.id, node)
    this.order.push(node.id)
  }

  get(id) { return this.nodes.get(id) }

  has(id) { return this.nodes.has(id) }

  features(ids) { return [...ids].filter(id => this.get(id)?.isFeature) }

  components(ids) { return [...ids].filter(id => this.has(id) && !this.get(id).isFeature) }

  // What some features need: each component once.
  needed(features) {
    return new Set(features.flatMap(id => this.get(id).near))
  }

  // What lights up with some nodes: what features need, and what needs a component.
  around(ids) {
    const lit = new Set(ids)
    for (const id of ids) for (const other of this.get(id)?.near ?? []) lit.add(other)
    return lit
  }

  linked(c, f) { return this.get(f)?.near.includes(c) ?? false }

  bounds() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const { x, y } of this.nodes.values()) {
      left = Math.min(left, x); right = Math.max(right, x)
      top = Math.min(top, y); bottom = Math.max(bottom, y)
    }
    return this.nodes.size ? { left, top, right, bottom } : { left: 0, top: 0, right: 0, bottom: 0 }
  }
}

const MAX_TERMS = 5

// As `number`, with its unit; features that are counted have no decimals.
function costText(value, unit) {
  const isCount = unit === "features" && Number.isInteger(value)
  return isCount ? counted(value, "feature") : `${number(value)} ${unit}`
}

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`

// Of a name that is written from the right, the price before it stays before it.
const isolated = name => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name)

// The cost of features as a sum, costliest component first, and what sharing saves.
function sumText(graph, features) {
  const paid = [...graph.needed(features)].map(id => graph.get(id)).sort((a, b) => b.cost - a.cost)
  const together = paid.reduce((sum, part) => sum + part.cost, 0)
  const apart = features.reduce((sum, id) => sum + graph.get(id).cost, 0)
  const terms = paid.slice(0, MAX_TERMS).map(part => `${number(part.cost)} ${isolated(part.name)}`)
  const rest = paid.slice(MAX_TERMS).reduce((sum, part) => sum + part.cost, 0)
  if (paid.length > MAX_TERMS)
    terms.push(`${number(rest)} for ${paid.length - MAX_TERMS} more`)
  const unit = graph.unit
  const saved = apart - together
  const sharing = features.length < 2 ? ""
    : saved > 1e-9 * apart
      ? ` One by one they would cost ${costText(apart, unit)}: sharing saves ${costText(saved, unit)}.`
      : " They share nothing that costs."
  const partial = features.some(id => graph.get(id).hidden)
    ? " Some of their components are not drawn here." : ""
  return `${costText(together, unit)} = ${terms.join(" + ") || "nothing"}.${sharing}${partial}`
}

// A node in words, for ears and for the line under the drawing.
function nodeText(graph, id) {
  const node = graph.get(id)
  const block = `block ${node.block + 1} of ${graph.nBlocks}`
  const names = node.near.map(other => graph.get(other).name)
  const shown = names.slice(0, 6).join(", ") + (names.length > 6 ? ", ..." : "")
  if (node.isFeature) return `Feature ${node.name}, needs ${shown}; ${block}`
  const users = node.near.length + node.hidden
  const kind = node.kind === "utilisation" ? "utilisation component" : "component"
  return `${kind[0].toUpperCase()}${kind.slice(1)} ${node.name}, ${costText(node.cost, graph.unit)}, `
    + `${users ? `paid once for ${counted(users, "feature")}: ${shown}` : "needed by no feature"}; ${block}`
}
