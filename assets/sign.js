// What is on its way stands over the page until it is there: a sentence, and where parts
// will be. `label`: what is said to who does not see it.
function turningSign(words, label) {
  const element = document.createElement("div")
  element.className = "turning"
  element.setAttribute("role", "progressbar")
  element.setAttribute("aria-label", label)
  element.style.cssText = "position:fixed;inset:48px 0 0 0;margin:0;border:0;z-index:1200"
  const said = document.createElement("b")
  said.textContent = words
  element.append(said, document.createElement("i"))
  return element
}
