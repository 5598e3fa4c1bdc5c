// Keeps a list of the words that could ever not be read on their ground, since the page
// was opened: every label, through the shadow roots, six times a second.
(() => {
  const LEAST = 2.6 // what one theme's words have on the other's ground, and no more
  window.unread = []

  const channels = colour => colour.match(/[\d.]+/g).map(Number)
  const light = colour => {
    const [red, green, blue] = channels(colour).slice(0, 3).map(value => {
      const share = value / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const above = element => element.assignedSlot ?? element.parentNode ?? element.host
  const ground = element => {
    for (let one = element; one; one = above(one)) {
      if (!(one instanceof Element)) continue
      const colour = getComputedStyle(one).backgroundColor
      if ((channels(colour)[3] ?? 1) > 0.9) return colour
    }
    return "rgb(255, 255, 255)"
  }
  const says = element => !["STYLE", "SCRIPT"].includes(element.tagName) &&
    [...element.childNodes].some(node => node.nodeType === 3 && /\p{L}/u.test(node.data))
  const isSeen = element =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 0

  function look(root) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot)
      if (!says(element) || !isSeen(element)) continue
      const colours = [getComputedStyle(element).color, ground(element)]
      const [dark, bright] = colours.map(light).sort((a, b) => a - b)
      if ((bright + 0.05) / (dark + 0.05) < LEAST)
        window.unread.push(`${element.textContent.trim().slice(0, 40)}: ${colours}`)
    }
  }
  setInterval(() => document.body && look(document.body), 160)
})()
