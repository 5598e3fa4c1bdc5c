// The picture: one SVG group a node, one line a link, changed only where they differ.

const SVG = "http://www.w3.org/2000/svg"
const HALF = { width: 53, height: 17 }
// What fits into a node, by the size of its letters.
const MAX_LETTERS = 16, LETTER = 0.57
// Of larger ones one line has room.
const ONE_LINE = 15

function make(parent, tag, attributes = {}) {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  parent.append(made)
  return made
}

function html(parent, tag, attributes = {}, text = "") {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  parent.append(made)
  return made
}

// Both ends of a long name tell more than its beginning; where several share them, as
// "sepal length (cm)" and "sepal width (cm)" do, more of its beginning.
function shortened(name, others, most = MAX_LETTERS) {
  const letters = [...name]
  if (letters.length <= most) return name
  const cut = (head, tail) => [letters.slice(0, head).join(""), letters.slice(-tail).join("")]
  const isAlike = ([head, tail]) => other =>
    other !== name && other.startsWith(head) && other.endsWith(tail)
  const shares = [0.46, 0.69, 0.92, 0.23].map(share => Math.round(share * (most - 1)))
  const ways = shares.map(head => Math.max(1, Math.min(most - 2, head)))
    .map(head => cut(head, most - 1 - head))
  const told = ways.find(ends => !others.some(isAlike(ends))) ?? ways[0]
  return told.join("…")
}

class Scene {
  constructor(parent) {
    this.svg = make(parent, "svg", { class: "drawing" })
    this.world = make(this.svg, "g")
    this.linkLayer = make(this.world, "g", { "aria-hidden": "true", class: "links" })
    this.nodeLayer = make(this.world, "g", {
      role: "listbox", "aria-multiselectable": "true",
      "aria-label": "Features and components",
    })
    this.draft = make(this.world, "line", { class: "draft", visibility: "hidden" })
    this.box = make(this.world, "rect", { class: "box", visibility: "hidden" })
    this.nodes = new Map()
    this.lines = new Map()
    this.lit = new Set()
    this.mostLetters = MAX_LETTERS
  }

  draw(graph) {
    this.graph = graph
    this.svg.classList.toggle("many", graph.nodes.size > 400)
    for (const [id, view] of this.nodes)
      if (!graph.has(id)) { view.group.remove(); this.nodes.delete(id) }
    this.longNames = graph.order.map(id => graph.get(id).name)
      .filter(name => name.length > MAX_LETTERS)
    for (const id of graph.order) this.drawNode(graph.get(id))
    const wanted = new Set(graph.links.map(link => link.join()))
    for (const [key, view] of this.lines)
      if (!wanted.has(key)) { view.line.remove(); this.lines.delete(key) }
    for (const view of this.nodes.values()) view.lines = []
    for (const [c, f] of graph.links) this.drawLink(c, f)
    this.light(this.lit)
  }

  drawNode(node) {
    let view = this.nodes.get(node.id)
    if (!view) {
      view = this.newNode(node)
      this.nodes.set(node.id, view)
    }
    if (view.x !== node.x || view.y !== node.y) this.place(node.id, node.x, node.y)
    view.group.dataset.thing = `${node.isFeature ? "feature" : "component"}:${node.name}`
    this.entitle(view, node)
    const cost = `${number(node.cost)}${node.isFeature && node.hidden ? " …" : ""}`
    if (view.cost.textContent !== cost) view.cost.textContent = cost
    const label = nodeText(this.graph, node.id)
    if (view.label !== label) {
      view.label = label
      view.group.setAttribute("aria-label", label)
    }
    const isShared = !node.isFeature && node.near.length + (node.hidden || 0) > 1
    const look = `node ${node.isFeature ? "feature" : "component"}`
      + (isShared ? " shared" : "")
      + (node.kind === "utilisation" ? " utilisation" : "")
    if (view.look !== look) {
      view.look = look
      const states = ["chosen", "lit", "target"].filter(name => view.group.classList.contains(name))
      view.group.setAttribute("class", [look, ...states].join(" "))
    }
    if (view.bar) {
      const share = this.graph.costliest ? node.cost / this.graph.costliest : 0
      view.bar.setAttribute("width", (2 * HALF.width - 8) * share)
    }
  }

  entitle(view, node) {
    const shown = shortened(node.name, this.longNames, this.mostLetters)
    if (view.text.textContent !== shown) view.text.textContent = shown
  }

  // Letters are no smaller than one can read, however small the drawing: then a name is
  // shortened more, and prices stand in the receipt alone.
  setLetters(size) {
    const most = Math.min(MAX_LETTERS, Math.floor((2 * HALF.width + 4) / (LETTER * size)))
    this.world.style.setProperty("--letters", `${size}px`)
    this.svg.classList.toggle("small", size > ONE_LINE)
    if (most === this.mostLetters) return
    this.mostLetters = most
    for (const [id, view] of this.nodes)
      if (this.graph.has(id)) this.entitle(view, this.graph.get(id))
  }

  newNode(node) {
    const group = make(this.nodeLayer, "g", {
      role: "option", tabindex: "-1", "aria-selected": "false", "data-id": node.id,
    })
    const ring = { x: -HALF.width - 6, y: -HALF.height - 6, width: 2 * HALF.width + 12,
      height: 2 * HALF.height + 12, rx: node.isFeature ? 23 : 9, class: "ring" }
    make(group, "rect", ring)
    make(group, "rect", { x: -HALF.width, y: -HALF.height, width: 2 * HALF.width,
      height: 2 * HALF.height, rx: node.isFeature ? 17 : 4, class: "body" })
    const bar = node.isFeature ? null
      : make(group, "rect", { x: -HALF.width + 4, y: HALF.height - 5, height: 3, width: 0, class: "bar" })
    const text = make(group, "text", { class: "name", y: node.isFeature ? 0 : -3 })
    const cost = make(group, "text", { class: "cost", y: node.isFeature ? 12 : 9 })
    return { group, bar, text, cost, lines: [] }
  }

  drawLink(c, f) {
    const key = `${c},${f}`
    let view = this.lines.get(key)
    if (!view) {
      view = { line: make(this.linkLayer, "line", { "data-link": key }), c, f }
      this.lines.set(key, view)
      this.stretch(view)
    }
    this.nodes.get(c).lines.push(view)
    this.nodes.get(f).lines.push(view)
  }

  stretch({ line, c, f }) {
    const [from, to] = [this.nodes.get(c), this.nodes.get(f)]
    line.setAttribute("x1", from.x)
    line.setAttribute("y1", from.y)
    line.setAttribute("x2", to.x)
    line.setAttribute("y2", to.y)
  }

  place(id, x, y) {
    const view = this.nodes.get(id)
    view.x = x
    view.y = y
    view.group.setAttribute("transform", `translate(${x} ${y})`)
    for (const line of view.lines) this.stretch(line)
  }

  mark(name, ids, isOn = id => ids.has(id)) {
    for (const [id, view] of this.nodes) view.group.classList.toggle(name, isOn(id))
  }

  choose(ids) {
    this.mark("chosen", ids)
    for (const [id, view] of this.nodes) view.group.setAttribute("aria-selected", String(ids.has(id)))
  }

  // Light what belongs to some nodes and dim the rest; an empty set lights all alike.
  light(ids) {
    this.lit = new Set([...ids].filter(id => this.graph.has(id)))
    const around = this.graph.around(this.lit)
    this.svg.classList.toggle("dimmed", this.lit.size > 0)
    this.mark("lit", around)
    for (const { line, c, f } of this.lines.values())
      line.classList.toggle("lit", this.lit.has(c) || this.lit.has(f))
  }

  rove(id) {
    if (this.tabStop !== undefined) this.nodes.get(this.tabStop)?.group.setAttribute("tabindex", "-1")
    this.tabStop = id
    this.nodes.get(id)?.group.setAttribute("tabindex", "0")
  }
}
