// The editor: holds what is chosen, and turns what a person does into messages.

// The server is told what is looked at, but not of every pixel.
const LOOK_PAUSE = 80

class Editor {
  constructor(root, model) {
    this.model = model
    this.graph = new Graph({})
    this.chosen = new Set()
    this.current = null
    this.joining = null
    this.hovered = null
    this.bar = new Bar(root, this)
    const stage = html(root, "div", { class: "stage" })
    this.stage = stage
    this.scene = new Scene(stage)
    this.scene.svg.setAttribute("tabindex", "0")
    this.scene.svg.setAttribute("role", "group")
    this.scene.graph = this.graph
    this.camera = new Camera(this.scene)
    this.empty = html(stage, "p", { class: "empty" },
      "Nothing is drawn yet. Press F for a feature, C for a component, or double-click here.")
    this.form = new NodeForm(stage, this)
    this.help = new Help(stage, this)
    this.lines = new Lines(root)
    this.keys = new Keys(this)
    this.pointer = new Pointer(this)
    this.scene.nodeLayer.addEventListener("focusin", event => this.focused(event))
    this.receive()
  }

  send(message) { this.model.send_msg(message) }

  // ------------------------------------------------------------- from the server

  receive() {
    const sent = this.model.graph ?? {}
    const before = this.graph
    this.undoes = sent.undoes ?? ""
    this.redoes = sent.redoes ?? ""
    this.graph = new Graph(sent)
    this.redraw()
    this.lines.say(sent.said ?? "")
    this.lines.refuse(sent.refused ?? "")
    if (!this.graph.order.length) this.camera.reset()
    else if (this.wantsFit || this.isOther(before)) this.camera.fit(this.graph)
    this.wantsFit = false
    if (sent.focus?.length && this.graph.has(sent.focus[0])) this.arrive(sent.focus)
  }

  // Another graph, and not the old one with something added: show all of it.
  isOther(before) {
    const { order } = this.graph
    const kept = order.filter(id => before.has(id)).length
    return kept < order.length / 2 && (before.nodes.size > 0 || order.length > 2)
  }

  redraw() {
    const { graph } = this
    this.chosen = new Set([...this.chosen].filter(id => graph.has(id)))
    if (!graph.has(this.joining)) this.joining = null
    if (!graph.has(this.current)) this.current = null
    const count = `${counted(graph.features(graph.order).length, "feature")}, `
      + `${counted(graph.components(graph.order).length, "component")}, ${counted(graph.nBlocks, "block")}`
    this.scene.svg.setAttribute("aria-label", `Hypergraph: ${count}`)
    this.scene.draw(graph)
    this.empty.hidden = graph.nodes.size > 0
    this.scene.rove(this.current ?? graph.order[0])
    this.show()
  }

  // A node that was just added or changed: choose it, and go there if one was here.
  arrive(ids) {
    // The form of another would stand there under its name: what was typed in it is kept.
    if (this.form.isOpen && !ids.includes(this.form.id)) this.form.save()
    this.choose(ids)
    const root = this.scene.svg.getRootNode()
    const isHere = this.stage.contains(root.activeElement) || this.bar.bar.contains(root.activeElement)
    this.camera.reveal(this.graph.get(ids[0]))
    if (isHere && !this.form.isOpen) this.focus(ids[0])
  }

  // ------------------------------------------------------------------- what is chosen

  choose(ids) {
    this.chosen = new Set([...ids].filter(id => this.graph.has(id)))
    this.show()
    return true
  }

  toggle(id) {
    if (!this.graph.has(id)) return true
    const chosen = new Set(this.chosen)
    if (!chosen.delete(id)) chosen.add(id)
    return this.choose(chosen)
  }

  escape() {
    this.joining = null
    return this.choose([])
  }

  // What a command is about: what is chosen, or else where one is.
  subject() {
    return this.chosen.size ? [...this.chosen] : this.graph.has(this.current) ? [this.current] : []
  }

  focus(id = this.current) {
    const view = this.scene.nodes.get(id)
    if (!view) this.scene.svg.focus({ preventScroll: true })
    else {
      this.camera.reveal(this.graph.get(id))
      view.group.focus({ preventScroll: true })
    }
    return true
  }

  focused(event) {
    const id = this.pointer.nodeAt(event.target)
    if (id === null) return
    this.current = id
    this.scene.rove(id)
    this.show()
  }

  hover(id) {
    if (id === this.hovered) return
    this.hovered = id
    this.show()
  }

  // Light what is looked at, and say what it costs.
  show() {
    const isAside = this.graph.has(this.hovered) && !this.chosen.has(this.hovered)
    const looked = isAside ? [this.hovered] : [...this.chosen]
    this.scene.choose(this.chosen)
    this.scene.light(looked)
    this.lines.sum.textContent = this.text(looked)
    this.bar.enable(this.undoes, this.redoes, this.chosen.size, this.chosen.size > 0)
    clearTimeout(this.looking)
    this.looking = setTimeout(() => this.tell(looked), LOOK_PAUSE)
  }

  tell(looked) {
    const key = looked.join()
    if (key !== (this.told ?? "")) this.send({ op: "look", nodes: looked })
    this.told = key
  }

  text(looked) {
    const { graph } = this
    if (this.joining !== null && graph.has(this.joining))
      return `Connecting ${graph.get(this.joining).name}: go to the other end and press Enter, or Escape.`
    const features = graph.features(looked)
    if (looked.length === 1 && !features.length) return `${nodeText(graph, looked[0])}.`
    if (features.length === 1 && looked.length === 1)
      return `${nodeText(graph, looked[0])}. ${sumText(graph, features)}`
    if (features.length) return `${counted(features.length, "feature")}: ${sumText(graph, features)}`
    if (looked.length) return `${counted(looked.length, "component")}, ${number(looked.reduce((sum, id) => sum + graph.get(id).cost, 0))} ${graph.unit}.`
    const all = graph.features(graph.order)
    if (!all.length) return ""
    const shown = graph.nodes.size < graph.nAll ? ` Drawn: ${graph.nodes.size} of ${graph.nAll} nodes.` : ""
    return `All ${counted(all.length, "feature")} in ${counted(graph.nBlocks, "block")}: ${sumText(graph, all)}${shown}`
  }

  // ---------------------------------------------------------------------- commands

  command(name) {
    this.keys.settle()
    const commands = {
      add_feature: () => this.add("add_feature"),
      add_component: () => this.add("add_component"),
      edit: () => this.subject().length && this.form.open(this.subject()[0]),
      link: () => this.linkCommand(),
      delete: () => this.subject().length && this.send({ op: "delete", nodes: this.subject() }),
      undo: () => this.send({ op: "undo" }),
      redo: () => this.send({ op: "redo" }),
      arrange: () => { this.wantsFit = true; this.send({ op: "arrange" }) },
      fit: () => this.camera.fit(this.graph),
      in: () => this.camera.zoom(ZOOM.step),
      out: () => this.camera.zoom(1 / ZOOM.step),
      help: () => this.help.toggle(),
      all: () => this.choose(this.graph.order),
    }
    commands[name]()
    return true
  }

  add(op, place) {
    const { graph, chosen } = this
    const isFeature = op === "add_feature"
    const others = isFeature ? graph.components(chosen) : graph.features(chosen)
    const message = { op, [isFeature ? "components" : "features"]: others }
    if (place) message.place = place
    else if (!others.length) message.place = this.free()
    this.send(message)
  }

  // In the middle of what is seen, or the first place below it where nothing stands.
  free() {
    const { x, y } = this.camera.middle()
    const taken = [...this.graph.nodes.values()]
    for (let k = 0; k < 400; k++) {
      const at = { x: x + (k % 5 - (k % 5 > 2 ? 5 : 0)) * 112, y: y + Math.floor(k / 5) * 110 }
      const clear = taken.every(node => Math.abs(node.x - at.x) > 100 || Math.abs(node.y - at.y) > 40)
      if (clear && taken.every(node => Math.abs(node.x - at.x) > 100 || Math.abs(node.y - at.y + 102) > 40))
        return [at.x, at.y]
    }
    return [x, y]
  }

  linkCommand() {
    const subject = this.subject()
    if (this.graph.features(subject).length && this.graph.components(subject).length) this.link(subject)
    else if (subject.length) {
      this.joining = subject[0]
      this.focus(subject[0])
      this.show()
    }
  }

  join(id) {
    const ends = [this.joining, id]
    this.joining = null
    if (ends[0] !== id) this.link(ends)
    this.show()
    return true
  }

  link(ends) {
    const features = this.graph.features(ends)
    const components = this.graph.components(ends)
    this.send({ op: "toggle", features, components })
  }
}

export function render({ model, el }) {
  const root = document.createElement("div")
  root.className = "editor"
  el.append(root)
  const editor = new Editor(root, model)
  const dress = () => root.classList.toggle("dark", model.dark)
  dress()
  model.on("dark", dress)
  model.on("graph", () => editor.receive())
  // The first size is known only once the page is laid out.
  const sized = new ResizeObserver(() => {
    const { width } = editor.camera.size()
    if (width > 0 && width !== editor.width) editor.camera.fit(editor.graph)
    editor.width = width
  })
  sized.observe(editor.stage)
  model.on("remove", () => sized.disconnect())
}
