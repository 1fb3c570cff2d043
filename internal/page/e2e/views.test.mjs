// The list, the editor and the parts of a statement that are no part of the story: as looks.test.mjs has it, and what a key pressed does.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findings, looks, open, overflow, shot, start } from './browser.mjs'
import * as said from './said.mjs'
import { at, origin, set } from './stage.mjs'

let browser
before(async () => (browser = await start()))
after(() => browser.close())

const write = text => async page => {
  await page.locator('.cm-content').click()
  await page.keyboard.insertText(text)
}
const select = { count: () => said.statement(at, { columns: said.columns }), results: () => said.results(at) }

const views = [
  { name: 'list', path: '/', sees: 'sessions', answers: { overview: () => said.overview(at) } },
  { name: 'list-empty', path: '/', sees: 'Write the first one', answers: { overview: () => ({ ...said.overview(at), data: [] }) } },
  { name: 'editor', path: '/new', sees: 'Take the example' },
  { name: 'editor-wrong', path: '/new', sees: 'Run', flows: true, act: async page => { await write('SELECT a FORM t')(page); await page.getByText('did you mean FROM?').first().waitFor() } },
  { name: 'editor-more', path: '/new', sees: 'Run', act: page => page.getByText('Properties and labels').click() },
  { name: 'overview', path: '/statements/count', sees: 'Strategy in force', answers: { count: () => said.statement(at, { warnings: ['one', 'two'] }) } },
  { name: 'overview-failed', path: '/statements/count', sees: 'unknown column', answers: { count: () => said.statement(at, { phase: 'FAILED', detail: "unknown column 'x'\n  --> statement:1:8\n   = the columns are: id, price" }) } },
  { name: 'delete', path: '/statements/count', sees: 'Strategy in force', answers: { count: () => said.statement(at) }, act: page => page.getByRole('button', { name: 'Delete' }).click() },
  { name: 'explained', path: '/statements/count', sees: 'Strategy in force', answers: { count: () => said.statement(at) }, act: page => page.getByRole('button', { name: 'Late is not dropped' }).first().click() },
  { name: 'results', path: '/statements/count/results', sees: '60 changes', answers: select },
  { name: 'results-elsewhere', path: '/statements/count/results', sees: 'not read any more', answers: { ...select, results: () => ({ errors: [{ status: '410', code: 'results_gone', detail: 'these results were read already' }] }) }, act: async page => assert.equal(await page.getByText('No row has come yet').count(), 0) },
  { name: 'results-chart', path: '/statements/count/results', sees: '60 changes', answers: select, act: async page => { await page.getByRole('button', { name: 'Chart' }).click(); await page.locator('.uplot').waitFor() } },
  { name: 'exceptions', path: '/statements/count/exceptions', sees: 'no leader', answers: { count: () => said.statement(at), exceptions: () => ({ metadata: { next: '' }, data: [{ name: 'External', message: 'topic clicks has no leader', timestamp: new Date(at - 9e5).toISOString() }] }) } },
]

const texts = { check: (_, body) => ({ problems: said.problems(body.statement) }), complete: () => ({ from: 0, to: 0, options: [] }) }

for (const view of views)
  test(view.name, async () => {
    const page = await open(browser)
    await set(page, { ...texts, ...view.answers }, view)
    await page.goto(origin + view.path)
    await page.getByText(view.sees).first().waitFor()
    await view.act?.(page)
    for (const { theme, width } of looks) {
      const look = `${view.name}-${width}-${theme}`
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 844 })
      await shot(page, look)
      assert.equal(await overflow(page), 0, `${look} is wider than its window`)
      assert.deepEqual(await findings(page), [], look)
    }
    assert.deepEqual(page.errors, [])
    await page.context().close()
  })

test('by keys alone: the list is searched, a statement opened, and its tabs reached', async () => {
  const page = await open(browser)
  const asked = []
  await set(page, { ...texts, overview: url => (asked.push(url.search), said.overview(at)), count: () => said.statement(at) })
  await page.goto(`${origin}/`)
  await page.getByText('sessions').first().waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('cou')
  await page.waitForURL('**/?q=cou')
  await page.getByRole('link', { name: 'count', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/statements/count')
  await page.getByText('Strategy in force').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
  await page.getByRole('link', { name: 'Exceptions' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/statements/count/exceptions')
  await page.goBack()
  await page.goBack()
  await page.waitForURL('**/?q=cou')
  assert.ok(asked.some(q => q.includes('statement_name_search_query=cou')))
  await page.context().close()
})

test('without an answer the last picture stays, and it is said', async () => {
  const page = await open(browser)
  await set(page, { overview: () => said.overview(at) })
  await page.goto(`${origin}/`)
  await page.getByText('sessions').first().waitFor()
  await page.route('**/overview*', route => route.abort())
  await page.getByText('No answer since').waitFor()
  assert.ok(await page.getByText('sessions').first().isVisible())
  await page.context().close()
})

test('a key is asked for, kept for the tab, and goes with every request', async () => {
  const page = await open(browser)
  await set(page, {})
  const keys = []
  await page.route('**/overview*', route => {
    const key = route.request().headers().authorization
    keys.push(key)
    return key === 'Bearer laptop:secret' ? route.fulfill({ json: said.overview(at) }) : route.fulfill({ status: 401, json: { errors: [{ id: '', status: '401', code: 'unauthorized', title: '', detail: 'an API key is needed' }] } })
  })
  await page.goto(`${origin}/`)
  await page.getByLabel('Name', { exact: true }).fill('laptop')
  await page.getByLabel('Secret').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('its name or its secret is wrong').waitFor()
  assert.deepEqual(await findings(page), [])
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'laptop')
  await page.keyboard.type('secret')
  await page.keyboard.press('Enter')
  await page.getByText('sessions').first().waitFor()
  assert.equal(keys[0], undefined)
  await page.reload()
  await page.getByText('sessions').first().waitFor()
  await page.getByRole('button', { name: 'Forget key' }).click()
  await page.getByLabel('Secret').waitFor()
  await page.context().close()
})

test('statements of a text are run in their order, with what is set before them, or those that are selected', async () => {
  const page = await open(browser)
  const made = []
  const state = () => said.statement(at, { name: made.at(-1)?.name ?? 'x', phase: 'COMPLETED' })
  await set(page, { ...texts, statements: (_, body) => (made.push(body), state()) })
  await page.goto(`${origin}/new`)
  await write("SET 'a' = '1';\nCREATE TABLE t (x INT);\nINSERT INTO t VALUES (1)")(page)
  await page.getByLabel('Name of the statement').fill('mine')
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'mine-2' }).waitFor()
  assert.deepEqual(made.map(m => [m.name, m.spec.statement, m.spec.properties]), [['mine', 'CREATE TABLE t (x INT)', { a: '1' }], ['mine-2', 'INSERT INTO t VALUES (1)', { a: '1' }]])
  made.length = 0
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'mine-2' }).waitFor({ state: 'detached' })
  assert.deepEqual(made.map(m => m.spec.statement), ['INSERT INTO t VALUES (1)'])
  await page.getByRole('button', { name: 'History' }).click()
  assert.equal(await page.locator('.past li').count(), 2)
  await page.context().close()
})
