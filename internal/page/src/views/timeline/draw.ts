import { isTime, level, type Scene, type SceneSplit } from './scene.ts'
import { behindLabel, tickLabel, timeTicks } from './ticks.ts'

/** Which layers are drawn. */
export interface Layers {
  rows: boolean
  late: boolean
  partitions: boolean
  statement: boolean
  windows: boolean
  spells: boolean
}

/** The colours and the font of the page. */
export interface Theme {
  text: string
  muted: string
  grid: string
  surface: string
  late: string
  window: string
  idle: string
  paused: string
  series: readonly string[]
  font: string
}

/** The room around the plot, in pixels. */
export const room = { left: 76, right: 14, top: 18, bottom: 26 }

/** Where things are on the canvas, in pixels. */
export interface Frame {
  width: number
  height: number
}

/** Scale maps moments and event times to places on the canvas and back. */
export class Scale {
  readonly left = room.left
  readonly top = room.top
  readonly right: number
  readonly bottom: number

  constructor(
    readonly scene: Scene,
    frame: Frame,
  ) {
    this.right = Math.max(this.left + 10, frame.width - room.right)
    this.bottom = Math.max(this.top + 10, frame.height - room.bottom)
  }

  x = (at: number) => this.left + ((at - this.scene.view.from) / (this.scene.view.to - this.scene.view.from)) * (this.right - this.left)
  /** y of a level of the axis. */
  height = (value: number) => this.bottom - ((value - this.scene.range.low) / (this.scene.range.high - this.scene.range.low)) * (this.bottom - this.top)
  /** y of an event time that is seen at a moment. */
  y = (event: number, at: number) => this.height(level(this.scene.axis, event, at))
  at = (x: number) => this.scene.view.from + ((x - this.left) / (this.right - this.left)) * (this.scene.view.to - this.scene.view.from)
  /** y of an event time, or the edge that it lies beyond. */
  within = (event: number, at: number) => Math.min(this.bottom, Math.max(this.top, this.y(event, at)))
}

/** Draws a scene. The context is that of a canvas as large as the frame, scaled so that its unit is a pixel of the page. */
export function draw(c: CanvasRenderingContext2D, frame: Frame, scene: Scene, layers: Layers, theme: Theme, due: readonly number[] = []) {
  const scale = new Scale(scene, frame)
  c.clearRect(0, 0, frame.width, frame.height)
  c.font = theme.font
  axes(c, scale, theme)
  c.save()
  c.beginPath()
  c.rect(scale.left, scale.top, scale.right - scale.left, scale.bottom - scale.top)
  c.clip()
  behind(c, scale, layers, theme)
  if (layers.spells) spells(c, scale, theme)
  if (layers.windows) windows(c, scale, theme)
  now(c, scale, theme)
  if (layers.rows) for (const split of scene.splits) rows(c, scale, split, theme)
  if (layers.partitions) for (const split of scene.splits) watermark(c, scale, split.marks, theme.series[split.color % theme.series.length]!, 1.5, layers.spells ? split : undefined)
  if (layers.statement) watermark(c, scale, scene.marks, theme.text, 3)
  if (layers.windows) waiting(c, scale, theme, due)
  if (layers.late) for (const split of scene.splits) late(c, scale, split, theme)
  c.restore()
}

function axes(c: CanvasRenderingContext2D, s: Scale, theme: Theme) {
  c.lineWidth = 1
  c.strokeStyle = theme.grid
  c.fillStyle = theme.muted
  const across = timeTicks(s.scene.view.from, s.scene.view.to, (s.right - s.left) / 76)
  const up = timeTicks(s.scene.range.low, s.scene.range.high, (s.bottom - s.top) / 44)
  c.beginPath()
  for (const t of across.at) {
    const x = Math.round(s.x(t)) + 0.5
    c.moveTo(x, s.top)
    c.lineTo(x, s.bottom)
  }
  for (const t of up.at) {
    const y = Math.round(s.height(t)) + 0.5
    c.moveTo(s.left, y)
    c.lineTo(s.right, y)
  }
  c.stroke()
  c.textBaseline = 'top'
  c.textAlign = 'center'
  for (const t of across.at) {
    const x = s.x(t)
    if (x > s.left + 20 && x < s.right - 20) c.fillText(tickLabel(t, across.step), x, s.bottom + 8)
  }
  c.textBaseline = 'middle'
  c.textAlign = 'right'
  for (const t of up.at) c.fillText(s.scene.axis === 'event' ? tickLabel(t, up.step) : behindLabel(t), s.left - 8, s.height(t))
}

/** What is behind the watermark of the statement: a row that comes there is late. */
function behind(c: CanvasRenderingContext2D, s: Scale, layers: Layers, theme: Theme) {
  if (!layers.statement) return
  c.fillStyle = theme.late
  c.globalAlpha = 0.07
  stretches(s, s.scene.marks, (x, y, end, last) => {
    c.beginPath()
    c.moveTo(x, s.bottom)
    c.lineTo(x, y)
    c.lineTo(end, last)
    c.lineTo(end, s.bottom)
    c.fill()
  })
  c.globalAlpha = 1
}

/** Calls for each stretch in which a watermark stays at an event time, with where it begins and where it ends. */
function stretches(s: Scale, marks: Scene['marks'], each: (x: number, y: number, end: number, last: number) => void) {
  marks.forEach((m, i) => {
    if (m.event === null) return
    const end = marks[i + 1]?.at ?? s.scene.view.to
    const edge = m.event > 0 ? s.top : s.bottom
    const y = (at: number) => (isTime(m.event) ? s.within(m.event, at) : edge)
    each(s.x(m.at), y(m.at), s.x(end), y(end))
  })
}

/** The line on which event time is the time of the clock. */
function now(c: CanvasRenderingContext2D, s: Scale, theme: Theme) {
  const { view } = s.scene
  c.strokeStyle = theme.muted
  c.setLineDash([2, 4])
  c.lineWidth = 1
  c.beginPath()
  c.moveTo(s.x(view.from), s.y(view.from, view.from))
  c.lineTo(s.x(view.to), s.y(view.to, view.to))
  c.stroke()
  c.setLineDash([])
}

function spells(c: CanvasRenderingContext2D, s: Scale, theme: Theme) {
  const alpha = 0.16 / Math.max(1, Math.sqrt(s.scene.splits.length))
  for (const split of s.scene.splits) {
    for (const spell of split.spells) {
      const [x, end] = [s.x(Math.max(spell.from, s.scene.view.from)), s.x(spell.to || s.scene.view.to)]
      c.globalAlpha = alpha
      c.fillStyle = spell.state === 'paused' ? theme.paused : theme.idle
      c.fillRect(x, s.top, Math.max(1, end - x), s.bottom - s.top)
    }
  }
  c.globalAlpha = 1
}

/** Windows are boxes from their first row to the moment at which they fired, as high as they are long; of very many, only that moment is drawn. */
function windows(c: CanvasRenderingContext2D, s: Scale, theme: Theme) {
  const all = s.scene.windows
  c.fillStyle = theme.window
  c.strokeStyle = theme.window
  const flat = s.scene.axis === 'behind' // a window is no box there, and its length says nothing
  if (all.length <= 200 && !flat) {
    for (const { firing: f, opened } of all) {
      if (f.start == null || opened >= f.at) continue
      c.beginPath()
      c.moveTo(s.x(opened), s.y(f.start, opened))
      c.lineTo(s.x(opened), s.y(f.end, opened))
      c.lineTo(s.x(f.at), s.y(f.end, f.at))
      c.lineTo(s.x(f.at), s.y(f.start, f.at))
      c.closePath()
      c.globalAlpha = 0.08
      c.fill()
      c.globalAlpha = 0.35
      c.lineWidth = 1
      c.stroke()
    }
  }
  c.globalAlpha = 1
  for (const { firing: f } of all) {
    const [x, y] = [s.x(f.at), s.within(f.end, f.at)]
    const low = f.start == null || flat ? y : s.within(f.start, f.at)
    c.fillRect(x - 1.5, y, 3, Math.max(2, low - y))
    c.beginPath()
    c.moveTo(x - 5, y - 7)
    c.lineTo(x + 5, y - 7)
    c.lineTo(x, y)
    c.fill()
  }
}

/** Event times that operators wait for. */
function waiting(c: CanvasRenderingContext2D, s: Scale, theme: Theme, due: readonly number[]) {
  c.strokeStyle = theme.window
  c.lineWidth = 1.5
  c.setLineDash([6, 5])
  c.beginPath()
  const { view, marks } = s.scene
  const from = Math.max(marks.at(-1)?.at ?? 0, view.from)
  for (const event of new Set(due)) {
    c.moveTo(s.x(from), s.y(event, from))
    c.lineTo(s.right, s.y(event, view.to))
  }
  c.stroke()
  c.setLineDash([])
}

/** Rows on time. One path for all of a split: ten thousand are drawn in a few milliseconds. */
function rows(c: CanvasRenderingContext2D, s: Scale, split: SceneSplit, theme: Theme) {
  const side = split.rows.length > 3000 ? 2 : 3
  c.fillStyle = theme.series[split.color % theme.series.length]!
  c.globalAlpha = 0.7
  c.beginPath()
  for (const row of split.rows) {
    if (row.late) continue
    c.rect(s.x(row.at) - side / 2, s.within(row.event, row.at) - side / 2, side, side)
  }
  c.fill()
  c.globalAlpha = 1
}

/** Late rows are crosses, to be told from others without colours. */
function late(c: CanvasRenderingContext2D, s: Scale, split: SceneSplit, theme: Theme) {
  if (split.late === 0) return
  for (const [color, width] of [
    [theme.surface, 4],
    [theme.late, 2],
  ] as const) {
    c.strokeStyle = color
    c.lineWidth = width
    c.lineCap = 'round'
    c.beginPath()
    for (const row of split.rows) {
      if (!row.late) continue
      const [x, y] = [s.x(row.at), s.within(row.event, row.at)]
      c.moveTo(x - 3.5, y - 3.5)
      c.lineTo(x + 3.5, y + 3.5)
      c.moveTo(x - 3.5, y + 3.5)
      c.lineTo(x + 3.5, y - 3.5)
    }
    c.stroke()
  }
  c.lineCap = 'butt'
}

/** A watermark is a line of steps. Where its split takes no part it is dashed. */
function watermark(c: CanvasRenderingContext2D, s: Scale, marks: Scene['marks'], color: string, width: number, split?: SceneSplit) {
  c.strokeStyle = color
  c.lineWidth = width
  c.lineJoin = 'round'
  const out = (split?.spells ?? []).map(spell => [s.x(spell.from), s.x(spell.to || s.scene.view.to)] as const)
  const path = () => {
    let begun = false
    c.beginPath()
    stretches(s, marks, (x, y, end, last) => {
      if (begun) c.lineTo(x, y)
      else c.moveTo(x, y)
      c.lineTo(end, last)
      begun = true
    })
    c.stroke()
  }
  if (out.length === 0) return path()
  c.save()
  c.beginPath()
  let from = s.left
  for (const [x, end] of out) {
    c.rect(from, s.top, x - from, s.bottom - s.top)
    from = end
  }
  c.rect(from, s.top, s.right - from, s.bottom - s.top)
  c.clip()
  path()
  c.restore()
  c.save()
  c.beginPath()
  for (const [x, end] of out) c.rect(x, s.top, end - x, s.bottom - s.top)
  c.clip()
  c.setLineDash([3, 3])
  c.globalAlpha = 0.8
  path()
  c.restore()
}
