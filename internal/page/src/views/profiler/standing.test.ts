import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Partition, Profile, ProfileSource, ProfileTask } from '../../api.ts'
import { waitsFor } from './operators.tsx'
import { percent } from './graph.tsx'
import { unknown } from './bars.tsx'
import { sorted } from './partitions.ts'
import { standings } from './standing.ts'

const task = (task_id: string, inputs: string[], busy: number, backpressured: number) =>
  ({ task_id, input_tasks: inputs.map((id, num) => ({ task_id: id, num })), shares: { busy, backpressured, idle: 0 } }) as unknown as ProfileTask
const source = (name: string, state: string, at?: number) => ({ name, task: name, state, ...(at !== undefined && { mark: { at } }) }) as unknown as ProfileSource
const told = (sources: ProfileSource[], tasks: ProfileTask[]) => Object.fromEntries([...standings({ sources, tasks } as unknown as Profile)].map(([id, all]) => [id, all.map(s => s.kind)]))

test('of sources that wait, the one furthest back holds the watermark', () => {
  assert.deepEqual(told([source('a', 'held', 5), source('b', 'held', 3), source('c', 'moving', 1)], []), { b: ['holds'] })
  assert.deepEqual(told([source('a', 'held', 5), source('b', 'quiet')], []), { b: ['holds'] })
  assert.deepEqual(told([source('a', 'moving', 5), source('b', 'idle', 1), source('c', 'ended')], []), {})
})

test('who is hindered, and by whom', () => {
  const tasks = [task('a', [], 5, 80), task('b', ['a'], 10, 40), task('c', ['b'], 95, 0), task('d', ['b'], 20, 2), task('e', ['c'], 99, 0)]
  assert.deepEqual(told([], tasks), { a: ['pressed'], c: ['slow'] })
  assert.deepEqual(told([], [task('a', [], 5, 9), task('b', ['a'], 95, 0)]), {})
  assert.deepEqual(told([source('a', 'held')], tasks), { a: ['holds', 'pressed'], c: ['slow'] })
})

test('partitions: those that hold, those that take part, the others; the furthest back first', () => {
  const p = (split: string, at: number | undefined, state = 'active', holds = false) => ({ split, state, holds, ...(at !== undefined && { mark: { at } }) }) as unknown as Partition
  const all = [p('t-10', 7), p('t-2', 7), p('t-3', undefined), p('t-4', 1, 'idle'), p('t-5', 5, 'active', true), p('u-1', 2, 'ended')]
  assert.deepEqual(
    sorted(all).map(x => x.split),
    ['t-5', 't-3', 't-2', 't-10', 't-4', 'u-1'],
  )
  assert.deepEqual(
    sorted(all, ' U-').map(x => x.split),
    ['u-1'],
  )
})

test('what an operator waits for is told as the server tells it', () => {
  const at = Date.UTC(2026, 0, 1, 0, 0, 20)
  const due = { at, text: '2026-01-01 00:00:20.000Z', start: at - 10_000, what: 'window', needed_ms: 6200 }
  assert.equal(waitsFor(due), 'the window from 2026-01-01 00:00:10.000Z to 2026-01-01 00:00:20.000Z needs 6.2 s more of event time')
  assert.equal(waitsFor({ at, text: 'T', what: 'session' }), 'the session that ends first, at T, waits for the first watermark')
  assert.equal(waitsFor({ at, text: 'T', what: 'match', needed_ms: 0 }), 'what has begun to match, and is given up at T, is about to leave')
  assert.equal(waitsFor({ at, text: 'T', what: 'rows', needed_ms: 1 }), 'the first row that is held, of T, needs 1 ms more of event time')
})

test('shares', () => {
  assert.deepEqual([undefined, 0, 0.02, 0.4, 0.96, 99.6, 100].map(percent), ['–', '0 %', '<0.1 %', '0.4 %', '1 %', '100 %', '100 %'])
})

test('stretches of which nothing is known', () => {
  assert.deepEqual(unknown([null, null, 1, 0, null, 2, null]), [
    [0, 2],
    [4, 5],
    [6, 7],
  ])
})
