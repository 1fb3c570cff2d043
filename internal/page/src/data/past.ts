// What a statement was like, minute by minute: how it is asked for, and turned into lines.
import type { History } from '../api.ts'
import type { Line } from '../parts/chart.tsx'
import { statementPath } from './ask.ts'

/** Span is how far back a chart goes, and how many milliseconds a point of it stands for. */
export interface Span { name: string; back: number; step: number }

const minute = 60_000

export const spans = [
  { name: '1 h', back: 60 * minute, step: minute },
  { name: '6 h', back: 360 * minute, step: 2 * minute },
  { name: '24 h', back: 1440 * minute, step: 8 * minute },
  { name: '7 d', back: 7 * 1440 * minute, step: 60 * minute },
] as const satisfies readonly Span[]

/** spanOf is the span of a name. */
export const spanOf = (name: string): Span => spans.find(s => s.name === name) ?? spans[0]

/** howFarBack are the spans as one chooses among them. */
export const howFarBack = spans.map(s => ({ value: s.name, text: s.name }))

/** address asks for these series up to now; they are whole, so that it stays the same until there is something new. */
export function address(name: string, span: Span, now: number, series: readonly string[]): string {
  const to = Math.ceil(now / span.step) * span.step
  return statementPath(name, `/history?from=${to - span.back}&to=${to}&step=${span.step}&series=${series.join(',')}`)
}

/** times are the ends of the steps, in seconds: what a step says is so at its end. */
export const times = (h: History): number[] => Array.from({ length: length(h) }, (_, i) => (h.from + (i + 1) * h.step_ms) / 1000)

const length = (h: History) => Math.max(0, ...h.series.map(s => s.values.length))

type Fold = (all: number[]) => number
export const sum: Fold = all => all.reduce((a, b) => a + b, 0)
export const most: Fold = all => Math.max(...all)

/** folded is one line of all series of a name: their sum, say, where any is known. */
export function folded(h: History, name: string, fold: Fold): (number | null)[] {
  const found = h.series.filter(s => s.name === name)
  return Array.from({ length: length(h) }, (_, i) => {
    const known = found.map(s => s.values[i]).filter((v): v is number => typeof v === 'number')
    return known.length > 0 ? fold(known) : null
  })
}

/** perMinute are counters as per minute. */
export function perMinute(h: History, name: string): (number | null)[] {
  return folded(h, name, sum).map(v => (v === null ? null : (v * minute) / h.step_ms))
}

/** known says that there is anything to draw. */
export const known = (lines: Line[]) => lines.some(l => l.values.some(v => typeof v === 'number'))
