// Which part of the world is seen, and how large.

const ZOOM = { least: 0.05, most: 3, step: 1.25 }
const MARGIN = { x: 70, y: 40 }
// Pixels: of letters in the drawing, and the least of them on the screen.
const FAR = 0.36  // From here on there is no room for them
const LETTERS = { usual: 12, least: 11 }

class Camera {
  constructor(scene) {
    this.scene = scene
    this.x = 0
    this.y = 0
    this.scale = 1
  }

  size() {
    const { width, height } = this.scene.svg.getBoundingClientRect()
    return { width: width || 600, height: height || 400 }
  }

  apply() {
    const { svg, world } = this.scene
    world.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`)
    svg.classList.toggle("far", this.scale < FAR)
    this.scene.setLetters(Math.max(LETTERS.usual, LETTERS.least / Math.max(this.scale, FAR)))
  }

  // An empty drawing begins as the first one did.
  reset() {
    Object.assign(this, { x: 0, y: 0, scale: 1 })
    this.apply()
  }

  fit(graph) {
    const { width, height } = this.size()
    const { left, top, right, bottom } = graph.bounds()
    const [w, h] = [right - left + 2 * MARGIN.x, bottom - top + 2 * MARGIN.y]
    this.scale = Math.max(ZOOM.least, Math.min(width / w, height / h, 1.2))
    this.x = width / 2 - this.scale * (left + right) / 2
    this.y = height / 2 - this.scale * (top + bottom) / 2
    this.apply()
  }

  zoom(factor, at) {
    const { width, height } = this.size()
    const { x, y } = at ?? { x: width / 2, y: height / 2 }
    const scale = Math.max(ZOOM.least, Math.min(ZOOM.most, this.scale * factor))
    this.x = x - (x - this.x) * scale / this.scale
    this.y = y - (y - this.y) * scale / this.scale
    this.scale = scale
    this.apply()
  }

  pan(dx, dy) {
    this.x += dx
    this.y += dy
    this.apply()
  }

  // From a pointer event to places inside the svg and in the world.
  onScreen(event) {
    const { left, top } = this.scene.svg.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  inWorld({ x, y }) {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale }
  }

  middle() {
    const { width, height } = this.size()
    return this.inWorld({ x: width / 2, y: height / 2 })
  }

  // Bring a node into view without changing the zoom.
  reveal(node) {
    const { width, height } = this.size()
    const [x, y] = [this.x + this.scale * node.x, this.y + this.scale * node.y]
    // No more room around it than around all: what is in view must not move.
    const [mx, my] = [MARGIN.x, MARGIN.y].map(room => room * Math.min(this.scale, 1))
    const dx = x < mx ? mx - x : x > width - mx ? width - mx - x : 0
    const dy = y < my ? my - y : y > height - my ? height - my - y : 0
    if (dx || dy) this.pan(dx, dy)
  }
}
