import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parted } from './severity.ts'

const said = (severity: string) => ({ severity, created_at: '', reason: '', message: severity })

test('advice is no warning', () => {
  const { warnings, advice } = parted(['LOW', 'CRITICAL', 'MODERATE', ''].map(said))
  assert.deepEqual(warnings.map(w => w.severity), ['CRITICAL', 'MODERATE', ''])
  assert.deepEqual(advice.map(w => w.severity), ['LOW'])
})
