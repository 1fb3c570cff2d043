import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later } from './index.tsx'
import { decades, joined, place, type Target } from './report.ts'

const target = (on_time_percent: string, delay_ms?: number): Target => ({ on_time_percent, ...(delay_ms !== undefined && { delay_ms }), late: 1, later_ms: 0 })

test('targets that one delay serves are one', () => {
  const all = joined([target('99', 1000), target('99.9', 2000), target('99.99', 2000), target('100')])
  assert.deepEqual(
    all.map(a => [a.delay_ms, a.percents]),
    [
      [1000, ['99']],
      [2000, ['99.9', '99.99']],
      [undefined, ['100']],
    ],
  )
  assert.equal(joined([target('99'), target('100')]).length, 2)
})

test('the axis of lengths', () => {
  assert.equal(place(0, 1000), 0)
  assert.equal(place(1000, 1000), 1)
  assert.ok(place(1, 1000) < place(10, 1000) && place(10, 1000) < place(100, 1000))
  assert.equal(place(5000, 1000), 1)
  assert.deepEqual(decades(1500), [1, 10, 100, 1000])
  assert.deepEqual(decades(0), [1, 10])
})

test('when results come', () => assert.deepEqual([0, 1500, -100].map(later), ['as now', '1.5 s later', '100 ms sooner']))
