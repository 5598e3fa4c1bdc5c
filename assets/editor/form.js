// Name, cost and kind in place: a small form over the node.

class NodeForm {
  constructor(parent, editor) {
    this.editor = editor
    this.form = html(parent, "form", { class: "form", hidden: "" })
    this.name = this.field("Name", "text")
    this.cost = this.field("Cost", "text")
    this.unit = html(this.cost.parentElement, "span", { class: "unit" })
    const label = html(this.form, "label", {}, "Kind")
    this.kind = html(label, "select")
    for (const kind of ["generation", "utilisation"]) html(this.kind, "option", { value: kind }, kind)
    html(label, "small", { class: "about" }, "Generation makes what features need; utilisation reads a feature off it. Both are paid once.")
    const row = html(this.form, "div", { class: "row" })
    html(row, "button", { type: "submit" }, "Save")
    this.cancel = html(row, "button", { type: "button" }, "Cancel")
    this.cancel.addEventListener("click", () => this.close())
    this.form.addEventListener("submit", event => { event.preventDefault(); this.save() })
    this.form.addEventListener("keydown", event => {
      event.stopPropagation()
      if (event.key === "Escape") this.close()
      if (event.key === "Tab") this.stay(event)
    })
  }

  // The form lies over the drawing: Tab goes round in it, and Escape leaves it.
  stay(event) {
    const parts = [...this.form.elements].filter(part => !part.closest("[hidden]"))
    const [from, to] = event.shiftKey ? [parts.at(0), parts.at(-1)] : [parts.at(-1), parts.at(0)]
    if (event.target !== from) return
    event.preventDefault()
    to.focus()
  }

  field(text, type) {
    const label = html(this.form, "label", {}, text)
    return html(label, "input", { type, maxlength: "120", autocomplete: "off", spellcheck: "false" })
  }

  get isOpen() { return !this.form.hidden }

  open(id, field = "name") {
    const node = this.editor.graph.get(id)
    if (!node) return
    this.id = id
    this.name.value = node.name
    this.cost.value = this.shown = node.isFeature ? "" : String(Number(node.cost.toPrecision(6)))
    this.kind.value = node.kind ?? "generation"
    this.unit.textContent = this.editor.graph.unit
    for (const part of [this.cost, this.kind]) part.closest("label").hidden = node.isFeature
    this.form.setAttribute("aria-label", `Edit ${node.name}`)
    this.form.hidden = false
    this.stand(node)
    const first = field === "cost" && !node.isFeature ? this.cost : this.name
    first.focus({ preventScroll: true })
    first.select()
  }

  stand(node) {
    const { camera } = this.editor
    const { width, height } = camera.size()
    const box = this.form.getBoundingClientRect()
    const x = camera.x + camera.scale * node.x - box.width / 2
    const y = camera.y + camera.scale * node.y + 22
    this.form.style.left = `${Math.max(4, Math.min(x, width - box.width - 4))}px`
    this.form.style.top = `${Math.max(4, Math.min(y, height - box.height - 4))}px`
  }

  // Only what was changed is sent: what another view changed meanwhile stays.
  save() {
    const node = this.editor.graph.get(this.id)
    const message = { op: "set", node: this.id }
    if (node && this.name.value.trim() !== node.name) message.name = this.name.value
    if (node && !node.isFeature) {
      if (this.cost.value.trim() !== this.shown) message.cost = this.cost.value
      if (this.kind.value !== node.kind) message.kind = this.kind.value
    }
    this.close()
    if (Object.keys(message).length > 2) this.editor.send(message)
  }

  close() {
    this.form.hidden = true
    this.editor.focus(this.id)
  }
}
