import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Timeline, TimelineMark, TimelineSpell } from '../../api.ts'
import { join, sinceOf } from './join.ts'

/** A source as it is, told as the server tells it from a moment on. */
const marks: TimelineMark[] = [
  { at: 1000, event: null },
  { at: 2000, event: 1500 },
  { at: 9000, event: 8000 },
  { at: 11_500, event: 11_000 },
]
const rows = [1500, 2500, 9500, 11_000, 12_500].map(at => ({ at, event: at - 100 }))
const spells: TimelineSpell[] = [
  { state: 'idle', from: 3000, to: 5000 },
  { state: 'paused', from: 8500, to: 10_500 },
  { state: 'idle', from: 11_800 },
]
const firings = [3000, 9900, 12_000].map(at => ({ at, operator_id: 'w', start: at - 2000, end: at - 1000, rows: 1 }))

function told(at: number, since = 0): Timeline {
  const from = Math.max(since, 1000)
  const seen = <T extends { at: number }>(all: T[]) => all.filter(x => x.at >= from && x.at <= at)
  const before = marks.findLast(m => m.at < from)
  const inForce = [...(before ? [{ at: from, event: before.event }] : []), ...seen(marks)]
  const open = spells.filter(s => s.from <= at && (s.to ?? Infinity) > from).map(s => ({ state: s.state, from: Math.max(s.from, from), ...(s.to && s.to <= at && { to: s.to }) }))
  return {
    api_version: '',
    kind: '',
    at,
    running: true,
    from,
    marks: inForce,
    firings: seen(firings),
    sources: [{ name: 't', instant: true, marks: inForce, splits: [{ name: 't-0', rows: seen(rows), marks: inForce, spells: open }] }],
  }
}

test('a timeline in pieces is the timeline', () => {
  let known = told(2100)
  for (let at = 2600; at <= 14_000; at += 500) {
    known = join(known, told(at, sinceOf(known)))
    assert.deepEqual(known, told(at), `at ${at}`)
  }
})

test('a window that goes on to fire is told once', () => {
  const known = told(10_000)
  const next = told(12_500, sinceOf(known))
  next.firings[0] = { ...firings[1]!, at: 12_100, rows: 5 }
  assert.deepEqual(
    join(known, next).firings.map(f => [f.at, f.rows]),
    [
      [3000, 1],
      [12_100, 5],
      [12_000, 1],
    ],
  )
})

test('what is of another run is forgotten', () => {
  const known = told(5000)
  assert.equal(join(known, { ...told(14_000), from: 12_000 }).from, 12_000)
  const stopped = { ...told(6000, 3000), running: false, sources: [] }
  assert.deepEqual(join(known, stopped), stopped)
  assert.deepEqual(join(stopped, told(9000, 4000)), told(9000, 4000))
})

test('what is older than ten minutes goes, but for the mark in force', () => {
  const known = told(14_000)
  const next = join(known, { ...told(14_000, sinceOf(known)), at: 610_000 })
  assert.equal(next.from, 10_000)
  assert.deepEqual(next.marks, marks.slice(2))
  assert.deepEqual(next.sources[0]!.splits[0]!.rows, rows.slice(3))
  assert.deepEqual(next.firings, firings.slice(2))
  assert.deepEqual(next.sources[0]!.splits[0]!.spells, spells.slice(1))
})
