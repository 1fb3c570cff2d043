/** A node to be placed: who it is and whose rows it gets. */
export interface Node {
  id: string
  inputs: readonly string[]
}

/** A node in its place; x and y are its upper left corner. */
export interface Box {
  id: string
  x: number
  y: number
}

/** An edge as the points it goes through, from the right side of a box to the left side of another. */
export interface Edge {
  from: string
  to: string
  points: { x: number; y: number }[]
}

/** A graph in its place. */
export interface Layout {
  boxes: Box[]
  edges: Edge[]
  width: number
  height: number
}

/** Sizes in pixels. */
export interface Size {
  width: number
  height: number
  across: number
  down: number
}

/** A place in a column: a box, or where a longer edge passes through. */
interface Slot {
  id: string
  column: number
  box: boolean
  before: Slot[]
  after: Slot[]
  y: number
}

/** Places nodes in columns, each behind all that it gets rows from, so that edges go to the right and cross seldom. */
export function layOut(nodes: readonly Node[], size: Size): Layout {
  const column = columns(nodes)
  const slots = new Map<string, Slot>()
  const all: Slot[][] = []
  const put = (id: string, at: number, box: boolean): Slot => {
    const slot: Slot = { id, column: at, box, before: [], after: [], y: 0 }
    ;(all[at] ??= []).push(slot)
    return slot
  }
  for (const n of nodes) slots.set(n.id, put(n.id, column.get(n.id)!, true))
  const ways: { from: string; to: string; slots: Slot[] }[] = []
  for (const n of nodes) {
    for (const input of new Set(n.inputs)) {
      const from = slots.get(input)
      const to = slots.get(n.id)!
      if (!from || from.column >= to.column) continue
      const way = [from]
      for (let c = from.column + 1; c < to.column; c++) way.push(put(`${input} ${n.id} ${c}`, c, false))
      way.push(to)
      for (let i = 1; i < way.length; i++) {
        way[i - 1]!.after.push(way[i]!)
        way[i]!.before.push(way[i - 1]!)
      }
      ways.push({ from: input, to: n.id, slots: way })
    }
  }
  const height = place(all, size)
  const left = (c: number) => c * (size.width + size.across)
  return {
    boxes: [...slots.values()].map(s => ({ id: s.id, x: left(s.column), y: s.y })),
    edges: ways.map(w => ({ from: w.from, to: w.to, points: w.slots.flatMap((s, i) => ends(s, i, w.slots.length, left(s.column), size)) })),
    width: Math.max(0, left(all.length) - size.across),
    height,
  }
}

/** The column of each node: one behind the last of its inputs. */
function columns(nodes: readonly Node[]): Map<string, number> {
  const byId = new Map(nodes.map(n => [n.id, n]))
  const column = new Map<string, number>()
  const find = (id: string, above: ReadonlySet<string>): number => {
    const known = column.get(id)
    if (known !== undefined) return known
    let at = 0
    for (const input of byId.get(id)!.inputs) {
      if (byId.has(input) && !above.has(input)) at = Math.max(at, find(input, new Set(above).add(input)) + 1)
    }
    column.set(id, at)
    return at
  }
  for (const n of nodes) find(n.id, new Set([n.id]))
  return column
}

/** Orders the columns by their neighbours' places, then gives heights; returns how high all is. */
function place(all: Slot[][], size: Size): number {
  const tall = (s: Slot) => (s.box ? size.height : 0)
  const stack = (column: Slot[]) => {
    let y = 0
    for (const s of column) {
      s.y = y
      y += tall(s) + size.down
    }
    return y - size.down
  }
  const heights = () => all.map(stack)
  let height = Math.max(0, ...heights())
  const middle = (s: Slot) => s.y + tall(s) / 2
  const center = (column: Slot[]) => {
    const own = stack(column)
    for (const s of column) s.y += (height - own) / 2
  }
  all.forEach(center)
  for (let round = 0; round < 4; round++) {
    const forth = round % 2 === 0
    for (const column of forth ? all : [...all].reverse()) {
      const wish = new Map(
        column.map(s => {
          const beside = forth ? s.before : s.after
          return [s, beside.length ? beside.reduce((sum, b) => sum + middle(b), 0) / beside.length : middle(s)]
        }),
      )
      column.sort((a, b) => wish.get(a)! - wish.get(b)!)
      center(column)
    }
  }
  height = Math.max(0, height)
  return height
}

/** Where an edge touches a slot. */
function ends(s: Slot, i: number, of: number, left: number, size: Size): { x: number; y: number }[] {
  const y = s.y + (s.box ? size.height / 2 : 0)
  if (i === 0) return [{ x: left + size.width, y }]
  if (i === of - 1) return [{ x: left, y }]
  return [
    { x: left, y },
    { x: left + size.width, y },
  ]
}

/** The edge as the path of an SVG: curves between columns, straight where it passes one. */
export function pathOf(edge: Edge): string {
  const [first, ...rest] = edge.points
  let path = `M${first!.x} ${first!.y}`
  let last = first!
  rest.forEach((p, i) => {
    const bend = (p.x - last.x) / 2
    path += i % 2 === 0 ? `C${last.x + bend} ${last.y} ${p.x - bend} ${p.y} ${p.x} ${p.y}` : `L${p.x} ${p.y}`
    last = p
  })
  return path
}
