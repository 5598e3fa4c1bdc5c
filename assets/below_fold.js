// Where the fold is: tells once that it has come into sight.
export function render({ model }) {
  const mark = document.createElement("div")
  mark.style.height = "1px"
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return
    model.in_sight = true
    watch.disconnect()
  })
  watch.observe(mark)
  return mark
}
