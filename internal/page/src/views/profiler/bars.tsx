import { useState, type PointerEvent } from 'react'

/** A series over time: from a moment on, a value for each step; null where nothing is known. */
export interface Steps {
  from: number
  step: number
  values: readonly (number | null)[]
}

const width = 600
const height = 64

/** Bars draws a series, a bar for each step; stretches of which nothing is known are hatched. Say writes a value, and moment when it was. */
export function Bars({ title, steps, say, moment, kind }: { title: string; steps: Steps; say: (value: number) => string; moment: (at: number) => string; kind: string }) {
  const [at, look] = useState<number | null>(null)
  const { values } = steps
  const most = Math.max(0, ...values.map(v => v ?? 0))
  const known = values.filter(v => v !== null).length
  const bar = width / Math.max(1, values.length)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const r = event.currentTarget.getBoundingClientRect()
    look(Math.min(values.length - 1, Math.max(0, Math.floor(((event.clientX - r.left) / r.width) * values.length))))
  }
  const value = at === null ? undefined : values[at]
  const says =
    at === null
      ? known === 0
        ? 'nothing is known yet'
        : most === 0
          ? 'none'
          : `at most ${say(most)}`
      : `${moment(steps.from + at * steps.step)}: ${value == null ? 'nothing known' : say(value)}`
  return (
    <figure className="bars">
      <figcaption>
        {title} <span className="faint">{says}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${known === 0 ? 'nothing is known yet' : most === 0 ? 'none' : `at most ${say(most)}`}`}
        onPointerMove={point}
        onPointerLeave={() => look(null)}
      >
        {unknown(values).map(([from, to]) => (
          <rect key={from} className="unknown" x={from * bar} width={(to - from) * bar} y="0" height={height} />
        ))}
        <path className={kind} d={barsPath(values, most, bar)} />
        {at !== null && <rect className="look" x={at * bar} width={bar} y="0" height={height} />}
        <path className="ground" d={`M0 ${height - 0.5}H${width}`} />
      </svg>
      <div className="bars-ends faint">
        <span>{moment(steps.from)}</span>
        <span>{moment(steps.from + values.length * steps.step)}</span>
      </div>
    </figure>
  )
}

/** unknown is the stretches of which nothing is known, each as the index of its first step and of the one behind its last. */
export function unknown(values: readonly (number | null)[]): [number, number][] {
  const out: [number, number][] = []
  values.forEach((v, i) => {
    if (v !== null) return
    const last = out.at(-1)
    if (last && last[1] === i) last[1] = i + 1
    else out.push([i, i + 1])
  })
  return out
}

function barsPath(values: readonly (number | null)[], most: number, bar: number): string {
  let path = ''
  const gap = bar > 4 ? 1 : 0
  values.forEach((v, i) => {
    if (!v || most === 0) return
    const tall = Math.max(1.5, (v / most) * (height - 4))
    path += `M${(i * bar).toFixed(2)} ${height}v${-tall.toFixed(2)}h${(bar - gap).toFixed(2)}V${height}z`
  })
  return path
}
