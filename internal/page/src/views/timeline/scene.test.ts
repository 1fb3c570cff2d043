import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Timeline, TimelineRow } from '../../api.ts'
import { eventsOf, summaryOf } from './events.ts'
import { fitting } from './index.tsx'
import { firstFrom, inForce, level, markAt, sceneOf, spellAt, splitKey } from './scene.ts'
import { behindLabel, tickLabel, timeTicks } from './ticks.ts'

const noon = Date.UTC(2026, 0, 1, 12)
const at = (seconds: number) => noon + seconds * 1000
const row = (came: number, event: number, late = false): TimelineRow => ({ at: at(came), event: at(event), ...(late && { late }) })

const told: Timeline = {
  api_version: '',
  kind: '',
  at: at(60),
  running: true,
  from: at(-100),
  sources: [
    {
      name: 't',
      instant: true,
      marks: [
        { at: at(-10), event: at(-12) },
        { at: at(20), event: at(18) },
      ],
      splits: [
        {
          name: 't-0',
          rows: [row(-20, -21), row(5, 4), row(21, 12, true), row(30, 29)],
          marks: [
            { at: at(-20), event: null },
            { at: at(-10), event: at(-12) },
            { at: at(20), event: at(18) },
          ],
          spells: [],
        },
        {
          name: 't-1',
          rows: [row(6, 6)],
          marks: [{ at: at(6), event: at(4) }],
          spells: [
            { state: 'idle', from: at(10), to: at(40) },
            { state: 'paused', from: at(50) },
          ],
        },
      ],
    },
  ],
  firings: [
    { at: at(-5), operator_id: 'w', start: at(-40), end: at(-30), rows: 9 },
    { at: at(20), operator_id: 'w', start: at(0), end: at(10), rows: 2 },
  ],
  marks: [
    { at: at(-10), event: at(-12) },
    { at: at(20), event: at(18) },
  ],
}
const view = { from: at(0), to: at(60) }

test('a mark is in force until the next', () => {
  assert.deepEqual(inForce(told.marks, view), [
    { at: at(0), event: at(-12) },
    { at: at(20), event: at(18) },
  ])
  assert.deepEqual(inForce([], view), [])
  assert.deepEqual(inForce([{ at: at(0), event: 1 }], view), [{ at: at(0), event: 1 }])
  assert.equal(markAt(told.marks, at(-11)), undefined)
  assert.equal(markAt(told.marks, at(19)), at(-12))
  assert.equal(markAt(told.marks, at(20)), at(18))
  assert.equal(firstFrom([], 1), 0)
})

test('what is in view', () => {
  const s = sceneOf(told, view, new Set())
  assert.equal(s.rows, 4)
  assert.equal(s.late, 1)
  assert.deepEqual(
    s.splits.map(x => x.rows.length),
    [3, 1],
  )
  assert.deepEqual(
    s.windows.map(w => [w.firing.end, w.opened]),
    [[at(10), at(5)]],
  )
  assert.equal(spellAt(told.sources[0]!.splits[1]!.spells, at(39)), 'idle')
  assert.equal(spellAt(told.sources[0]!.splits[1]!.spells, at(40)), 'active')
  assert.equal(spellAt(told.sources[0]!.splits[1]!.spells, at(55)), 'paused')
  const without = sceneOf(told, view, new Set([splitKey('t', 't-0')]))
  assert.deepEqual([without.rows, without.late, without.splits[0]!.color], [1, 0, 1])
})

test('one row from another year does not flatten the picture', () => {
  const rows = Array.from({ length: 300 }, (_, i) => row(i / 5, i / 5 - 1))
  const of = (more: TimelineRow[]) => {
    const all = [...rows, ...more].sort((a, b) => a.at - b.at)
    return sceneOf({ ...told, marks: [], firings: [], sources: [{ name: 't', instant: true, marks: [], splits: [{ name: 'x', rows: all, marks: [], spells: [] }] }] }, view, new Set()).range
  }
  const plain = of([])
  assert.ok(plain.low < at(0) && plain.low > at(-10) && plain.high > at(58) && plain.high < at(70))
  assert.deepEqual(of([row(30, -1e8)]), plain)
  const near = of([row(30, -20)])
  assert.ok(near.low < at(-20) && near.low > at(-40), 'a row that is near is shown')
})

test('a split that was left out long ago does not flatten it either', () => {
  const rows = Array.from({ length: 60 }, (_, i) => row(i, i - 1))
  const of = (from: number) =>
    sceneOf(
      {
        ...told,
        marks: [
          { at: at(0), event: at(-2) },
          { at: at(50), event: at(48) },
        ],
        firings: [],
        sources: [
          {
            name: 't',
            instant: true,
            marks: [],
            splits: [
              { name: 'a', rows, marks: [], spells: [] },
              { name: 'b', rows: [], marks: [{ at: at(-3000), event: at(-3010) }], spells: [{ state: 'idle', from: at(from) }] },
            ],
          },
        ],
      },
      view,
      new Set(),
    ).range
  assert.ok(of(-2900).low > at(-10), 'left out before the view begins')
  assert.ok(of(30).low < at(-3000), 'it held the watermark in view')
})

test('the axis of how far behind', () => {
  assert.equal(level('event', at(3), at(5)), at(3))
  assert.equal(level('behind', at(3), at(5)), -2000)
  const s = sceneOf(told, view, new Set(), [], 'behind')
  assert.ok(s.range.high >= 0 && s.range.low <= -56_000, 'the watermark of 18 s is 42 s behind at the end, and that of t-1 56 s')
})

test('nothing to be seen is no fault', () => {
  const s = sceneOf({ ...told, sources: [], firings: [], marks: [] }, view, new Set())
  assert.deepEqual(s.range, { low: view.from, high: view.to })
  assert.equal(summaryOf(s), 'In 60 s: 0 rows shown, 0 of them late; 0 windows fired. There is no watermark yet.')
})

test('what happened, in words', () => {
  const s = sceneOf(told, view, new Set())
  assert.deepEqual(
    eventsOf(s, 10).map(e => e.what),
    [
      't-1 was paused',
      't-1 took part again, after 30 s',
      'late row of t-0, of 12:00:12.000, 6.0 s behind the watermark',
      'window 12:00:00.000 to 12:00:10.000 fired: 2 rows',
      't-1 turned idle',
    ],
  )
  assert.equal(eventsOf(s, 2).length, 2)
  assert.equal(
    summaryOf(s),
    'In 60 s: 4 rows shown, 1 of them late; 1 window fired. The watermark is at 12:00:18.000, 11 s behind the newest row. It has stood still for 40 s. t-1 is paused, since 12:00:50.',
  )
})

test('the span that is shown first has something in it', () => {
  assert.equal(fitting(undefined), 1)
  assert.equal(fitting(told), 1)
  assert.equal(fitting({ ...told, at: at(200) }), 5)
  assert.equal(fitting({ ...told, at: at(400) }), 10)
})

test('marks of axes are round', () => {
  assert.deepEqual(timeTicks(at(1), at(59), 6), { step: 10_000, at: [10, 20, 30, 40, 50].map(at) })
  assert.deepEqual(timeTicks(0, 0, 5).at, [0])
  assert.ok(timeTicks(0, 1e15, 5).at.length <= 200)
  assert.equal(tickLabel(at(5), 1000), '12:00:05')
  assert.equal(tickLabel(at(5), 60_000), '12:00')
  assert.equal(tickLabel(noon, 86_400_000), '2026-01-01')
  assert.equal(tickLabel(at(0.25), 50), '00:00.250')
  assert.deepEqual([0, -500, -15_000, -300_000, 5000, -7_200_000 * 2].map(behindLabel), ['now', '500 ms', '15 s', '5 min', '+5 s', '4 h'])
})
