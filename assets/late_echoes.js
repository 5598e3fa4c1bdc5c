// A component of the template writes each value that the server sends back into its model
// once it is drawn. If the server has sent another meanwhile, the first would stand in its
// place, and go to the server as what a person has chosen. It is dropped here.
//
// And a field of text is sent back what was entered there, as what stands in it: whoever
// has typed on by then would find that before what is typed next. It stood there already.
const LATE = 2000 // ms: what was not sent back by then is not
const GUARDED = Symbol.for("thriftscope: late echoes are dropped")

// Panel's own: figures and our own parts send nothing back.
function isComponent(data) {
  for (const model of data.document?.all_models ?? [])
    if (model.data === data) return "use_shadow_dom" in model
  return false
}

// By model and property: what the server has sent and did not come back yet, as it was
// sent.
const sent = new WeakMap()

// Data of figures are large, and gone with the next: they are not held by this.
const held = value => (value instanceof Object ? new WeakRef(value) : value)
const isHeld = (one, value) => (one instanceof WeakRef ? one.deref() : one) === value

function remember(model, changes) {
  if (!sent.has(model)) sent.set(model, {})
  const queues = sent.get(model)
  const now = performance.now()
  for (const [name, value] of Object.entries(changes)) {
    const waiting = (queues[name] ?? []).filter(one => now - one.at < LATE)
    queues[name] = [...waiting, { value: held(value), at: now }]
  }
}

// They come back in the order in which they were sent, some not at all. What is not among
// them a person has chosen.
function isLate(model, name, value) {
  const now = performance.now()
  const queues = sent.get(model)
  const waiting = (queues?.[name] ?? []).filter(one => now - one.at < LATE)
  const place = waiting.findIndex(one => isHeld(one.value, value))
  if (place < 0) return false
  queues[name] = waiting.slice(place + 1)
  return queues[name].length > 0 && isComponent(model)
}

// What a person has entered into each field of text since the server last wrote there:
// several, where the server is behind.
const entered = new WeakMap()
// What was not written into each for that reason; the server may go on to write it.
const dropped = new WeakMap()

function note(model, { value }, isServer) {
  if (value === undefined || !("value_input" in model)) return
  if (isServer) entered.set(model, [])
  else if (value !== model.value) // else it is what the server has written
    entered.set(model, [...(entered.get(model) ?? []), value])
}

function isEntered(model, name, value) {
  if (name !== "value_input" || !entered.get(model)?.includes(value)) return false
  dropped.set(model, value)
  return true
}

function written(model, { value }) {
  const isWritten = value !== undefined && dropped.get(model) === value
  if (isWritten) dropped.delete(model)
  return isWritten ? { value_input: value } : {}
}

const without = (changes, isDropped) =>
  Object.fromEntries(Object.entries(changes).filter(one => !isDropped(...one)))

function guard(known) {
  let owner = known
  while (!Object.hasOwn(owner, "setv")) owner = Object.getPrototypeOf(owner)
  if (owner[GUARDED]) return
  const setv = owner.setv
  owner[GUARDED] = true
  owner.setv = function (changes, options = {}) {
    const isServer = options.sync === false
    if (isServer) {
      changes = without(changes, (name, value) => isEntered(this, name, value))
      changes = { ...changes, ...written(this, changes) }
      remember(this, changes)
    } else if (sent.has(this))
      changes = without(changes, (name, value) => isLate(this, name, value))
    note(this, changes, isServer)
    return setv.call(this, changes, options)
  }
}

export function render() {
  guard(window.Bokeh.documents[0].roots()[0])
}
