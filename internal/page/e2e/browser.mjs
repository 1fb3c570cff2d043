// A browser for tests: .ci/browser says where Chromium and the packages are.
import { createRequire } from 'node:module'
import path from 'node:path'

const packages = process.env.TIDEMARK_PLAYWRIGHT
const require = createRequire(path.join(packages, 'package.json'))
const { chromium } = require('playwright-core')
const axe = require.resolve('axe-core/axe.min.js')

/** Browser is one that has no window. Whoever starts it closes it. */
export const start = () => chromium.launch({ executablePath: process.env.TIDEMARK_CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })

/** The ways in which every view has to look right. */
export const looks = ['light', 'dark'].flatMap(theme => [1280, 390].map(width => ({ theme, width })))

/** open makes a tab of a width and theme. Errors of the page are collected in its field errors. */
export async function open(browser, { width = 1280, theme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height: width < 600 ? 844 : 860 }, colorScheme: theme, reducedMotion: 'reduce', timezoneId: 'UTC' })
  const page = await context.newPage()
  page.errors = []
  page.on('pageerror', error => page.errors.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) page.errors.push(message.text())
  })
  return page
}

/** findings is what axe says against a view that is serious or critical. */
export async function findings(page) {
  await page.evaluate(await import('node:fs').then(fs => fs.readFileSync(axe, 'utf8')))
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  return violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => `${v.id}: ${v.help}: ${v.nodes.map(n => n.html.slice(0, 160)).join(' | ')}`)
}

/** overflow is by how many pixels a view is wider than its window, when what is drawn has followed the window's size. */
export async function overflow(page) {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth, null, { timeout: 5000 }).catch(() => {})
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))
}

/** shot keeps a picture of a view in the folder TIDEMARK_SHOTS, if there is one. */
export async function shot(page, name) {
  const folder = process.env.TIDEMARK_SHOTS
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true })
}
