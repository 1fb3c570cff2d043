import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut, pathOf, type Node } from './layout.ts'

const size = { width: 100, height: 50, across: 40, down: 20 }
const nodes = (text: string): Node[] =>
  text.split(' ').map(part => {
    const [id, inputs] = part.split('<')
    return { id: id!, inputs: inputs ? inputs.split('') : [] }
  })

for (const [name, text] of [
  ['a chain', 'a b<a c<b'],
  ['a join', 'a b c<ab d<c'],
  ['an edge past a column', 'a b<a c<b d<ac'],
  ['inputs that come later in the list', 'c<ab a b<a'],
  ['a self-join', 'a b<aa'],
  ['two statements in one', 'a b<a c d<c'],
  ['an input that nobody knows', 'a<x b<a'],
  ['a circle', 'a<b b<a'],
] as const)
  test(`layout of ${name}: boxes are apart, and edges go to the right`, () => {
    const all = nodes(text)
    const l = layOut(all, size)
    assert.deepEqual(l.boxes.map(b => b.id).sort(), all.map(n => n.id).sort())
    for (const a of l.boxes) {
      assert.ok(a.x >= 0 && a.x + size.width <= l.width && a.y >= 0 && a.y + size.height <= l.height, `${a.id} lies outside`)
      for (const b of l.boxes) if (a !== b) assert.ok(a.x + size.width <= b.x || b.x + size.width <= a.x || a.y + size.height <= b.y || b.y + size.height <= a.y, `${a.id} lies on ${b.id}`)
    }
    for (const e of l.edges) for (let i = 1; i < e.points.length; i++) assert.ok(e.points[i]!.x > e.points[i - 1]!.x)
  })

test('an edge past a column goes by its boxes', () => {
  const l = layOut(nodes('a b<a c<b d<ac'), size)
  const past = l.edges.find(e => e.from === 'a' && e.to === 'd')!
  assert.equal(past.points.length, 6)
  for (const p of past.points.slice(1, -1)) for (const b of l.boxes) assert.ok(p.x < b.x || p.x > b.x + size.width || p.y <= b.y || p.y >= b.y + size.height, `goes through ${b.id}`)
  assert.match(pathOf(past), /^M100 [\d.]+C.*L.*C.*$/)
})

test('two sources of a join do not cross', () => {
  const l = layOut(nodes('a b c<a d<b e<cd'), size)
  const y = (id: string) => l.boxes.find(b => b.id === id)!.y
  assert.equal(Math.sign(y('a') - y('b')), Math.sign(y('c') - y('d')))
})
