// Statements of a text run one after the other: the next one begins when the one before has come to its end, or runs for good.
import type { Statement } from '../api.ts'
import type { Job } from '../sql/split.ts'
import { ask, Refused, statementPath, within } from './ask.ts'

/** Run is one of them. It has a name as soon as it was made. */
export interface Run {
  id: number
  sql: string
  state: 'waiting' | 'starting' | 'made' | 'failed' | 'left'
  name?: string
  statement?: Statement
  error?: string
}

/** Place is where statements are made. */
export interface Place { organization: string; environment: string }

export const usualPlace: Place = { organization: 'local', environment: 'local' }

/** Order is what goes with all statements of a text. A name is for the first. */
export interface Order { name: string; labels: Record<string, string>; place: Place }

const ends = new Set(['COMPLETED', 'FAILED', 'STOPPED'])

/** settled says that the next statement can begin. A failed one ends the row. */
export function settled(s: Statement): boolean {
  if (s.status.phase === 'PENDING') return false
  if (ends.has(s.status.phase)) return true
  const traits = s.status.traits
  return !traits?.is_bounded || traits.sql_kind === 'SELECT'
}

/** freshName is a name that nobody has, most likely. */
export function freshName(now: Date, random: number): string {
  const digits = now.toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return `page-${digits.slice(0, 8)}-${digits.slice(8)}-${Math.floor(random * 36 ** 4).toString(36).padStart(4, '0')}`
}

/** numbered are names for several statements of a text. */
export const numbered = (name: string, i: number) => (i === 0 ? name : `${name}-${i + 1}`)

const sleep = (ms: number) => new Promise<void>(done => setTimeout(done, ms))

/** Runs are those of the editor. They go on while another view is looked at. */
export class Runs {
  list: Run[] = []
  busy = false
  version = 0
  private listeners = new Set<() => void>()
  private next = 0
  private stopped = false

  listen = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
  look = () => this.version

  /** start runs the statements. What was run before is taken off the list, and goes on. */
  async start(jobs: Job[], order: Order) {
    if (this.busy) return
    this.busy = true
    this.stopped = false
    this.list = jobs.map(job => ({ id: this.next++, sql: job.text, state: 'waiting' }))
    this.tell()
    const base = order.name || freshName(new Date(), Math.random())
    let going = true
    for (const [i, job] of jobs.entries()) {
      const run = this.list[i] as Run
      if (!going || this.stopped) {
        this.change(run, { state: 'left' })
        continue
      }
      going = await this.one(run, job, numbered(base, i), order)
    }
    this.busy = false
    this.tell()
  }

  /** stop lets those that have not begun be. */
  stop() {
    this.stopped = true
  }

  private async one(run: Run, job: Job, name: string, order: Order): Promise<boolean> {
    this.change(run, { state: 'starting', name })
    try {
      let statement = await ask<Statement>('POST', `${within(order.place.organization, order.place.environment)}/statements`, {
        name,
        metadata: { labels: order.labels },
        spec: { statement: job.text, properties: job.properties },
      })
      this.change(run, { state: 'made', statement })
      for (let i = 0; !settled(statement) && !this.stopped; i++) {
        await sleep(Math.min(1000, 100 + 50 * i))
        statement = await this.again(name, statement)
        this.change(run, { statement })
      }
      return statement.status.phase !== 'FAILED'
    } catch (error) {
      this.change(run, { state: 'failed', error: error instanceof Refused ? error.message : 'The server does not answer.' })
      return false
    }
  }

  /** again asks how it is; without an answer it is as before. */
  private async again(name: string, before: Statement): Promise<Statement> {
    try {
      return await ask<Statement>('GET', statementPath(name))
    } catch (error) {
      if (error instanceof Refused && error.status < 500) throw error
      return before
    }
  }

  private change(run: Run, changes: Partial<Run>) {
    this.list = this.list.map(r => (r.id === run.id ? Object.assign(run, changes) && { ...run } : r))
    this.tell()
  }

  private tell() {
    this.version++
    for (const listener of [...this.listeners]) listener()
  }
}

export const runs = new Runs()
