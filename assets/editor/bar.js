// Buttons over the drawing, the lines under it, and help.

const BUTTONS = [
  ["add_feature", "+ Feature", "Add a feature (F)"],
  ["add_component", "+ Component", "Add a component (C)"],
  ["edit", "Edit", "Name, cost and kind (Enter)"],
  ["link", "Connect", "Connect or disconnect what is chosen (E)"],
  ["delete", "Delete", "Delete what is chosen (Delete)"],
  ["undo", "Undo", "Undo (Ctrl+Z)"],
  ["redo", "Redo", "Do again (Ctrl+Y)"],
  ["arrange", "Arrange", "Arrange block by block (L)"],
  ["fit", "Fit", "Show everything (0)"],
  ["in", "+", "Zoom in (+)"],
  ["out", "−", "Zoom out (−)"],
  ["help", "?", "Help (?)"],
]

const HELP = [
  ["Add", "F adds a feature, C a component; so does a double click on the empty drawing, with Shift a component. A new feature needs the components that are chosen."],
  ["Connect", "Drag from the rim of a node to another. Or choose both ends and press E; with one node chosen, E lets the arrow keys find the other end and Enter connects. The same again disconnects, as does a double click on the line."],
  ["Change", "Enter, F2 or a double click opens name, cost and kind. A cost may carry its unit, such as 0.3 ms."],
  ["Choose", "Click; Shift or Ctrl for more; drag with Shift to draw a box; Space with the keyboard; Ctrl+A for all, Escape for none."],
  ["Move", "Drag, or hold Alt with the arrow keys. The arrow keys alone walk from node to node. L arranges everything."],
  ["Look", "Drag the empty drawing to move about; Ctrl with the wheel, two fingers, or + and − to zoom; 0 shows everything."],
  ["Take back", "Ctrl+Z undoes, Ctrl+Y does again: everything, and from any view."],
]

class Bar {
  constructor(parent, editor) {
    this.editor = editor
    this.bar = html(parent, "div", { class: "tools", role: "toolbar", "aria-label": "Edit the hypergraph" })
    this.buttons = new Map()
    for (const [name, text, title] of BUTTONS) {
      const button = html(this.bar, "button", { type: "button", title, "aria-label": title.replace(/ \(.*/, "") }, text)
      button.addEventListener("click", () => editor.command(name))
      this.buttons.set(name, button)
    }
    this.bar.addEventListener("keydown", event => event.stopPropagation())
  }

  enable(undoes, redoes, chosen, canLink) {
    this.set("undo", undoes, undoes ? `Undo: ${undoes}` : "Nothing to undo")
    this.set("redo", redoes, redoes ? `Do again: ${redoes}` : "Nothing to do again")
    this.set("edit", chosen === 1)
    this.set("delete", chosen > 0)
    this.set("link", canLink)
  }

  set(name, isOn, title) {
    const button = this.buttons.get(name)
    button.disabled = !isOn
    if (title) button.title = title
  }
}

class Lines {
  constructor(parent) {
    this.sum = html(parent, "p", { class: "sum" })
    this.said = html(parent, "p", { class: "said", role: "status" })
    this.refused = html(parent, "p", { class: "refused", role: "alert", hidden: "" })
  }

  say(text) { this.said.textContent = text }

  refuse(text) {
    this.refused.textContent = text
    this.refused.hidden = !text
  }
}

class Help {
  constructor(parent, editor) {
    this.editor = editor
    this.panel = html(parent, "div", { class: "help", role: "dialog", "aria-label": "How to draw", tabindex: "-1", hidden: "" })
    const list = html(this.panel, "dl")
    for (const [word, text] of HELP) {
      html(list, "dt", {}, word)
      html(list, "dd", {}, text)
    }
    const close = html(this.panel, "button", { type: "button" }, "Close")
    close.addEventListener("click", () => this.toggle())
    this.panel.addEventListener("keydown", event => {
      event.stopPropagation()
      if (event.key === "Escape") this.toggle()
    })
  }

  toggle() {
    this.panel.hidden = !this.panel.hidden
    if (this.panel.hidden) this.editor.focus()
    else this.panel.focus()
  }
}
