import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WhySource } from '../../api.ts'
import { left, sentence, title } from './words.ts'

const source = (name: string, state: string, holders: [string, string][] = [], more = 0): WhySource => ({
  name,
  table: name,
  state,
  holds: true,
  text: '',
  more,
  holders: holders.map(([split, doing]) => ({ split, doing, since: '', rows: 0 })),
})

test('the title names who is waited for', () => {
  assert.equal(title([source('t', 'moving', [['t-0', 'reading']])]), 'The watermark moves')
  assert.equal(
    title([
      source('t', 'held', [
        ['t-1', 'silent'],
        ['t-0', 'reading'],
      ]),
    ]),
    'Why is this waiting? For t-1',
  )
  assert.equal(
    title([
      source(
        't',
        'held',
        [
          ['t-1', 'empty'],
          ['t-2', 'empty'],
        ],
        7,
      ),
    ]),
    'Why is this waiting? For t-1 and 8 more',
  )
  assert.equal(title([source('t', 'awaited'), source('u', 'quiet'), source('v', 'idle')]), 'Why is this waiting? For t, u and v')
})

test('words', () => {
  assert.equal(sentence('the end'), 'The end.')
  assert.equal(sentence('why?'), 'Why?')
  assert.equal(left(500, 200), 300)
  assert.equal(left(500, 900), 0)
})
