// What a newcomer does: a statement is written in the editor and run, one of its partitions falls silent, the page says which and what ends that, the idle timeout lets it go, and the window
// that was held fires. A server is at TIDEMARK_URL, with nothing in it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { findings, looks, open, overflow, shot, start } from './browser.mjs'

const url = process.env.TIDEMARK_URL
const api = `${url}/sql/v1/organizations/local/environments/local/statements`

let browser
before(async () => (browser = await start()))
after(() => browser.close())

// What the README has a newcomer paste, under the name that it says there.
const story = readFileSync(new URL('../../../examples/silence/clicks.sql', import.meta.url), 'utf8')
const feed = 'silence-5'
const count = 'silence-6'

/** make makes a statement without the page, and waits until the page shows it in a phase. */
async function make(page, name, statement, phase) {
  const answer = await fetch(api, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, organization_id: 'local', environment_id: 'local', spec: { statement, stopped: false } }),
  })
  assert.equal(answer.status, 201, await answer.text())
  await page.goto(`${url}/statements/${name}`)
  await page.locator('header .phase', { hasText: phase }).waitFor()
}

test('a partition falls silent, and its idle timeout lets the window go', { timeout: 240_000 }, async t => {
  const page = await open(browser)
  page.setDefaultTimeout(90_000)

  await t.test('a statement is written and run', async () => {
    await page.goto(`${url}/new`)
    await page.locator('.cm-content').click()
    await page.keyboard.insertText(story)
    await page.getByLabel('Name of the statement').fill('silence')
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('link', { name: count }).click()
    await page.locator('header .phase', { hasText: 'Running' }).waitFor()
    await page.getByText("The watermark of 'clicks' follows its rows").waitFor()
  })

  await t.test('windows fire while both partitions have rows', async () => {
    await page.goto(`${url}/statements/${count}/timeline`)
    await page.getByText('What happened, as a table').click()
    await page
      .getByRole('cell', { name: /^window .* fired: \d+ rows?$/ })
      .first()
      .waitFor()
  })

  await t.test('a partition is silenced by hand', async () => {
    await page.goto(`${url}/statements/${feed}`)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.locator('header .phase', { hasText: 'Stopped' }).waitFor()
  })

  await t.test('the page says who is waited for, until when, and what to do', async () => {
    await page.goto(`${url}/statements/${count}`)
    const why = page.getByRole('region', { name: 'Why is this waiting?' })
    await why.getByRole('heading', { name: 'Why is this waiting? For clicks-1' }).waitFor()
    const holder = why.getByRole('row', { name: /^clicks-1 silent/ })
    assert.match(await holder.innerText(), /in [\d.]+ s/)
    assert.match(await why.innerText(), /its idle timeout \(1 min.*\), in \d/)
    assert.match(await why.innerText(), /the window from .* to .* needs .* more of event time/)
    assert.match(await why.innerText(), /ALTER TABLE `clicks` SET \('scan\.watermark\.idle-timeout' = '5 s'\);/)
    assert.match(await why.innerText(), /then delete this statement and make it again/)
    await page.goto(`${url}/statements/${count}/profiler`)
    await page.getByRole('button', { name: /^clicks.*holds the watermark/ }).click()
    await page.getByRole('tab', { name: 'Partitions' }).click()
    const first = page.getByRole('tabpanel').locator('tbody tr').first()
    assert.match(await first.innerText(), /^clicks-1\s+holds/)
    await shot(page, 'silence-held')
  })

  await t.test('its idle timeout lets it go', async () => {
    await page.getByRole('row', { name: /^clicks-1 idle/ }).waitFor()
    await page.getByRole('button', { name: /holds the watermark/ }).waitFor({ state: 'detached' })
  })

  await t.test('the window that was held fires', async () => {
    await page.goto(`${url}/statements/${count}/timeline`)
    await page.getByText('What happened, as a table').click()
    await page.getByRole('cell', { name: 'clicks-1 turned idle' }).waitFor()
    const lines = await page.getByRole('region', { name: 'What happened' }).locator('tbody tr').allInnerTexts()
    const idle = lines.findIndex(l => l.includes('clicks-1 turned idle'))
    assert.ok(lines.slice(0, idle + 1).some(l => /window .* fired/.test(l)) || /window .* fired/.test(lines[idle + 1] ?? ''), lines.join('\n'))
    await shot(page, 'silence-released')
  })

  assert.deepEqual(page.errors, [])
})

for (const look of looks)
  test(`every view of a server, ${look.theme}, ${look.width}`, { timeout: 120_000 }, async () => {
    const page = await open(browser, look)
    const rows = `rows-${look.theme}-${look.width}` // results are there for one reader
    await make(page, rows, 'SELECT id, ts FROM clicks', 'Running')
    for (const [name, path, sees] of [
      ['list', '/', count],
      ['editor', '/new', 'Explain'],
      ['overview', `/statements/${count}`, 'Strategy'],
      ['results', `/statements/${rows}/results`, '+I'],
      ['no-results', `/statements/${count}/results`, 'no results of its own'],
      ['profiler', `/statements/${count}/profiler`, 'Counted since'],
      ['timeline', `/statements/${count}/timeline`, 'wall clock, UTC'],
      ['exceptions', `/statements/${count}/exceptions`, 'No attempt has failed'],
      ['advice', `/statements/${count}/advice?table=clicks`, 'The shortest delay'],
    ]) {
      await page.goto(url + path)
      await page.getByText(sees).first().waitFor()
      await shot(page, `server-${name}-${look.width}-${look.theme}`)
      assert.equal(await overflow(page), 0, `${name} is wider than its window`)
      assert.deepEqual(await findings(page), [], name)
    }
    assert.deepEqual(page.errors, [])
    await page.context().close()
  })
