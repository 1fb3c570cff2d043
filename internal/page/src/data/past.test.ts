import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { History } from '../api.ts'
import { address, folded, known, most, perMinute, spanOf, sum, times } from './past.ts'

const h = {
  from: 600_000,
  step_ms: 120_000,
  series: [
    { name: 'max_input_lateness_ms', labels: { table: 'a' }, values: [700, null, 900] },
    { name: 'max_input_lateness_ms', labels: { table: 'b' }, values: [650, null, 2000] },
    { name: 'num_records_in', values: [100, null, 20] },
    { name: 'pending_records', labels: { table: 'a' }, values: [1, null, 2] },
    { name: 'pending_records', labels: { table: 'b' }, values: [null, null, 3] },
  ],
} as unknown as History

test('what a step says is so at its end', () => assert.deepEqual(times(h), [720, 840, 960]))
test('series of several tables are one line', () => {
  assert.deepEqual(folded(h, 'pending_records', sum), [1, null, 5])
  assert.deepEqual(folded(h, 'max_input_lateness_ms', most), [700, null, 2000])
  assert.deepEqual(folded(h, 'nothing', sum), [null, null, null])
})
test('counters per minute', () => assert.deepEqual(perMinute(h, 'num_records_in'), [50, null, 10]))
test('known', () => {
  assert.equal(known([{ name: '', values: [null] }]), false)
  assert.equal(known([{ name: '', values: [null, 0] }]), true)
})
test('the address stays the same until a step is over', () => {
  const at = (now: number) => address('x', spanOf('1 h'), now, ['input_delay_ms', 'num_restarts'])
  assert.equal(at(1), at(60_000))
  assert.notEqual(at(60_000), at(60_001))
  assert.match(at(60_001), /\/statements\/x\/history\?from=-3480000&to=120000&step=60000&series=input_delay_ms,num_restarts$/)
})
