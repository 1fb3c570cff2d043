import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight'
import { dialectOf, flink, yql } from './dialect.ts'

const classes = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: [tags.typeName, tags.standard(tags.name)], class: 'type' },
  { tag: [tags.string, tags.special(tags.string)], class: 'string' },
])

/** coloured are the parts of a text that have a colour. */
function coloured(text: string): string[] {
  const parts: string[] = []
  highlightCode(text, dialectOf(text).language.parser.parse(text), classes, (part, name) => { if (name) parts.push(`${name} ${part}`) }, () => {})
  return parts
}

test('a text has the colours of its language', () => {
  for (const [text, want] of [
    ['SELECT "a" FROM t', flink], ['CREATE TABLE t (a STRING); SELECT a FROM t', flink], ['', flink],
    ['$x = SELECT 1; SELECT * FROM $x', yql], ['CREATE TABLE t (a STRING); CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO o SELECT a FROM t; END DO', yql], ['PRAGMA ydb.DisableCheckpoints', yql],
    ['computations:\n  a: {}\n', flink],
  ] as const)
    assert.equal(dialectOf(text), want, text)
  assert.deepEqual(coloured('CREATE STREAMING QUERY q AS DO BEGIN INSERT INTO o SELECT CAST("a\\"b" AS Utf8); END DO').slice(-5), ['keyword AS', 'type Utf8', 'keyword END', 'keyword DO'].toSpliced(0, 0, 'string "a\\"b"'))
  assert.deepEqual(coloured('SELECT "a"'), ['keyword SELECT'])
})
