import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../api.ts'
import { cellText, Table } from './table.ts'

function made(changes: string, upsert?: number[], limit = 100): Table {
  const t = new Table(upsert, limit)
  const names = ['+I', '-U', '+U', '-D']
  for (const change of changes.split(/,\s*/)) {
    const [op, ...cells] = change.split(' ')
    t.apply({ op: names.indexOf(op ?? ''), row: cells as Cell[] })
  }
  return t
}
const rows = (t: Table) => t.list().map(r => r.join(' '))

test('rows that are added', () => assert.deepEqual(rows(made('+I a 1, +I b 2')), ['a 1', 'b 2']))
test('a pair of an update keeps the place', () => assert.deepEqual(rows(made('+I a 1, +I b 2, -U a 1, +U a 3')), ['a 3', 'b 2']))
test('a pair that is not finished is a row less', () => {
  const t = made('+I a 1, +I b 2, -U a 1')
  assert.deepEqual(rows(t), ['b 2'])
  assert.equal(t.size, 1)
})
test('an update of another row in between takes no place', () => assert.deepEqual(rows(made('+I a 1, +I b 2, -U a 1, +I c 1, +U a 3')), ['b 2', 'c 1', 'a 3']))
test('a row that is deleted', () => assert.deepEqual(rows(made('+I a 1, +I b 2, -D a 1')), ['b 2']))
test('of equal rows one is deleted', () => assert.deepEqual(rows(made('+I a, +I a, +I a, -D a')), ['a', 'a']))
test('with a key an update alone replaces', () => assert.deepEqual(rows(made('+I a 1, +I b 2, +U a 5', [0])), ['a 5', 'b 2']))
test('with a key a pair replaces', () => assert.deepEqual(rows(made('+I a 1, -U a 1, +U a 5', [0])), ['a 5']))
test('with a key a delete needs the key alone', () => assert.deepEqual(rows(made('+I a 1, +I b 2, -D a 9', [0])), ['b 2']))
test('what is not there cannot be deleted', () => assert.deepEqual(rows(made('-D a, -U b, +U c')), ['c']))
test('the oldest rows go when there are too many', () => {
  const t = made('+I a, +I b, +I c, +I d, -D a', undefined, 2)
  assert.deepEqual(rows(t), ['c', 'd'])
  assert.equal(t.dropped, 2)
})
test('values as text', () => {
  assert.equal(cellText(null), 'NULL')
  assert.equal(cellText(['1', null, ['x']]), '[1, NULL, [x]]')
})
