// Frames that lie over each other, and text that is cut where nobody can scroll to it.
// Frames are those of `framed`; one within another is part of it.
() => {
  const NEAR = 3
  const frames = [], texts = []
  const parent = node => node.assignedSlot ?? node.parentElement
    ?? (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null)
  const isFrame = node => node.classList?.contains("frame")
  const isSeen = (node, rect) => rect.width > 1 && rect.height > 1
    && node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const says = node => [...node.childNodes].some(
    child => child.nodeType === Node.TEXT_NODE && child.textContent.trim())

  const walk = (root, frame) => {
    for (const node of root.children) {
      if (["STYLE", "SCRIPT"].includes(node.tagName)) continue
      const rect = node.getBoundingClientRect()
      const inside = frame ?? (isFrame(node) && isSeen(node, rect) ? node : null)
      if (inside === node) frames.push({ node, rect, name: "" })
      if (inside && says(node) && isSeen(node, rect)) {
        const text = node.textContent.trim().slice(0, 50)
        texts.push({ node, rect, frame: inside, text })
        frames.find(one => one.node === inside).name ||= text
      }
      if (node.shadowRoot) walk(node.shadowRoot, inside)
      walk(node, inside)
    }
  }
  walk(document.body, null)

  const isCut = (rect, box) =>
    rect.bottom > box.bottom + NEAR || rect.top < box.top - NEAR
    || rect.right > box.right + NEAR || rect.left < box.left - NEAR
  // What runs over within an element that hides it: `rect` is of the element alone.
  const hides = node => {
    const { overflowX, overflowY } = getComputedStyle(node), is = /hidden|clip/
    return (is.test(overflowX) && node.scrollWidth > node.clientWidth + NEAR)
      || (is.test(overflowY) && node.scrollHeight > node.clientHeight + NEAR)
  }
  const complaint = ({ node, rect, frame, text }) => {
    if (rect.height > 2 && hides(node)) return `"${text}" hides what runs over`
    for (let one = parent(node); one && one !== frame; one = parent(one)) {
      const look = getComputedStyle(one), box = one.getBoundingClientRect()
      if (/auto|scroll/.test(look.overflowX + look.overflowY)) return null
      // What is two pixels high is there for those who listen.
      const isClipped = /hidden|clip/.test(look.overflowX + look.overflowY)
      if (isClipped && box.height <= 2) return null
      if (isClipped && isCut(rect, box)) return `"${text}" is cut`
    }
    // A frame that is as high as its neighbour scrolls what has no room.
    if (/auto|scroll/.test(getComputedStyle(frame).overflowY)) return null
    return isCut(rect, frame.getBoundingClientRect())
      ? `"${text}" runs out of its frame` : null
  }

  const found = texts.map(complaint).filter(Boolean)
  for (const [k, a] of frames.entries())
    for (const b of frames.slice(k + 1)) {
      const wide = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left)
      const high = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top)
      if (wide > 1 && high > 1)
        found.push(`"${a.name}" and "${b.name}" overlap by ${Math.round(high)} pixels`)
    }
  if (!frames.length) found.push("there are no frames")
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} pixels wide`)
  return [...new Set(found)]
}
