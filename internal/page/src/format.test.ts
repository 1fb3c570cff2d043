import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, bytes, count, perMinute, plural, short, span } from './format.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test('short numbers', () => {
  for (const [n, want] of [[0, '0'], [0.25, '0.3'], [7, '7'], [999, '999'], [999.6, '1.00 k'], [1000, '1.00 k'], [12_345, '12.3 k'], [99_960, '100 k'], [999_999, '1.00 M'], [4_560_000, '4.56 M'], [-1500, '-1.50 k']] as const)
    assert.equal(short(n), want, String(n))
  assert.equal(short(undefined), '–')
})
test('counts in threes', () => assert.equal(count(1_234_567), '1,234,567'))
test('a rate that is not known is no zero', () => {
  assert.equal(perMinute(undefined), '–')
  assert.equal(perMinute({ total: 5 }), '–')
  assert.equal(perMinute({ total: 5, per_second: 0 }), '0')
  assert.equal(perMinute({ total: 5, per_second: 2.5 }), '150')
})
test('bytes', () => assert.deepEqual([bytes(12.7), bytes(1000), bytes(undefined)], ['13 B', '1.00 kB', '–']))
test('spans in two units', () => {
  for (const [ms, want] of [[0, '0 ms'], [999, '999 ms'], [1500, '1.5 s'], [12 * second, '12 s'], [minute, '1 min'], [61 * second, '1 min 1 s'], [hour, '1 h'], [hour + 5 * second, '1 h'], [hour + 2 * minute, '1 h 2 min'], [3 * day + 4 * hour, '3 d 4 h'], [-90 * second, '−1 min 30 s']] as const)
    assert.equal(span(ms), want, String(ms))
})
test('ago', () => {
  assert.deepEqual([0, 30 * second, 59 * minute, 23 * hour, 50 * hour].map(d => ago(0, d)), ['just now', '30 s ago', '59 min ago', '23 h ago', '2 d ago'])
})
test('plurals', () => assert.deepEqual([plural(1, 'row'), plural(2, 'row'), plural(1000, 'is', 'are')], ['1 row', '2 rows', '1,000 are']))
