const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  30 * day,
  90 * day,
  365 * day,
  3650 * day,
]

/** Marks of an axis of time: where they are, in milliseconds, and how far apart. */
export interface Ticks {
  step: number
  at: number[]
}

/** Round moments from low to high, at most so many. */
export function timeTicks(low: number, high: number, most: number): Ticks {
  const step = steps.find(s => (high - low) / s <= Math.max(1, most)) ?? steps[steps.length - 1]!
  const at: number[] = []
  for (let t = Math.ceil(low / step) * step; t <= high && at.length < 200; t += step) at.push(t)
  return { step, at }
}

/** How far behind the clock, as a length; ahead of it with a plus. */
export function behindLabel(t: number): string {
  const ms = Math.abs(t)
  if (ms === 0) return 'now'
  const text = ms < second ? `${ms} ms` : ms < 2 * minute ? `${ms / second} s` : ms < 2 * hour ? `${ms / minute} min` : ms < 2 * day ? `${ms / hour} h` : `${ms / day} d`
  return t > 0 ? `+${text}` : text
}

/** The time of day in UTC, as exactly as the step asks for; the date where steps are days. */
export function tickLabel(t: number, step: number): string {
  const text = new Date(t).toISOString()
  if (step >= day) return text.slice(0, 10)
  if (step >= minute) return text.slice(11, 16)
  if (step >= second) return text.slice(11, 19)
  return text.slice(14, 23)
}
