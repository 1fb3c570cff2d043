import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { kept, Reader } from './reader.ts'

const store = new Map<string, string>()
globalThis.sessionStorage = { getItem: (k: string) => store.get(k) ?? null, setItem: (k: string, v: string) => void store.set(k, v), removeItem: (k: string) => void store.delete(k) } as unknown as Storage

beforeEach(() => {
  store.clear()
  mock.timers.reset()
  mock.timers.enable({ apis: ['setTimeout'] })
})

/** serving answers requests for pages: a page by its token, of so many rows, and the token of the next one. */
function serving(pages: Record<string, { rows: number; next: string } | number>) {
  const asked: string[] = []
  globalThis.fetch = (async (path: string) => {
    const token = new URL(path, 'http://x').searchParams.get('page_token') ?? ''
    asked.push(token)
    const page = pages[token]
    if (page === undefined || typeof page === 'number') return new Response(JSON.stringify({ errors: [{ code: 'x', detail: 'they were read already' }] }), { status: page ?? 410 })
    const data = Array.from({ length: page.rows }, (_, i) => ({ op: 0, row: [`${token}/${i}`] }))
    return new Response(JSON.stringify({ metadata: { next: page.next && `http://elsewhere/x?page_token=${page.next}` }, results: { data } }))
  }) as typeof fetch
  return asked
}

/** pass lets time go on, and what was waited for happen. */
async function pass(ms: number) {
  for (let t = 0; t < ms; t += 50) {
    mock.timers.tick(50)
    await settle()
  }
}
const settle = async () => {
  for (let i = 0; i < 8; i++) await new Promise(done => setImmediate(done))
}
const columns = [{ name: 'a', type: { type: 'VARCHAR', nullable: true } }]

test('pages are read to the end', async () => {
  const asked = serving({ '': { rows: 2, next: '2' }, 2: { rows: 1, next: '3' }, 3: { rows: 0, next: '' } })
  const r = new Reader('s', columns, undefined)
  r.listen(() => {})
  await settle()
  await pass(1000)
  assert.deepEqual(asked, ['', '2', '3'])
  assert.deepEqual([r.came, r.ended, r.table.size], [3, true, 3])
  assert.equal(store.size, 0)
})

test('without rows it asks less and less often', async () => {
  const asked = serving({ '': { rows: 0, next: '0' }, 0: { rows: 0, next: '0' } })
  new Reader('s', columns, undefined).listen(() => {})
  await settle()
  await pass(10_000)
  assert.ok(asked.length > 8 && asked.length < 18, String(asked.length))
})

test('a page that is loaded anew goes on where it was', async () => {
  serving({ '': { rows: 2, next: '2' }, 2: { rows: 0, next: '2' } })
  const leave = new Reader('s', columns, undefined).listen(() => {})
  await settle()
  leave()
  const asked = serving({ 2: { rows: 1, next: '' } })
  const r = new Reader('s', columns, undefined)
  assert.equal(r.resumed, true)
  r.listen(() => {})
  await settle()
  assert.deepEqual(asked, ['2'])
})

test('what was read by others is said, and not asked for again', async () => {
  const asked = serving({ '': 410 })
  const r = new Reader('s', columns, undefined)
  r.listen(() => {})
  await settle()
  await pass(5000)
  assert.deepEqual(asked, [''])
  assert.match(String(r.error?.message), /read already/)
})

test('a server that is busy is asked again', async () => {
  const asked = serving({ '': 503 })
  new Reader('s', columns, undefined).listen(() => {})
  await settle()
  await pass(5000)
  assert.ok(asked.length > 2 && asked.length < 8, String(asked.length))
})

test('nobody is asked while it is paused, or nobody looks', async () => {
  const asked = serving({ '': { rows: 1, next: '1' }, 1: { rows: 1, next: '1' } })
  const r = new Reader('s', columns, undefined)
  const leave = r.listen(() => {})
  await settle()
  r.pause(true)
  const before = asked.length
  await pass(3000)
  assert.equal(asked.length, before)
  r.pause(false)
  await settle()
  assert.ok(asked.length > before)
  leave()
  const then = asked.length
  await pass(3000)
  assert.equal(asked.length, then)
})

test('no more changes are kept than there is room for', async () => {
  serving({ '': { rows: kept - 1, next: '1' }, 1: { rows: 3, next: '' } })
  const r = new Reader('s', columns, undefined)
  r.listen(() => {})
  await settle()
  await pass(200)
  assert.equal(r.came, kept + 2)
  assert.equal(r.changes.length, kept)
  assert.deepEqual(r.changes.at(-1)?.row, ['1/2'])
  assert.equal(r.table.size, kept)
})
