// The columns of a table: what each is taken for, what becomes of its gaps, what it is
// used for and what methods get of it. Every choice is a list of the browser's own, so
// keys, screen readers and touch work as everywhere.

const HEADS = ["Column", "Kind", "Gaps", "Used as", "What becomes of it"]

class Columns extends FilteredTable {
  draw() {
    const { rows = [], note = "", filtered = false } = this.model.content ?? {}
    this.note.textContent = note
    this.filter.parentElement.hidden = !filtered
    this.scroll.setAttribute("aria-label", this.model.caption)
    const shape = JSON.stringify(rows.map(row => row.name))
    if (shape !== this.shape) this.build(rows)
    this.shape = shape
    rows.forEach((row, k) => this.fill(this.lines[k], row))
  }

  build(rows) {
    this.scroll.replaceChildren()
    // In a narrow window rows are cards: roles keep what they mean.
    const table = put(this.scroll, "table", { role: "table" })
    const head = put(put(table, "thead", { role: "rowgroup" }), "tr", { role: "row" })
    for (const name of HEADS) put(head, "th", { scope: "col", role: "columnheader" }, name)
    const body = put(table, "tbody", { role: "rowgroup" })
    this.lines = rows.map(({ name }) => this.line(body, name))
  }

  line(body, name) {
    const row = put(body, "tr", { role: "row" })
    const title = put(row, "th", { scope: "row", role: "rowheader" })
    put(title, "span", { class: "name" }, name)
    const cell = column => put(row, "td", { role: "cell", "data-head": HEADS[column] })
    const kind = this.list(cell(1), name, "kind", `Kind of column ${name}`)
    const gaps = cell(2)
    const count = put(gaps, "span", { class: "count" })
    const treated = this.list(gaps, name, "gaps", `Gaps of ${name}`)
    const role = this.list(cell(3), name, "role", `Use of ${name}`)
    const becomes = cell(4)
    const told = put(becomes, "div")
    const encoding = this.list(becomes, name, "encoding", `Encoding of ${name}`)
    const values = put(becomes, "input", { class: "values", "aria-label": `Order of the values of ${name}`, maxlength: "4000", spellcheck: "false" })
    values.addEventListener("change", () => this.send({ op: "column", name, key: "values", value: values.value }))
    const warnings = put(becomes, "ul", { class: "warnings" })
    const notes = put(becomes, "ul")
    const back = put(becomes, "button", { type: "button", class: "back" })
    return { row, kind, count, treated, role, told, back, encoding, values, warnings, notes, examples: put(title, "span", { class: "examples" }) }
  }

  list(parent, name, key, label) {
    const made = put(parent, "select", { "aria-label": label })
    for (const [value, text] of this.model.offered[key]) put(made, "option", { value }, text)
    made.addEventListener("change", () => this.send({ op: "column", name, key, value: made.value }))
    return made
  }

  fill(line, row) {
    line.row.classList.toggle("out", row.out)
    line.examples.textContent = row.examples
    this.pick(line.kind, row.kind)
    line.kind.disabled = row.fixed
    line.count.textContent = row.missing ? String(row.missing) : "none"
    line.treated.hidden = !row.missing || row.out
    this.pick(line.treated, row.gaps)
    this.pick(line.role, row.role)
    line.told.textContent = row.becomes
    line.encoding.hidden = !row.encoding
    this.pick(line.encoding, row.encoding)
    line.values.hidden = !row.values
    if (line.values.value !== row.values) line.values.value = row.values
    this.say(line.warnings, row.warnings)
    this.say(line.notes, row.notes)
    const [key, value, words] = row.back
    line.back.hidden = !words
    line.back.textContent = words ?? ""
    line.back.setAttribute("aria-label", `${words}: column ${row.name}`)
    line.back.onclick = () => this.send({ op: "column", name: row.name, key, value })
  }

  say(list, sentences) {
    list.replaceChildren()
    for (const text of sentences) put(list, "li", {}, text)
    list.hidden = !sentences.length
  }

  // What nobody can choose, as of a column that holds nothing, is named all the same.
  pick(list, value) {
    if (list.value === value) return
    if (value && ![...list.options].some(one => one.value === value))
      put(list, "option", { value, disabled: "" }, value)
    list.value = value
  }
}

export function render(view) { mount(view, "columns", "content", Columns) }
