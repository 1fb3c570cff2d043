// Every view, in both themes and both widths: axe has nothing serious against it, nothing is wider than the window, and nothing fails. TIDEMARK_SHOTS keeps pictures of them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findings, looks, open, overflow, shot, start } from './browser.mjs'
import { at, origin, set } from './stage.mjs'
import * as story from './story.mjs'

let browser
before(async () => (browser = await start()))
after(() => browser.close())

const views = [
  { name: 'why', path: '/statements/count', sees: 'Why is this waiting? For clicks-2' },
  { name: 'profiler', path: '/statements/count/profiler', sees: 'watermark 2026-11-30 12:02:15.994' },
  { name: 'profiler-pressed', path: '/statements/count/profiler?task=t3', sees: 'slows down those before it', answers: { profile: () => story.profile(at, { pressed: true }) } },
  { name: 'profiler-operators', path: '/statements/count/profiler?task=t4&pane=operators', sees: 'more of event time' },
  { name: 'profiler-partitions', path: '/statements/count/profiler?task=t1&pane=partitions', sees: /1 to [25]0 of 2,003/, answers: { profile: () => story.profile(at, { many: 2000 }) } },
  { name: 'profiler-no-partitions', path: '/statements/count/profiler?task=t4&pane=partitions', sees: 'This task reads no source' },
  { name: 'profiler-streams', path: '/statements/count/profiler', sees: 'read/clicks', answers: { profile: () => story.profile(at, { streams: true }) } },
  {
    name: 'profiler-stopped',
    path: '/statements/count/profiler',
    sees: 'does not run',
    answers: { profile: () => ({ at, running: false, late: 0, dropped: 0, restarts: 0, sources: [], sinks: [], tasks: [] }) },
  },
  { name: 'timeline', path: '/statements/count/timeline', sees: 'clicks-2' },
  {
    name: 'timeline-behind',
    path: '/statements/count/timeline',
    sees: 'clicks-2',
    act: page =>
      page
        .getByRole('button', { name: 'Behind now' })
        .click()
        .then(() => page.getByRole('button', { name: '5 min' }).click()),
  },
  { name: 'timeline-table', path: '/statements/count/timeline', sees: 'clicks-2', act: page => page.getByText('What happened, as a table').click() },
  {
    name: 'timeline-stopped',
    path: '/statements/count/timeline',
    sees: 'does not run',
    answers: { timeline: () => ({ at, running: false, from: at, sources: [], firings: [], marks: [] }) },
  },
  { name: 'advice', path: '/statements/count/advice?table=clicks', sees: 'The shortest delay' },
  {
    name: 'advice-failed',
    path: '/statements/count/advice?table=clicks',
    sees: 'no time attribute',
    answers: { advice: () => ({ state: 'failed', detail: 'clicks has no time attribute', rows: 0 }) },
  },
]

for (const view of views)
  test(view.name, async () => {
    const page = await open(browser)
    await set(page, view.answers)
    await page.goto(origin + view.path)
    await page.getByText(view.sees).first().waitFor()
    await view.act?.(page)
    for (const { theme, width } of looks) {
      const look = `${view.name}-${width}-${theme}`
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await shot(page, look)
      assert.equal(await overflow(page), 0, `${look} is wider than its window`)
      assert.deepEqual(await findings(page), [], look)
    }
    assert.deepEqual(page.errors, [])
    await page.context().close()
  })
