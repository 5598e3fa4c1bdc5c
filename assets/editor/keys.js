// Everything by keyboard, while a node or the drawing itself has the focus.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const NUDGE = 12
// Key presses that follow each other this closely are one move.
const PAUSE = 350
const SINGLE = {
  f: "add_feature", c: "add_component", e: "link", l: "arrange", 0: "fit", "+": "in", "=": "in",
  "-": "out", "?": "help", Enter: "edit", F2: "edit", Delete: "delete", Backspace: "delete",
}
const WITH_CONTROL = { z: "undo", y: "redo", a: "all" }

class Keys {
  constructor(editor) {
    this.editor = editor
    this.nudged = new Map()
    editor.scene.svg.addEventListener("keydown", event => this.press(event))
  }

  press(event) {
    if (this.handle(event)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  handle(event) {
    const { editor } = this
    editor.hovered = null // what the pointer rests on is not what the keys are about
    const arrow = ARROWS[event.key]
    if (arrow) return event.altKey ? this.nudge(arrow) : this.walk(arrow)
    if (event.ctrlKey || event.metaKey) {
      const name = WITH_CONTROL[event.key.toLowerCase()]
      if (name) editor.command(name === "undo" && event.shiftKey ? "redo" : name)
      return Boolean(name)
    }
    if (event.altKey) return false
    if (editor.joining !== null && event.key === "Enter") return editor.join(editor.current)
    if (event.key === "Escape") return editor.escape()
    if (event.key === " ") return editor.toggle(editor.current)
    if (event.key === "Home" || event.key === "End")
      return editor.focus(editor.graph.order.at(event.key === "Home" ? 0 : -1))
    const name = SINGLE[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (name) editor.command(name)
    return Boolean(name)
  }

  // The nearest node in the direction, counting what lies aside as further away.
  walk([dx, dy]) {
    const { graph, current, joining } = this.editor
    const from = graph.get(current)
    if (!from) return this.editor.focus(graph.order[0])
    let best, least = Infinity
    for (const node of graph.nodes.values()) {
      if (joining !== null && node.isFeature === graph.get(joining).isFeature && node.id !== joining) continue
      const [x, y] = [node.x - from.x, node.y - from.y]
      const ahead = x * dx + y * dy
      const distance = ahead + 3 * Math.abs(x * dy - y * dx)
      if (node.id !== current && ahead > 1 && distance < least) [best, least] = [node.id, distance]
    }
    return this.editor.focus(best ?? current)
  }

  nudge([dx, dy]) {
    const { scene, graph } = this.editor
    for (const id of this.editor.subject()) {
      const view = scene.nodes.get(id)
      scene.place(id, view.x + NUDGE * dx, view.y + NUDGE * dy)
      this.nudged.set(id, [view.x, view.y])
      Object.assign(graph.get(id), { x: view.x, y: view.y })
    }
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.settle(), PAUSE)
    return true
  }

  settle() {
    clearTimeout(this.timer)
    const moved = [...this.nudged].filter(([id]) => this.editor.graph.has(id))
    this.nudged.clear()
    if (moved.length)
      this.editor.send({ op: "move", nodes: moved.map(([id]) => id), places: moved.map(([, at]) => at) })
  }
}
