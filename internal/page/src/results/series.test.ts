import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from '../api.ts'
import { bars, choose, lines, moment, mostLines } from './series.ts'

const column = (name: string, type: string): Column => ({ name, type: { type, nullable: true } })
const w = column('w', 'TIMESTAMP_WITHOUT_TIME_ZONE')
const k = column('k', 'VARCHAR')
const n = column('n', 'BIGINT')

test('moments with and without zones', () => {
  assert.equal(moment('1970-01-01 00:00:10.000'), 10)
  assert.equal(moment('1970-01-01T00:00:10Z'), 10)
  assert.equal(moment('1970-01-02'), 86_400)
  assert.equal(moment(null), undefined)
  assert.equal(moment('soon'), undefined)
})

test('a line for each key, over all times', () => {
  const got = lines([['1970-01-01 00:00:02', 'a', '5'], ['1970-01-01 00:00:01', 'b', '7'], ['1970-01-01 00:00:01', 'a', '4'], ['1970-01-01 00:00:02', 'a', '6']], 0, 2, 1)
  assert.deepEqual(got, { x: [1, 2], lines: [{ name: 'a', values: [4, 6] }, { name: 'b', values: [7, undefined] }], more: 0 })
})

test('no more lines than can be told apart', () => {
  const rows = Array.from({ length: 9 }, (_, i) => ['1970-01-01 00:00:01', `k${i}`, '1'])
  const got = lines(rows, 0, 2, 1)
  assert.equal(got.lines.length, mostLines)
  assert.equal(got.more, 9 - mostLines)
})

test('bars by size', () => {
  assert.deepEqual(bars([['a', '1'], ['b', '-9'], ['c', null]], 0, 1), [{ name: 'b', value: -9 }, { name: 'a', value: 1 }])
})

test('which columns', () => {
  assert.deepEqual(choose([w, k, n], [['x', 'a', '1']]), { x: 0, y: 2, by: 1 })
  assert.deepEqual(choose([k, n], []), { x: undefined, y: 1, by: 0 })
  assert.deepEqual(choose([w, k, n], Array.from({ length: 50 }, (_, i) => ['x', `k${i}`, '1'])), { x: 0, y: 2, by: undefined })
  assert.equal(choose([k], []), undefined)
})
