import assert from 'node:assert/strict'
import { test } from 'node:test'
import { below, refusal, statementPath, within } from './ask.ts'

test('why a server refuses, in its words or in ours', () => {
  const told = refusal(409, JSON.stringify({ errors: [{ id: '', status: '409', code: 'resource_already_exists', title: '', detail: 'there is one' }] }))
  assert.deepEqual([told.status, told.code, told.message], [409, 'resource_already_exists', 'there is one'])
  for (const body of ['<html>Bad gateway</html>', '', '{}', '{"errors":[]}']) assert.equal(refusal(502, body).message, 'the server answers 502')
})

test('paths', () => {
  assert.equal(statementPath('a/b', '/why'), '/sql/v1/organizations/-/environments/-/statements/a%2Fb/why')
  assert.equal(within('my org', 'e'), '/sql/v1/organizations/my%20org/environments/e')
  assert.equal(below('https://sql.example.com/sql/v1/x?page_token=1&a=b'), '/sql/v1/x?page_token=1&a=b')
})
