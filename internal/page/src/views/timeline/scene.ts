import type { Firing, Timeline, TimelineMark, TimelineRow, TimelineSpell } from '../../api'

/** What of the wall clock is seen, in milliseconds since the epoch. */
export interface View {
  from: number
  to: number
}

/** A stretch of event time, in milliseconds. */
export interface Range {
  low: number
  high: number
}

/** A split as it is drawn. Marks begin with the one in force when the view does. */
export interface SceneSplit {
  source: string
  name: string
  color: number
  rows: TimelineRow[]
  marks: TimelineMark[]
  /** behind is the watermark of its source: a row that comes below it is late. */
  behind: TimelineMark[]
  spells: TimelineSpell[]
  late: number
}

/** A window that has fired. Opened is when the first row of it was seen, as far as the sample tells. */
export interface SceneWindow {
  firing: Firing
  opened: number
}

/** What the second axis is: event time, or by how much that is behind the clock. */
export type Axis = 'event' | 'behind'

/** All that is in view. */
export interface Scene {
  view: View
  axis: Axis
  range: Range
  splits: SceneSplit[]
  marks: TimelineMark[]
  windows: SceneWindow[]
  rows: number
  late: number
}

/** A watermark from here on is the end of all rows. */
const final = 8_640_000_000_000_000

/** Whether a mark is a time, and not "none yet" or "no more rows". */
export function isTime(event: number | null | undefined): event is number {
  return event != null && Math.abs(event) < final
}

/** The index of the first item that is not before a moment, of items in order. */
export function firstFrom(items: readonly { at: number }[], at: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (items[middle]!.at < at) low = middle + 1
    else high = middle
  }
  return low
}

/** The marks of a view, and before them the one that was in force when it begins. */
export function inForce(marks: readonly TimelineMark[], view: View): TimelineMark[] {
  const begin = firstFrom(marks, view.from)
  const out = marks.slice(begin, firstFrom(marks, view.to + 1))
  const before = marks[begin - 1]
  if (before && out[0]?.at !== view.from) out.unshift({ at: view.from, event: before.event })
  return out
}

/** The watermark at a moment; undefined if nothing is known of then. */
export function markAt(marks: readonly TimelineMark[], at: number): number | null | undefined {
  const next = firstFrom(marks, at + 1)
  return next === 0 ? undefined : marks[next - 1]!.event
}

/** The state of a split at a moment. */
export function spellAt(spells: readonly TimelineSpell[], at: number): string {
  return spells.find(s => s.from <= at && (!s.to || at < s.to))?.state ?? 'active'
}

/** The key of a split among those of all sources. */
export function splitKey(source: string, split: string): string {
  return `${source}\u0000${split}`
}

/** Where an event time that is seen at a moment lies on an axis, in milliseconds; behind the clock is below 0. */
export const level = (axis: Axis, event: number, at: number) => (axis === 'event' ? event : event - at)

/** What of a timeline is seen in a view. Hidden has the keys of splits that are left out. */
export function sceneOf(timeline: Timeline, view: View, hidden: ReadonlySet<string>, due: readonly number[] = [], axis: Axis = 'event'): Scene {
  const splits: SceneSplit[] = []
  let color = 0
  let rows = 0
  let late = 0
  for (const source of timeline.sources) {
    for (const split of source.splits) {
      const own = color++
      if (hidden.has(splitKey(source.name, split.name))) continue
      const seen = split.rows.slice(firstFrom(split.rows, view.from), firstFrom(split.rows, view.to + 1))
      const lateOnes = seen.reduce((n, r) => n + (r.late ? 1 : 0), 0)
      rows += seen.length
      late += lateOnes
      splits.push({
        source: source.name,
        name: split.name,
        color: own,
        rows: seen,
        marks: inForce(split.marks, view),
        behind: source.marks,
        spells: split.spells.filter(s => s.from < view.to && (!s.to || s.to > view.from)),
        late: lateOnes,
      })
    }
  }
  const marks = inForce(timeline.marks, view)
  const fired = timeline.firings.slice(firstFrom(timeline.firings, view.from), firstFrom(timeline.firings, view.to + 1))
  const range = rangeOf(axis, view, splits, marks, fired, due)
  return { view, axis, range, splits, marks, windows: windowsOf(fired, splits, view), rows, late }
}

/** From when on a window was open: its first row in the sample, or when it fired if none is there. */
function windowsOf(fired: readonly Firing[], splits: readonly SceneSplit[], view: View): SceneWindow[] {
  const shown = fired.slice(-400)
  const opened = shown.map(f => f.at)
  const byStart = shown
    .map((_, i) => i)
    .filter(i => shown[i]!.start != null)
    .sort((a, b) => shown[a]!.end - shown[b]!.end)
  const longest = byStart.reduce((most, i) => Math.max(most, shown[i]!.end - shown[i]!.start!), 0)
  for (const split of splits) {
    for (const row of split.rows) {
      // Windows whose end is after the row and not further from it than the longest window is long can have it.
      let low = 0
      let high = byStart.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if (shown[byStart[middle]!]!.end <= row.event) low = middle + 1
        else high = middle
      }
      for (; low < byStart.length; low++) {
        const i = byStart[low]!
        const f = shown[i]!
        if (f.end > row.event + longest) break
        if (f.start! <= row.event && row.at < opened[i]!) opened[i] = row.at
      }
    }
  }
  return shown.map((firing, i) => ({ firing, opened: Math.max(opened[i]!, view.from) }))
}

/**
 * The stretch of the axis that is shown: all watermarks, the rows but for the farthest in a hundred, and whatever else is near those. What lies outside is drawn at the edge, so that one row
 * from another year does not flatten the picture.
 */
function rangeOf(axis: Axis, view: View, splits: readonly SceneSplit[], marks: readonly TimelineMark[], fired: readonly Firing[], due: readonly number[]): Range {
  let low = Infinity
  let high = -Infinity
  const take = (value: number) => {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const left: number[] = [] // of splits that were left out of the watermark: however far back they stay, the others are the picture
  const takeMarks = (all: readonly TimelineMark[], spells: readonly TimelineSpell[]) =>
    all.forEach((m, i) => {
      if (!isTime(m.event)) return
      const end = all[i + 1]?.at ?? view.to
      const out = spells.some(s => s.state === 'idle' && s.from <= m.at && (!s.to || s.to >= end))
      for (const at of [m.at, end]) {
        if (out) left.push(level(axis, m.event, at))
        else take(level(axis, m.event, at))
      }
    })
  takeMarks(marks, [])
  const levels = new Float64Array(splits.reduce((n, s) => n + s.rows.length, 0))
  let n = 0
  for (const split of splits) {
    takeMarks(split.marks, split.spells)
    for (const row of split.rows) levels[n++] = level(axis, row.event, row.at)
  }
  levels.sort()
  if (n > 0) {
    take(levels[Math.floor(n * 0.01)]!)
    take(levels[Math.min(n - 1, Math.floor(n * 0.99))]!)
  }
  if (low > high) return axis === 'event' ? { low: view.from, high: view.to } : { low: view.from - view.to, high: 0 }
  const near = Math.max(high - low, 1000) * 0.6
  const [least, most] = [low - near, high + near]
  const takeNear = (value: number) => {
    if (value >= least && value <= most) take(value)
  }
  levels.forEach(takeNear)
  left.forEach(takeNear)
  for (const f of fired) {
    takeNear(level(axis, f.end, f.at))
    if (f.start != null) takeNear(level(axis, f.start, f.at))
  }
  for (const d of due) takeNear(level(axis, d, view.to))
  if (axis === 'behind') takeNear(0)
  const room = Math.max(high - low, 1000) * 0.05
  return { low: low - room, high: high + room }
}
