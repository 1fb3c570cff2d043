import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Statement } from '../api.ts'
import { remembered } from './kept.ts'
import { freshName, numbered, Runs, settled } from './runs.ts'

const statement = (phase: string, sql_kind?: string, is_bounded = false): Statement =>
  ({ name: 'x', status: { phase, detail: '', ...(sql_kind && { traits: { sql_kind, is_bounded, is_append_only: true } }) }, spec: { statement: '', stopped: false }, metadata: {} }) as unknown as Statement

test('when the next statement may begin', () => {
  assert.equal(settled(statement('PENDING')), false)
  assert.equal(settled(statement('COMPLETED', 'CREATE_TABLE', true)), true)
  assert.equal(settled(statement('FAILED')), true)
  assert.equal(settled(statement('RUNNING', 'INSERT_INTO', true)), false)
  assert.equal(settled(statement('RUNNING', 'INSERT_INTO', false)), true)
  assert.equal(settled(statement('RUNNING', 'SELECT', true)), true) // whoever reads its rows ends it
})

test('names are as a server takes them', () => {
  const name = freshName(new Date('2026-01-02T03:04:05Z'), 0.5)
  assert.match(name, /^page-20260102-030405-[a-z0-9]{4}$/)
  assert.deepEqual([0, 1, 2].map(i => numbered('x', i)), ['x', 'x-2', 'x-3'])
})

test('a text that was run is remembered once, and not too many are', () => {
  let all = remembered([], 'a', 1)
  all = remembered(all, 'b', 2)
  all = remembered(all, 'a', 3)
  assert.deepEqual(all, [{ text: 'a', at: 3 }, { text: 'b', at: 2 }])
  for (let i = 0; i < 80; i++) all = remembered(all, `t${i}`, i)
  assert.equal(all.length, 50)
  assert.equal(all[0]?.text, 't79')
})

/** answering lets fetch answer from a list, by method and name. */
function answering(answers: Record<string, { status: number; body: unknown }>) {
  const asked: string[] = []
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    const name = init.method === 'POST' ? JSON.parse(String(init.body)).name : path.split('/').at(-1)
    asked.push(`${init.method} ${name}`)
    const a = answers[`${init.method} ${name}`]
    return new Response(JSON.stringify(a?.body ?? { errors: [{ code: 'x', detail: 'not told' }] }), { status: a?.status ?? 404 })
  }) as typeof fetch
  return asked
}

const job = (text: string) => ({ text, from: 0, to: text.length, properties: {} })
const order = { name: 'a', labels: {}, place: { organization: 'o', environment: 'e' } }

test('one after the other, and none behind one that failed', async () => {
  const asked = answering({
    'POST a': { status: 201, body: statement('PENDING') },
    'GET a': { status: 200, body: statement('COMPLETED', 'CREATE_TABLE', true) },
    'POST a-2': { status: 201, body: statement('FAILED') },
  })
  const runs = new Runs()
  await runs.start([job('one'), job('two'), job('three')], order)
  assert.deepEqual(asked, ['POST a', 'GET a', 'POST a-2'])
  assert.deepEqual(runs.list.map(r => r.state), ['made', 'made', 'left'])
  assert.equal(runs.busy, false)
})

test('what a server refuses is said', async () => {
  answering({ 'POST a': { status: 409, body: { errors: [{ code: 'resource_already_exists', detail: 'there is one' }] } } })
  const runs = new Runs()
  await runs.start([job('one'), job('two')], order)
  assert.deepEqual(runs.list.map(r => [r.state, r.error]), [['failed', 'there is one'], ['left', undefined]])
})
