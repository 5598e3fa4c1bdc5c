// Mouse, pen and fingers: choose, move, connect, draw a box, pan, pinch.

const SLOP = 4
const REACH = 7

// How far a place is from the line between two others.
function distance(at, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const along = ((at.x - from.x) * dx + (at.y - from.y) * dy) / (dx * dx + dy * dy || 1)
  const share = Math.max(0, Math.min(1, along))
  return Math.hypot(at.x - from.x - share * dx, at.y - from.y - share * dy)
}

class Pointer {
  constructor(editor) {
    this.editor = editor
    this.down = new Map()
    this.gesture = null
    const { svg } = editor.scene
    svg.addEventListener("pointerdown", event => this.press(event))
    svg.addEventListener("pointermove", event => this.move(event))
    svg.addEventListener("pointerup", event => this.release(event))
    svg.addEventListener("pointercancel", event => this.drop(event))
    svg.addEventListener("pointerleave", () => editor.hover(null))
    svg.addEventListener("dblclick", event => this.open(event))
    svg.addEventListener("wheel", event => this.wheel(event), { passive: false })
  }

  nodeAt(target) {
    const group = target.closest?.("[data-id]")
    return group ? Number(group.dataset.id) : null
  }

  press(event) {
    if (event.button !== 0) return
    const { editor } = this
    this.down.set(event.pointerId, editor.camera.onScreen(event))
    editor.scene.svg.setPointerCapture(event.pointerId)
    if (this.down.size === 2) return this.pinch()
    const id = this.nodeAt(event.target)
    const at = editor.camera.onScreen(event)
    const more = event.shiftKey || event.ctrlKey || event.metaKey
    this.gesture = { at, last: at, id, more, moved: false, kind: this.kindOf(event, id) }
    if (id !== null) editor.focus(id)
    else editor.scene.svg.focus({ preventScroll: true })
    event.preventDefault()
  }

  kindOf(event, id) {
    if (id === null) return event.shiftKey ? "box" : "pan"
    return event.target.classList.contains("ring") ? "link" : "drag"
  }

  move(event) {
    const { editor } = this
    if (!this.down.has(event.pointerId)) return editor.hover(this.nodeAt(event.target))
    const at = editor.camera.onScreen(event)
    this.down.set(event.pointerId, at)
    const { gesture } = this
    if (!gesture) return
    if (gesture.kind === "pinch") return this.spread()
    if (!gesture.moved && Math.hypot(at.x - gesture.at.x, at.y - gesture.at.y) < SLOP) return
    if (!gesture.moved) this.begin(gesture)
    gesture.moved = true
    this[gesture.kind](gesture, at, event)
    gesture.last = at
  }

  begin(gesture) {
    const { editor } = this
    if (gesture.kind !== "drag") return
    if (!editor.chosen.has(gesture.id)) editor.choose([gesture.id])
    gesture.ids = [...editor.chosen]
  }

  drag({ ids, last }, at) {
    const { scene, graph, camera } = this.editor
    const [dx, dy] = [(at.x - last.x) / camera.scale, (at.y - last.y) / camera.scale]
    for (const id of ids) {
      const view = scene.nodes.get(id)
      if (!view) continue
      scene.place(id, view.x + dx, view.y + dy)
      Object.assign(graph.get(id), { x: view.x, y: view.y })
    }
  }

  pan({ last }, at) { this.editor.camera.pan(at.x - last.x, at.y - last.y) }

  link({ id }, at, event) {
    const { scene, camera } = this.editor
    const from = scene.nodes.get(id)
    const to = camera.inWorld(at)
    for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: to.x, y2: to.y, visibility: "visible" }))
      scene.draft.setAttribute(name, value)
    const target = this.under(event)
    scene.mark("target", new Set(target === null ? [] : [target]))
  }

  box({ at: start }, at) {
    const { scene, camera } = this.editor
    const [a, b] = [camera.inWorld(start), camera.inWorld(at)]
    const frame = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) }
    for (const [name, value] of Object.entries({ ...frame, visibility: "visible" })) scene.box.setAttribute(name, value)
    this.framed = [...this.editor.graph.nodes.values()].filter(({ x, y }) =>
      x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height).map(node => node.id)
  }

  // The pointer is captured: what lies under it has to be asked for.
  target(event) {
    const { svg } = this.editor.scene
    return svg.getRootNode().elementFromPoint(event.clientX, event.clientY) ?? svg
  }

  under(event) { return this.nodeAt(this.target(event)) }

  // Lines are thin: the nearest one within reach is meant.
  linkAt(event) {
    const { camera, graph } = this.editor
    const at = camera.inWorld(camera.onScreen(event))
    let best = null, least = REACH / camera.scale
    for (const [c, f] of graph.links) {
      const away = distance(at, graph.get(c), graph.get(f))
      if (away < least) [best, least] = [[c, f], away]
    }
    return best
  }

  release(event) {
    const { editor, gesture } = this
    this.down.delete(event.pointerId)
    if (!gesture) return
    this.gesture = null
    if (gesture.kind === "pinch") return
    this.tidy()
    if (!gesture.moved) return this.click(gesture)
    if (gesture.kind === "drag")
      editor.send({
        op: "move", nodes: gesture.ids,
        places: gesture.ids.map(id => [editor.scene.nodes.get(id).x, editor.scene.nodes.get(id).y]),
      })
    if (gesture.kind === "link") {
      const target = this.under(event)
      if (target !== null && target !== gesture.id) editor.link([gesture.id, target])
    }
    if (gesture.kind === "box") editor.choose(gesture.more ? [...editor.chosen, ...this.framed] : this.framed)
  }

  click({ id, more }) {
    const { editor } = this
    if (id === null) return more ? undefined : editor.escape()
    if (editor.joining !== null && editor.joining !== id) return editor.join(id)
    if (more) editor.toggle(id)
    else editor.choose([id])
  }

  drop(event) {
    this.down.delete(event.pointerId)
    this.gesture = null
    this.tidy()
    this.editor.redraw()
  }

  tidy() {
    const { scene } = this.editor
    scene.draft.setAttribute("visibility", "hidden")
    scene.box.setAttribute("visibility", "hidden")
    scene.mark("target", new Set())
  }

  pinch() {
    this.tidy()
    this.gesture = { kind: "pinch", ...this.span() }
  }

  span() {
    const [a, b] = [...this.down.values()]
    return { apart: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } }
  }

  spread() {
    if (this.down.size < 2) return
    const { camera } = this.editor
    const now = this.span()
    const { apart, middle } = this.gesture
    camera.pan(now.middle.x - middle.x, now.middle.y - middle.y)
    if (apart > 0) camera.zoom(now.apart / apart, now.middle)
    Object.assign(this.gesture, now)
  }

  open(event) {
    const { editor } = this
    const target = this.target(event)
    const id = this.nodeAt(target)
    const link = this.linkAt(event)
    if (id !== null) {
      editor.form.open(id, target.classList.contains("cost") ? "cost" : "name")
    } else if (link) {
      editor.send({ op: "disconnect", features: [link[1]], components: [link[0]] })
    } else {
      const { x, y } = editor.camera.inWorld(editor.camera.onScreen(event))
      editor.add(event.shiftKey ? "add_component" : "add_feature", [x, y])
    }
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const { camera } = this.editor
    camera.zoom(Math.exp(-event.deltaY / 300), camera.onScreen(event))
  }
}
