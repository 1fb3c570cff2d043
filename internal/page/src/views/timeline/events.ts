import type { TimelineRow } from '../../api.ts'
import { isTime, markAt, type Scene, type SceneSplit } from './scene.ts'

/** Something that has happened, for who does not look at the picture. */
export interface Event {
  at: number
  what: string
}

/** The time of day in UTC with milliseconds. */
export const clock = (at: number) => (isTime(at) ? new Date(at).toISOString().slice(11, 23) : at > 0 ? 'the end of time' : 'none')

const length = (ms: number) => (Math.abs(ms) < 9950 ? `${(ms / 1000).toFixed(1)} s` : Math.abs(ms) < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`)

/** What has happened in a scene, the newest first: windows that fired, splits that took no part, late rows. */
export function eventsOf(scene: Scene, most: number): Event[] {
  const out: Event[] = []
  const add = (at: number, what: string) => {
    if (at >= scene.view.from && at <= scene.view.to) out.push({ at, what })
  }
  for (const { firing: f } of scene.windows)
    add(f.at, f.start == null ? `what ends at ${clock(f.end)} was complete: ${count(f.rows, 'row')}` : `window ${clock(f.start)} to ${clock(f.end)} fired: ${count(f.rows, 'row')}`)
  for (const split of scene.splits) {
    for (const s of split.spells) {
      add(s.from, s.state === 'paused' ? `${split.name} was paused` : `${split.name} turned idle`)
      if (s.to) add(s.to, `${split.name} took part again, after ${length(s.to - s.from)}`)
    }
    if (split.late === 0) continue
    for (const r of split.rows) if (r.late) add(r.at, `late row of ${split.name}, of ${clock(r.event)}${lateBy(split, r)}`)
  }
  return out.sort((a, b) => b.at - a.at).slice(0, most)
}

/** By how much a row was behind the watermark, as the rest of a sentence. */
export function lateBy(split: SceneSplit, row: TimelineRow): string {
  const mark = markAt(split.behind, row.at)
  return isTime(mark) && mark >= row.event ? `, ${length(mark - row.event)} behind the watermark` : ''
}

/** The picture in a few sentences. */
export function summaryOf(scene: Scene): string {
  const rows = scene.splits.reduce((n, s) => n + s.rows.length, 0)
  const out = [`In ${length(scene.view.to - scene.view.from)}: ${count(rows, 'row')} shown, ${scene.late} of them late; ${count(scene.windows.length, 'window')} fired.`]
  const mark = scene.marks.at(-1)?.event
  if (mark == null) out.push('There is no watermark yet.')
  else if (!isTime(mark)) out.push('The input has ended.')
  else {
    const newest = Math.max(...scene.splits.map(s => s.rows.at(-1)?.event ?? -Infinity))
    out.push(`The watermark is at ${clock(mark)}${newest > mark ? `, ${length(newest - mark)} behind the newest row` : ''}.`)
  }
  const since = [...scene.marks].reverse().findIndex(m => m.event !== mark)
  const still = since > 0 ? scene.marks[scene.marks.length - since]! : scene.marks[0]
  if (mark != null && isTime(mark) && still && scene.view.to - still.at > 5000) out.push(`It has stood still for ${length(scene.view.to - still.at)}.`)
  for (const s of scene.splits) {
    const now = s.spells.find(x => !x.to)
    if (now) out.push(`${s.name} is ${now.state}, since ${clock(now.from).slice(0, 8)}.`)
  }
  return out.join(' ')
}

const count = (n: number, what: string) => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`
