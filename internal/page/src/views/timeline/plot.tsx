import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { draw, Scale, type Layers, type Theme } from './draw.ts'
import { clock, lateBy } from './events.ts'
import { markAt, type Scene } from './scene.ts'

/** The picture itself, with a cursor that pointer and arrow keys move. Onto is told where it is; null takes it away. */
export function Plot({ scene, layers, due, cursor, onCursor }: { scene: Scene; layers: Layers; due: readonly number[]; cursor: number | null; onCursor: (at: number | null) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [frame, setFrame] = useState({ width: 0, height: 0 })
  const [near, setNear] = useState<Near | null>(null)
  const theme = useTheme(box)

  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setFrame({ width: entry!.contentRect.width, height: entry!.contentRect.height }))
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])

  useLayoutEffect(() => {
    const c = canvas.current!
    if (!theme || frame.width === 0) return
    const ratio = window.devicePixelRatio || 1
    const [width, height] = [Math.round(frame.width * ratio), Math.round(frame.height * ratio)]
    if (c.width !== width || c.height !== height) [c.width, c.height] = [width, height]
    const context = c.getContext('2d')!
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    performance.mark('timeline')
    draw(context, frame, scene, layers, theme, due)
    performance.measure('timeline', 'timeline')
  }, [frame, scene, layers, theme, due])

  const scale = new Scale(scene, frame)
  const { view } = scene
  const inside = (at: number) => Math.min(view.to, Math.max(view.from, at))

  const point = (e: PointerEvent) => {
    const r = box.current!.getBoundingClientRect()
    const [x, y] = [e.clientX - r.left, e.clientY - r.top]
    onCursor(inside(scale.at(x)))
    setNear(nearest(scene, scale, layers, x, y))
  }
  const leave = () => {
    onCursor(null)
    setNear(null)
  }
  const key = (e: KeyboardEvent) => {
    const step = (view.to - view.from) / 100
    const at = cursor ?? view.to
    const next = { ArrowLeft: at - step, ArrowRight: at + step, PageUp: at + 10 * step, PageDown: at - 10 * step, Home: view.from, End: view.to }[e.key]
    if (next !== undefined) {
      e.preventDefault()
      onCursor(inside(next))
      setNear(null)
    } else if (e.key === 'Escape') leave()
  }
  const at = cursor === null ? null : inside(cursor)
  const x = at === null ? 0 : scale.x(at)
  return (
    <div
      ref={box}
      className="timeline-plot"
      role="slider"
      tabIndex={0}
      aria-label="Moment looked at"
      aria-orientation="horizontal"
      aria-valuemin={Math.round(view.from)}
      aria-valuemax={Math.round(view.to)}
      aria-valuenow={Math.round(at ?? view.to)}
      aria-valuetext={said(scene, at ?? view.to)}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={leave}
      onKeyDown={key}
      onBlur={leave}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {at !== null && <div className="timeline-cursor" style={{ left: x }} />}
      {at !== null && (
        <div className={x > frame.width / 2 ? 'timeline-tip timeline-tip-left' : 'timeline-tip'} style={{ left: x }} aria-hidden="true">
          <Tip scene={scene} at={at} near={near} />
        </div>
      )}
    </div>
  )
}

/** What a screen reader says of a moment. */
function said(scene: Scene, at: number): string {
  const mark = markAt(scene.marks, at)
  const parts = [clock(at), mark === undefined ? 'nothing is known' : mark === null ? 'no watermark' : `watermark ${clock(mark)}`]
  return parts.join(', ')
}

function Tip({ scene, at, near }: { scene: Scene; at: number; near: Near | null }) {
  const mark = markAt(scene.marks, at)
  return (
    <>
      <div>
        at <b>{clock(at)}</b>
      </div>
      <div>{mark === undefined ? 'nothing known' : mark === null ? 'no watermark yet' : <>watermark {clock(mark)}</>}</div>
      {near && <div className="timeline-near">{near.text}</div>}
    </>
  )
}

interface Near {
  text: string
}

const reach = 8

/** The row or window nearest to a place, if one is near. */
function nearest(scene: Scene, scale: Scale, layers: Layers, x: number, y: number): Near | null {
  let best = reach * reach
  let found: Near | null = null
  for (const split of scene.splits) {
    for (const row of split.rows) {
      if (row.late ? !layers.late : !layers.rows) continue
      const [dx, dy] = [scale.x(row.at) - x, scale.within(row.event, row.at) - y]
      if (dx > reach) break
      const d = dx * dx + dy * dy
      if (d < best || (d === best && row.late)) {
        best = d
        found = { text: `${row.late ? 'late row' : 'row'} of ${split.name}: ${clock(row.event)}${row.late ? lateBy(split, row) : ''}` }
      }
    }
  }
  if (found || !layers.windows) return found
  for (const { firing: f } of scene.windows) {
    const top = scale.within(f.end, f.at)
    const low = f.start == null ? top : scale.within(f.start, f.at)
    if (Math.abs(scale.x(f.at) - x) <= reach && y >= top - reach && y <= low + reach) {
      const which = f.start == null ? `what ends at ${clock(f.end)}` : `window ${clock(f.start)} to ${clock(f.end)}`
      return { text: `${which} fired, ${f.rows.toLocaleString('en-US')} ${f.rows === 1 ? 'row' : 'rows'}` }
    }
  }
  return null
}

/** The colours of the page where it is; they are read again when the theme changes. */
function useTheme(box: { current: HTMLElement | null }): Theme | null {
  const [theme, setTheme] = useState<Theme | null>(null)
  useEffect(() => {
    const read = () => {
      const style = getComputedStyle(box.current!)
      const value = (name: string) => style.getPropertyValue(name).trim()
      setTheme({
        text: value('--timeline-mark'),
        muted: value('--timeline-muted'),
        grid: value('--timeline-grid'),
        surface: value('--timeline-surface'),
        late: value('--timeline-late'),
        window: value('--timeline-window'),
        idle: value('--timeline-idle'),
        paused: value('--timeline-paused'),
        series: [1, 2, 3, 4, 5, 6].map(i => value(`--chart-${i}`)),
        font: `11px ${style.fontFamily}`,
      })
    }
    read()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', read)
    const watch = new MutationObserver(read)
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-theme', 'style'] })
    return () => {
      dark.removeEventListener('change', read)
      watch.disconnect()
    }
  }, [box])
  return theme
}
