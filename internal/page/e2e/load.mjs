// How old what the page shows is, beside everything else that a server under load has to do. A server is at TIDEMARK_URL; the list and the profiler of TIDEMARK_STATEMENT are shown for half of
// TIDEMARK_LOAD_MS each. It prints, of each view, how many pictures there were, how old one was when it appeared, and how old when the next one did.
import assert from 'node:assert/strict'
import { open, start } from './browser.mjs'

const { TIDEMARK_URL: url, TIDEMARK_STATEMENT: statement, TIDEMARK_LOAD_MS: lasts } = process.env

/** note has the tab keep the moment of what it was told last, and, with each change of the page, how old that and what it has replaced are then. */
function note(path) {
  const asked = window.fetch
  let at = 0
  let shown = 0
  window.pictures = []
  window.fetch = async (...of) => {
    const answer = await asked(...of)
    if (new URL(of[0].url ?? of[0], location).pathname.endsWith(path) && answer.ok) at = (await answer.clone().json()).at
    return answer
  }
  addEventListener('DOMContentLoaded', () =>
    new MutationObserver(() => {
      if (at === shown) return
      window.pictures.push({ fresh: Date.now() - at, stale: shown ? Date.now() - shown : 0 })
      shown = at
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true }),
  )
}

const browser = await start()
try {
  for (const [view, path, feed] of [
    ['list', '/', '/overview'],
    ['profiler', `/statements/${statement}/profiler`, '/profile'],
  ]) {
    const page = await open(browser)
    await page.addInitScript(note, feed)
    await page.goto(url + path)
    await page.waitForFunction(() => window.pictures.length > 1)
    await page.waitForTimeout(lasts / 2)
    const pictures = await page.evaluate(() => window.pictures)
    const middle = of => pictures.map(p => p[of]).sort((a, b) => a - b)[Math.floor(pictures.length / 2)]
    const most = of => Math.max(...pictures.map(p => p[of]))
    console.log(`${view}: ${pictures.length} pictures; old ${middle('fresh')} ms when they appear, at most ${most('fresh')}; ${middle('stale')} ms when the next appears, at most ${most('stale')}`)
    assert.deepEqual(page.errors, [])
    await page.context().close()
  }
} finally {
  await browser.close()
}
