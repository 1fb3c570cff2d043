import { useEffect, useRef } from 'react'
import uPlot from 'uplot'

/** Line is one of a chart. */
export interface Line { name: string; values: (number | null | undefined)[] }

interface Props {
  /** x are seconds since the epoch. */
  x: number[]
  lines: Line[]
  height: number
  label: string
  show: (n: number) => string
  /** utc is for times without a zone, which are shown as they are. */
  utc?: boolean
  legend?: boolean
  filled?: boolean
  dots?: boolean
}

/** Chart draws lines over time in the colours of the theme. What it shows is told in words by `label`. */
export function Chart({ x, lines, height, label, show, utc = false, legend = false, filled = false, dots = false }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const names = lines.map(l => l.name).join('\n')
  const showing = useRef(show)
  showing.current = show
  const data = [x, ...lines.map(l => l.values)] as uPlot.AlignedData
  const latest = useRef(data)
  latest.current = data
  useEffect(() => {
    const box = place.current as HTMLDivElement
    const make = () => {
      plot.current?.destroy()
      const style = getComputedStyle(document.documentElement)
      const colour = (name: string) => style.getPropertyValue(name).trim()
      const font = `11px ${colour('--sans')}`
      const axis: uPlot.Axis = { stroke: colour('--soft'), font, grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
      plot.current = new uPlot(
        {
          width: Math.max(120, box.clientWidth),
          height,
          legend: { show: legend, live: legend },
          cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
          scales: { x: { time: true }, y: { range: (_, min, max) => (min === null ? [0, 1] : [Math.min(0, min), max > 0 ? max * 1.08 : max === min ? 1 : 0]) } },
          ...(utc && { tzDate: (ts: number) => uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC') }),
          axes: [
            { ...axis, size: 26, gap: 4, space: 70, values: timeMarks },
            { ...axis, size: 52, gap: 6, space: 28, values: (_, marks) => marks.map(m => showing.current(m)) },
          ],
          series: [
            {},
            ...names.split('\n').map((name, i): uPlot.Series => {
              const stroke = colour(`--chart-${(i % 6) + 1}`)
              return { label: name || label, stroke, width: 1.5, spanGaps: false, points: { show: (u, s) => dots || lone(u.data[s]), size: 4 }, value: (_, v) => (v == null ? '–' : showing.current(v)), ...(filled && { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }), ...(i > 0 && { dash: dashes[i % dashes.length] ?? [] }) }
            }),
          ],
        },
        latest.current,
        box,
      )
    }
    make()
    const sized = new ResizeObserver(() => plot.current?.setSize({ width: Math.max(120, box.clientWidth), height }))
    sized.observe(box)
    window.addEventListener('themechange', make)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', make)
    return () => {
      sized.disconnect()
      window.removeEventListener('themechange', make)
      dark.removeEventListener('change', make)
      plot.current?.destroy()
      plot.current = null
    }
  }, [names, height, utc, legend, filled, dots])
  useEffect(() => plot.current?.setData(data), [x, lines])
  return <div ref={place} className="chart" role="img" aria-label={label} />
}

/** lone says that there are so few values that a line would not be seen. */
const lone = (values: ArrayLike<number | null | undefined> | undefined) => values !== undefined && Array.from(values).filter(v => typeof v === 'number').length < 4

const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 4], [10, 5]]

/** timeMarks are moments on the axis, as fine as their distance in seconds asks for. */
const timeMarks = ([[86_400, '{MM}-{DD}'], [60, '{HH}:{mm}'], [1, '{HH}:{mm}:{ss}'], [0.001, '{HH}:{mm}:{ss}.{fff}']] as const).map(([distance, form]): [number, string, ...(string | number | null)[]] => [
  distance, form, null, null, null, null, null, null, 1,
])
