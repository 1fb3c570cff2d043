// Numbers, spans and moments as text.
import type { Counted } from './api.ts'

export const dash = '–'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** count is a whole number, in threes. */
export const count = (n: number | undefined) => (n === undefined ? dash : whole.format(n))

/** short is a number in at most five characters: 950, 12.3 k, 4.56 M. */
export function short(n: number | undefined): string {
  if (n === undefined) return dash
  const size = Math.abs(n)
  if (size < 999.5) return size > 0 && size < 9.95 && !Number.isInteger(n) ? n.toFixed(1) : n.toFixed(0)
  const units = ['k', 'M', 'G', 'T', 'P']
  let value = n / 1000
  let unit = 0
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${three(value)} ${units[unit]}`
}

const three = (n: number) => (Math.abs(n) < 9.995 ? n.toFixed(2) : Math.abs(n) < 99.95 ? n.toFixed(1) : n.toFixed(0))

/** perMinute is what a counter gains in a minute, as over the last window. */
export const perMinute = (c: Counted | undefined) => short(c?.per_second === undefined ? undefined : c.per_second * 60)

/** bytes are in powers of 1000, as file systems and brokers count. */
export const bytes = (n: number | undefined) => (n === undefined ? dash : n < 999.5 ? `${Math.round(n)} B` : `${short(n)}B`)

const units: [number, string][] = [[86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1000, 's']]

/** span is a length of time in its two largest units; below ten seconds with a tenth. */
export function span(ms: number | undefined): string {
  if (ms === undefined) return dash
  if (ms < 0) return `−${span(-ms)}`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`
  let left = Math.round(ms / 1000) * 1000
  const parts: string[] = []
  for (const [size, unit] of units) {
    const n = Math.floor(left / size)
    if (n === 0 && parts.length === 0) continue
    if (n > 0) parts.push(`${n} ${unit}`)
    left -= n * size
    if (parts.length === 2 || left === 0 || size < 60_000) break
    if (n > 0 && left < (units[units.findIndex(u => u[0] === size) + 1]?.[0] ?? 0)) break
  }
  return parts.join(' ')
}

/** ago is how long a moment is past, roughly. */
export function ago(then: number, now: number): string {
  const s = Math.max(0, Math.round((now - then) / 1000))
  if (s < 5) return 'just now'
  if (s < 60) return `${s} s ago`
  if (s < 3600) return `${Math.floor(s / 60)} min ago`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`
  return `${Math.floor(s / 86_400)} d ago`
}

/** clock is a moment on the clock of whoever looks. */
export function clock(moment: number, now?: number): string {
  const d = new Date(moment)
  const time = d.toTimeString().slice(0, 8)
  if (now !== undefined && new Date(now).toDateString() === d.toDateString()) return time
  return `${day(d)} ${time}`
}

const two = (n: number) => String(n).padStart(2, '0')
const day = (d: Date) => `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`

/** plural is a number and what it counts. */
export const plural = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`
