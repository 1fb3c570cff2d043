// The page with the story in place of a server: requests are answered here.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as story from './story.mjs'

const dist = path.join(import.meta.dirname, '..', 'dist')
const kinds = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

export const origin = 'http://tidemark.test'
/** The moment that all is of. */
export const at = Date.UTC(2026, 10, 30, 12, 2, 31, 400)

/** set answers the requests of a tab. Answers has what is told other than the story tells it, by the last part of the path, from the address and the body of the request. The moment stays, unless it is to flow. */
export async function set(page, answers = {}, { flows = false } = {}) {
  const told = {
    count: () => story.statement(at),
    exceptions: () => ({ metadata: { next: '' }, data: [] }),
    profile: () => story.profile(at),
    timeline: () => story.timeline(at),
    why: () => story.why(at),
    advice: () => story.advice,
    history: url => story.history(...['from', 'to', 'step'].map(p => Number(url.searchParams.get(p)))),
    ...answers,
  }
  if (flows) await page.clock.install({ time: at })
  else await page.clock.setFixedTime(at)
  await page.route(`${origin}/**`, route => {
    const url = new URL(route.request().url())
    if (!url.pathname.startsWith('/sql/')) {
      const name = url.pathname.startsWith('/assets/') ? url.pathname : '/index.html'
      return route.fulfill({ body: readFileSync(path.join(dist, name)), contentType: kinds[path.extname(name)] ?? 'text/html', headers: { 'Content-Security-Policy': "default-src 'self'" } })
    }
    const tell = told[url.pathname.split('/').at(-1)]
    if (!tell) return route.fulfill({ status: 404, json: { errors: [{ id: '', status: '404', code: 'resource_not_found', title: '', detail: 'nothing is here' }] } })
    const json = tell(url, route.request().postDataJSON())
    return route.fulfill({ status: Number(json.errors?.[0].status ?? 200), json })
  })
}
