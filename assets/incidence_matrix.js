// The incidence matrix: a row a component, a column a feature. Names, kinds and costs are
// edited where they stand; ● is a connection. It sends the same messages as the drawing.

// Letters: a field of a name is as long as the name, within these.
const LETTERS = { least: 4, most: 24 }
// With more features their names stand upright: columns are as wide as a dot.
const ABREAST = 12
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }

class Matrix extends FilteredTable {
  constructor(root, model) {
    super(root, model)
    this.scroll.setAttribute("aria-label", "Incidence matrix")
    // One listener for thousands of cells.
    this.scroll.addEventListener("click", event => this.toggle(event.target))
    this.scroll.addEventListener("keydown", event => this.walk(event))
    this.at = [0, 0]
  }

  draw() {
    const { components = [], features = [], links = [], note = "", unit = "" } = this.model.matrix ?? {}
    this.note.textContent = note
    const shape = JSON.stringify([unit, components.map(row => row[0]), features.map(column => column[0])])
    if (shape !== this.shape) this.build(components, features, unit)
    this.shape = shape
    const long = names => Math.min(Math.max(LETTERS.least, ...names.map(name => name.length)), LETTERS.most)
    const widest = long(components.map(row => row[1]))
    const highest = long(features.map(column => column[1]))
    const isUpright = features.length > ABREAST
    this.scroll.classList.toggle("upright", isUpright)
    const there = new Set(links.map(link => link.join()))
    components.forEach(([id, name, cost, kind], i) => {
      const row = this.rows[i]
      this.fill(row.name, name)
      row.name.setAttribute("aria-label", `Name of component ${name}`)
      row.kind.setAttribute("aria-label", `Kind of component ${name}`)
      row.cost.setAttribute("aria-label", `Cost of ${name}`)
      row.name.size = widest
      row.name.closest("tr").dataset.thing = `component:${name}`
      this.fill(row.cost, String(Number(cost.toPrecision(5))))
      row.kind.value = kind
      features.forEach(([feature, title], j) => this.press(row.cells[j], there.has(`${id},${feature}`), `${title} needs ${name}`))
    })
    features.forEach(([, name], j) => {
      this.fill(this.heads[j], name)
      this.heads[j].setAttribute("aria-label", `Name of feature ${name}`)
      this.heads[j].size = isUpright ? highest : long([name])
      this.heads[j].closest("th").dataset.thing = `feature:${name}`
    })
    this.light()
  }

  fill(input, text) { if (input.value !== text) input.value = text }

  press(button, isOn, label) {
    button.setAttribute("aria-pressed", String(isOn))
    button.setAttribute("aria-label", label)
    button.textContent = isOn ? "●" : ""
  }

  build(components, features, unit) {
    const held = this.root.getRootNode().activeElement?.dataset?.at
    this.scroll.replaceChildren()
    const table = put(this.scroll, "table")
    const head = put(put(table, "thead"), "tr")
    for (const [text, name] of [["Component", "corner"], ["Kind", ""], [`Cost (${unit})`, ""]])
      put(head, "th", { scope: "col", class: name }, text)
    this.heads = features.map(([id]) => this.nameField(put(head, "th", { scope: "col", "data-column": id }), id))
    const body = put(table, "tbody")
    this.rows = components.map((component, i) => this.row(body, component, features, i))
    this.at = [Math.min(this.at[0], this.rows.length - 1), Math.min(this.at[1], features.length - 1)]
    this.rove(...this.at, Boolean(held))
  }

  row(body, [id], features, i) {
    const row = put(body, "tr", { "data-row": id })
    const title = this.nameField(put(row, "th", { scope: "row" }), id)
    const kind = put(put(row, "td"), "select")
    for (const option of ["generation", "utilisation"]) put(kind, "option", { value: option }, option)
    kind.addEventListener("change", () => this.send({ op: "set", node: id, kind: kind.value }))
    const cost = put(put(row, "td"), "input", { class: "number", maxlength: "60" })
    cost.addEventListener("change", () => this.send({ op: "set", node: id, cost: cost.value }))
    const cells = features.map(([feature], j) => {
      const cell = put(row, "td", { "data-column": feature, class: "link" })
      return put(cell, "button", { type: "button", tabindex: "-1", "data-at": `${i},${j}` })
    })
    return { name: title, kind, cost, cells }
  }

  nameField(parent, id) {
    const input = put(parent, "input", { maxlength: "120", spellcheck: "false" })
    input.addEventListener("change", () => this.send({ op: "set", node: id, name: input.value }))
    return input
  }

  toggle(button) {
    if (!button.dataset.at) return
    const [i, j] = button.dataset.at.split(",").map(Number)
    const { components, features } = this.model.matrix
    this.rove(i, j, true)
    this.send({ op: "toggle", features: [features[j][0]], components: [components[i][0]] })
  }

  walk(event) {
    const step = ARROWS[event.key]
    if (!step || !event.target.dataset.at) return
    event.preventDefault()
    const [i, j] = event.target.dataset.at.split(",").map(Number)
    this.rove(i + step[0], j + step[1], true)
  }

  // One connection at a time is in the tab order; the arrow keys go to the others.
  rove(i, j, go) {
    const target = this.rows[i]?.cells[j]
    if (!target) return
    this.rows[this.at[0]]?.cells[this.at[1]]?.setAttribute("tabindex", "-1")
    this.at = [i, j]
    target.setAttribute("tabindex", "0")
    if (go) target.focus()
  }

  // What is looked at in the drawing.
  light() {
    const lit = new Set((this.model.lit ?? []).map(String))
    for (const cell of this.scroll.querySelectorAll("[data-column]")) cell.classList.toggle("lit", lit.has(cell.dataset.column))
    for (const row of this.scroll.querySelectorAll("[data-row]")) row.classList.toggle("lit", lit.has(row.dataset.row))
  }
}

export function render(view) {
  const matrix = mount(view, "matrix", "matrix", Matrix)
  view.model.on("lit", () => matrix.light())
}
