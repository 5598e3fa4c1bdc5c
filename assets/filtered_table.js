// What the table of columns and the incidence matrix share: a filter above, a note on how
// much is shown, and a region that scrolls. Text is set as text, never as markup.

function put(parent, tag, attributes = {}, text = "") {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text) made.textContent = text
  parent.append(made)
  return made
}

class FilteredTable {
  constructor(root, model) {
    this.root = root
    this.model = model
    const tools = put(root, "div", { class: "tools" })
    const label = put(tools, "label", {}, "Show names with ")
    this.filter = put(label, "input", { type: "search", maxlength: "120" })
    this.filter.addEventListener("change", () => this.send({ op: "filter", text: this.filter.value }))
    this.note = put(tools, "span", { class: "note", role: "status" })
    this.scroll = put(root, "div", { class: "scroll", tabindex: "0", role: "region" })
  }

  send(message) { this.model.send_msg(message) }
}

// Show a table in the theme of the page; it is drawn anew whenever its content changes.
function mount({ model, el }, name, content, Shown) {
  const root = document.createElement("div")
  root.className = name
  el.append(root)
  const table = new Shown(root, model)
  const dress = () => root.classList.toggle("dark", model.dark)
  dress()
  table.draw()
  model.on("dark", dress)
  model.on(content, () => table.draw())
  return table
}
