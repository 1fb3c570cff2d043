// Results of a SELECT, read page by page. A server keeps no row that was read, so there is one reader for a statement, and it goes on where it was when somebody looks again.
import type { Column, Row, StatementResults } from '../api.ts'
import { ask, below, Refused, statementPath } from '../data/ask.ts'
import { Table } from './table.ts'

/** kept is how many changes, and how many rows of the table, are held. */
export const kept = 5000

/** pace is how long to wait between pages while rows come, in milliseconds. A page has as many rows as are kept. */
const pace = 50

/** Reader reads as long as it has listeners and is not paused. */
export class Reader {
  /** changes are the newest of those that came, the newest last. */
  changes: Row[] = []
  came = 0
  table: Table
  paused = false
  ended = false
  error: Error | undefined
  /** resumed says that rows before these were read and let go of: the page was loaded anew. */
  resumed = false
  version = 0
  private token: string | null
  private listeners = new Set<() => void>()
  private asking: AbortController | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private quiet = 0
  private telling: ReturnType<typeof setTimeout> | undefined

  constructor(readonly name: string, readonly columns: Column[], upsert: number[] | undefined) {
    this.table = new Table(upsert?.length ? upsert : undefined, kept)
    this.token = globalThis.sessionStorage?.getItem(this.place) ?? null
    this.resumed = this.token !== null
  }

  private get place() {
    return `tidemark.results.${this.name}`
  }

  listen = (listener: () => void) => {
    this.listeners.add(listener)
    this.go()
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size === 0) this.halt()
    }
  }

  look = () => this.version

  pause(paused: boolean) {
    this.paused = paused
    if (paused) this.halt()
    else this.go()
    this.tell()
  }

  private go() {
    if (this.asking || this.timer || this.paused || this.ended || this.error || this.listeners.size === 0) return
    void this.turn()
  }

  private halt() {
    this.asking?.abort()
    this.asking = undefined
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private async turn() {
    const asking = (this.asking = new AbortController())
    let wait = 0
    try {
      const query = new URLSearchParams({ page_size: String(kept), ...(this.token !== null && { page_token: this.token }) })
      const page = await ask<StatementResults>('GET', `${statementPath(this.name, '/results')}?${query}`, undefined, asking.signal)
      if (this.asking !== asking) return
      this.take(page)
      this.quiet = page.results.data.length > 0 ? 0 : this.quiet + 1
      wait = Math.min(1000, Math.max(pace, 100 * this.quiet))
    } catch (error) {
      if (this.asking !== asking) return
      if (error instanceof Refused && error.status < 500 && error.status !== 429 && error.status !== 401) this.error = error
      else wait = Math.min(10_000, 500 * 2 ** Math.min(5, this.quiet++))
    }
    this.asking = undefined
    this.tell()
    if (this.ended || this.error) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.go()
    }, wait)
  }

  private take(page: StatementResults) {
    const rows = page.results.data
    for (const row of rows) this.table.apply(row)
    this.came += rows.length
    if (rows.length > 0) this.changes = rows.length >= kept ? rows.slice(-kept) : [...this.changes.slice(Math.max(0, this.changes.length + rows.length - kept)), ...rows]
    const next = page.metadata.next ? new URL(below(page.metadata.next), 'http://localhost').searchParams.get('page_token') : null
    this.ended = next === null
    this.token = next
    if (next === null) sessionStorage.removeItem(this.place)
    else sessionStorage.setItem(this.place, next)
  }

  /** tell tells listeners, a few times a second at most. */
  private tell() {
    if (this.telling) return
    this.telling = setTimeout(() => {
      this.telling = undefined
      this.version++
      for (const listener of [...this.listeners]) listener()
    }, 100)
  }
}

const readers = new Map<string, Reader>()

/** readerOf is the reader of a statement: the same for all who look, as long as the statement is the same. */
export function readerOf(uid: string, name: string, columns: Column[], upsert: number[] | undefined): Reader {
  let reader = readers.get(uid)
  if (!reader) {
    reader = new Reader(name, columns, upsert)
    readers.set(uid, reader)
    if (readers.size > 8) readers.delete(readers.keys().next().value as string)
  }
  return reader
}
