import assert from 'node:assert/strict'
import { test } from 'node:test'
import { route, toAdvice, toStatement } from './router.ts'

test('addresses', () => {
  for (const [path, want] of [
    ['/', { view: 'list' }],
    ['/new', { view: 'new' }],
    ['/statements/a-b', { view: 'statement', name: 'a-b', tab: 'overview' }],
    ['/statements/a-b/profiler', { view: 'statement', name: 'a-b', tab: 'profiler' }],
    ['/statements/a%2Fb', { view: 'statement', name: 'a/b', tab: 'overview' }],
    ['/statements/%zz', { view: 'statement', name: '%zz', tab: 'overview' }],
    ['/statements/a/nothing', { view: 'nowhere' }],
    ['/statements/a/profiler/more', { view: 'nowhere' }],
    ['/statements', { view: 'nowhere' }],
    ['/new/x', { view: 'nowhere' }],
  ] as const)
    assert.deepEqual(route(path), want, path)
})

test('an address that was made is understood', () => {
  for (const name of ['a', 'a/b', 'a b%', 'ü'])
    for (const tab of ['overview', 'results', 'exceptions'] as const) assert.deepEqual(route(toStatement(name, tab)), { view: 'statement', name, tab })
  assert.equal(toAdvice('s', 'my table'), '/statements/s/advice?table=my+table')
})
