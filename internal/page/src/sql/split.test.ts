import assert from 'node:assert/strict'
import { test } from 'node:test'
import cases from './cut.json' with { type: 'json' }
import { type Language, declaredBefore, definedBefore, jobs, pieceAt, setting, settingsBefore, split } from './split.ts'

const more: [string, string, string[]][] = [
  ['one without semicolon', 'SELECT 1', ['SELECT 1']],
  ['two', 'SELECT 1; SELECT 2;', ['SELECT 1', 'SELECT 2']],
  ['nothing', ' ;; -- no\n ; /* ; */', []],
  ['semicolon in a string', "SELECT ';' ; SELECT 'it''s;'", ["SELECT ';'", "SELECT 'it''s;'"]],
  ['semicolon in a name', 'SELECT `a;``b;` FROM t; SELECT 2', ['SELECT `a;``b;` FROM t', 'SELECT 2']],
  ['comments around and within', '-- ; first\nSELECT 1 /* ; */ + 2; -- end', ['SELECT 1 /* ; */ + 2']],
  ['open string', "SELECT 'a; SELECT 2", ["SELECT 'a; SELECT 2"]],
  ['open comment', 'SELECT 1 /* ; SELECT 2', ['SELECT 1']],
  ['statement set', 'EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END; SELECT 3', ['EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END', 'SELECT 3']],
  ['the older spelling', 'begin statement set; insert into a select 1; end; select 3', ['begin statement set; insert into a select 1; end', 'select 3']],
  ['explained set', 'EXPLAIN EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END; SELECT 3', ['EXPLAIN EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; END', 'SELECT 3']],
  ['CASE … END in a set', "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN x THEN 1 END; INSERT INTO b SELECT 2; END; SELECT 3", ["EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN x THEN 1 END; INSERT INTO b SELECT 2; END", 'SELECT 3']],
  ['letters beyond ASCII', 'SELECT größe FROM t; SELECT 2', ['SELECT größe FROM t', 'SELECT 2']],
]

for (const [name, text, want] of more)
  test(`split: ${name}`, () => {
    const got = split(text)
    assert.deepEqual(got.map(p => p.text), want)
    for (const p of got) assert.equal(text.slice(p.from, p.to), p.text)
  })

test('a SET goes with the statements behind it', () => {
  const all = jobs("SELECT 1; SET 'a' = '1'; SELECT 2; set 'a'='it''s'; SELECT 3", { b: 'x' })
  assert.deepEqual(all.map(j => [j.text, j.properties]), [
    ['SELECT 1', { b: 'x' }],
    ['SELECT 2', { b: 'x', a: '1' }],
    ['SELECT 3', { b: 'x', a: "it's" }],
  ])
})

test('what is no setting is a statement', () => {
  for (const text of ['SET', "SET a = 1", "RESET 'a'", "SELECT 'a' = 'b'"]) assert.equal(setting(text), undefined)
})

test('the statement at the cursor', () => {
  const text = "SET 'a' = '1'; SELECT 1;\nSELECT 2 "
  assert.equal(pieceAt(text, 0)?.text, "SET 'a' = '1'")
  assert.equal(pieceAt(text, 18)?.text, 'SELECT 1')
  assert.equal(pieceAt(text, text.length)?.text, 'SELECT 2')
  assert.equal(pieceAt('  ', 1), undefined)
  assert.deepEqual(settingsBefore(text, 18, {}), { a: '1' })
})

test('what is declared before a statement', () => {
  const text = "SET 'a' = '1'; CREATE TABLE t (x INT); INSERT INTO t VALUES (1); create view v as select 1; SELECT 1; CREATE TABLE u (x INT)"
  assert.equal(declaredBefore(text, text.indexOf('SELECT 1;')), 'CREATE TABLE t (x INT);\ncreate view v as select 1;\n')
  assert.equal(declaredBefore(text, 3), '')
})

// The same cases as those of internal/language.
for (const c of cases)
  test(`split as the server does: ${c.name}`, () => {
    const got = split(c.text, c.language as Language)
    assert.deepEqual(got.map(({ yql, text, ended }) => ({ yql, text, ended })), c.pieces)
    for (const p of got) assert.equal(c.text.slice(p.from, p.to), p.text)
  })

test('definitions go with the statements behind them', () => {
  const text = "$a = 1; SELECT $a; SHOW TABLES; PRAGMA b.c; SELECT 2"
  assert.deepEqual(jobs(text, {}).map(j => j.text), ['$a = 1;\nSELECT $a', 'SHOW TABLES', '$a = 1;\nPRAGMA b.c;\nSELECT 2'])
  assert.equal(definedBefore(text, text.indexOf('SELECT $a')), '$a = 1;\n')
  assert.equal(definedBefore(text, text.indexOf('SHOW')), '')
})

test('the language of the properties', () => {
  assert.deepEqual(jobs("SELECT 'it\\'s;'; SELECT 2", { 'sql.language': 'yql' }).map(j => j.text), ["SELECT 'it\\'s;'", 'SELECT 2'])
})

test('a spec is one statement', () => {
  const spec = 'computations:\n  a: {parameters: {query: "SELECT 1; SELECT 2"}}\n'
  assert.deepEqual(split(spec).map(p => p.text), [spec])
})
