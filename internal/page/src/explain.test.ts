import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { afterAlter, explain, longerDelay, moreLate, quote } from './explain.ts'

// What has to be said, whatever the words: each topic names the things that it keeps apart.
const said: Record<keyof typeof explain, RegExp[]> = {
  late: [/behind the watermark of its source/, /dropped only if/, /operators/],
  sinceRestart: [/begin at 0/, /started again/],
  idleness: [/task is idle while it waits/, /partition is idle when/, /idle timeout/],
  delay: [/behind the clock/, /behind the latest row/, /WATERMARK FOR/],
  split: [/partition of a topic/, /least of those that take part/],
  stream: [/event time/, /everything that was written before it has been processed/, /time lag/],
  shares: [/need not add up to 100/, /add up to 100 %/],
}

test('every explanation says what it is for', () => {
  assert.deepEqual(Object.keys(said).sort(), Object.keys(explain).sort())
  for (const [topic, all] of Object.entries(said))
    for (const part of all) assert.match(explain[topic as keyof typeof explain].text, part, topic)
})

test('who is told to alter a table is told what has to follow', () => {
  assert.match(afterAlter, /as they were when it was made/)
  assert.ok(moreLate.text.includes(afterAlter))
})

test('every explanation stands in a view', () => {
  const views = readdirSync('src', { recursive: true }).map(String).filter(f => f.endsWith('.tsx')).map(f => readFileSync(path.join('src', f), 'utf8')).join('\n')
  for (const topic of Object.keys(explain)) assert.match(views, new RegExp(`topic="${topic}"|explain\\.${topic}\\b`), topic)
})

const strategy = (value: string) => [{ name: 'watermark for ts', value, from: 'WATERMARK clause' }, { name: 'emit', value: 'on-periodic' }]

test('a longer delay as SQL', () => {
  for (const [table, value, want] of [
    ['clicks', "ts - INTERVAL '5' SECOND", "ALTER TABLE `clicks` MODIFY WATERMARK FOR `ts` AS `ts` - INTERVAL '10' SECOND;"],
    ['a.b.my`t', "`the time` - INTERVAL '1' MINUTE", "ALTER TABLE `a`.`b`.`my``t` MODIFY WATERMARK FOR `the time` AS `the time` - INTERVAL '2' MINUTE;"],
    ['t', 'ts', undefined],
    ['t', "ts - INTERVAL '0.5' SECOND", undefined],
    ['t', 'SOURCE_WATERMARK()', undefined],
    ['t', "f(ts) - INTERVAL '1' SECOND - INTERVAL '1' SECOND", undefined],
  ] as const)
    assert.equal(longerDelay({ table, strategy: strategy(value) }), want, value)
  assert.equal(longerDelay({ table: 't', strategy: [] }), undefined)
  assert.equal(quote('a'), '`a`')
})
