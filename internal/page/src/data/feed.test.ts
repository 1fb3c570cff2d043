import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from './ask.ts'
import { Feed, wait, type World } from './feed.ts'

/** Stage is a world whose time goes on when it is told to. */
class Stage implements World {
  time = 0
  seen = true
  asked = 0
  answer: () => unknown = () => ++this.asked
  private timers: { at: number; f: () => void }[] = []
  async ask() {
    return this.answer()
  }
  now = () => this.time
  after(ms: number, f: () => void) {
    const timer = { at: this.time + ms, f }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter(t => t !== timer)
    }
  }
  visible = () => this.seen
  async pass(ms: number) {
    const end = this.time + ms
    for (;;) {
      const next = this.timers.filter(t => t.at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.timers = this.timers.filter(t => t !== next)
      this.time = Math.max(this.time, next.at)
      next.f()
      for (let i = 0; i < 10; i++) await null
    }
    this.time = end
  }
}

test('asks each second while somebody looks', async () => {
  const stage = new Stage()
  const feed = new Feed<number>('/x', stage)
  let told = 0
  const leave = feed.listen(() => told++, 1000)
  await stage.pass(3500)
  assert.equal(stage.asked, 4)
  assert.equal(told, 4)
  assert.equal(feed.picture.data, 4)
  leave()
  await stage.pass(10_000)
  assert.equal(stage.asked, 4)
})

test('the most eager listener says how often', async () => {
  const stage = new Stage()
  const feed = new Feed<number>('/x', stage)
  feed.listen(() => {}, 10_000)
  await stage.pass(1)
  feed.listen(() => {}, 1000)
  await stage.pass(3000)
  assert.equal(stage.asked, 4)
})

test('nobody asks while the page is not seen', async () => {
  const stage = new Stage()
  const feed = new Feed<number>('/x', stage)
  feed.listen(() => {}, 1000)
  await stage.pass(500)
  stage.seen = false
  await stage.pass(20_000)
  assert.equal(stage.asked, 1)
  stage.seen = true
  feed.again()
  await stage.pass(0)
  assert.equal(stage.asked, 2)
})

test('without an answer the last picture stays, and we ask less and less often', async () => {
  const stage = new Stage()
  const feed = new Feed<string>('/x', stage)
  stage.answer = () => 'first'
  feed.listen(() => {}, 1000)
  await stage.pass(500)
  const asked: number[] = []
  stage.answer = () => {
    asked.push(stage.time)
    throw new TypeError('no answer')
  }
  await stage.pass(40_000)
  assert.deepEqual(asked, [1000, 3000, 7000, 15_000, 30_000])
  assert.equal(feed.picture.data, 'first')
  assert.equal(feed.picture.at, 0)
  assert.equal(feed.picture.failing?.since, 1000)
  stage.answer = () => 'second'
  await stage.pass(20_000)
  assert.equal(feed.picture.data, 'second')
  assert.equal(feed.picture.failing, undefined)
})

test('what is gone is not shown', async () => {
  const stage = new Stage()
  const feed = new Feed<string>('/x', stage)
  stage.answer = () => 'first'
  feed.listen(() => {}, 1000)
  await stage.pass(500)
  stage.answer = () => {
    throw new Refused(404, 'resource_not_found', 'it is not there')
  }
  await stage.pass(1000)
  assert.equal(feed.picture.data, undefined)
})

test('an answer that comes when everybody has left is let be', async () => {
  const stage = new Stage()
  const feed = new Feed<string>('/x', stage)
  let give: (text: string) => void = () => {}
  stage.answer = () => new Promise<string>(done => (give = done))
  const leave = feed.listen(() => assert.fail('told'), 1000)
  await stage.pass(0)
  leave()
  give('late')
  await stage.pass(5000)
  assert.equal(feed.picture.data, undefined)
})

test('waits are bounded', () => {
  assert.equal(wait(1000, 0), 1000)
  assert.equal(wait(1000, 3), 8000)
  assert.equal(wait(1000, 99), 15_000)
})

test('an address that tells what has come since is asked for that', async () => {
  const stage = new Stage()
  const paths: string[] = []
  const feed = new Feed<number[]>('/x', { ask: path => (paths.push(path), Promise.resolve([paths.length])), now: stage.now, after: (ms, f) => stage.after(ms, f), visible: stage.visible }, { path: known => `/x?since=${known.at(-1)}`, join: (known, next) => [...known, ...next] })
  const leave = feed.listen(() => {}, 1000)
  await stage.pass(2500)
  leave()
  assert.deepEqual(paths, ['/x', '/x?since=1', '/x?since=2'])
  assert.deepEqual(feed.picture.data, [1, 2, 3])
})
