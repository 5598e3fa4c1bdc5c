// Early exit while its threshold or budget is dragged: rows, ring and answer move before
// the server has heard of it, to where it would put them
// (explorer/figures/cascade_exits.py).
// `table`: what explorer/pages/cascade/all_exits.py sends once, all exits among it.

// Where each row leaves, and whether right. A policy's rows are sent as they leave; those
// of a threshold by the place from which on they pass a stage.
function rowsOf(table, at) {
  const { exits: sent, passed, right, left, spread } = table
  if (sent) {
    const from = at * spread.length
    const exits = Array.from(spread, (_, row) => sent[from + row])
    return [exits, exits.map((_, row) => right[from + row] === 1)]
  }
  const last = left.length - 1
  const exits = Array.from(spread, (_, row) => {
    let stage = 0
    while (stage < last && passed[row * last + stage] <= at) stage++
    return stage
  })
  return [exits, exits.map((stage, row) => right[row * left.length + stage] === 1)]
}

function exitsAt(table, share) {
  const { steps, left, widths, scale, spread, told, first } = table
  const place = Math.round(share * steps)
  const at = table.cases[place]
  // Not known: the server draws it
  if (Math.abs(share * steps - place) > 1e-9 || at < 0) return null
  const [exits, isRight] = rowsOf(table, at)
  const [nRight, nWrong] = [true, false].map(wanted => {
    const count = Array.from(left, () => 0)
    exits.forEach((stage, row) => { if (isRight[row] === wanted) count[stage]++ })
    return count
  })
  // From below in its column, wrong ones on top.
  const ranks = { true: nRight.map(() => 0), false: [...nRight] }
  const rank = exits.map((stage, row) => ranks[isRight[row]][stage]++)
  const x = exits.map((stage, row) => left[stage] + spread[rank[row]] * widths[stage])
  const y = rank.map(below => scale * (below + 0.5))
  const marks = (wanted, verdict) => {
    const row = [...exits.keys()].filter(one => isRight[one] === wanted)
    return {
      x: row.map(one => x[one]),
      y: row.map(one => y[one]),
      row,
      stage: row.map(one => exits[one] + first),
      verdict: row.map(() => verdict),
    }
  }
  let rest = exits.length
  const reach = nRight.map((count, stage) => {
    const all = rest
    rest -= count + nWrong[stage]
    return all
  })
  const [form, ...numbers] = table.numbers[at]
  return {
    reach: {
      top: reach.map(count => scale * count),
      leave_right: nRight.map(count => told[count]),
      leave_wrong: nWrong.map(count => told[count]),
      go_on: reach.map((count, stage) => told[count - nRight[stage] - nWrong[stage]]),
    },
    right: marks(true, "right"),
    wrong: marks(false, "wrong"),
    here: { x: [x[table.followed]], y: [y[table.followed]] },
    chosen: { x: [table.cost[at]], y: [table.accuracy[at]] },
    answer: table.forms[form].map((words, i) => words + (numbers[i] ?? "")).join(""),
  }
}

const asObject = data => (data.get ? Object.fromEntries(data) : { ...data })

// Nothing of it is told to the server, which hears of the slider.
function drawExits(model, sources) {
  const columns = asObject(model.data)
  if (!columns.number) return
  const table = Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, one[0]]))
  if (model.tags[0] !== table.number) model.tags = [table.number]  // It is here
  const moved = exitsAt(table, model.moved ?? table.share)
  if (!moved) return
  for (const [name, source] of Object.entries(sources))
    source.setv({ data: { ...asObject(source.data), ...moved[name] } }, { sync: false })
  model.answer?.setv({ text: moved.answer }, { sync: false })
}
