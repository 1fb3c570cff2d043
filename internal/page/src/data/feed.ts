// What is shown and may change is asked for again and again: every so often while somebody looks, later and later when there is no answer. The last picture stays.
import { Refused } from './ask.ts'

/** Picture is what is known of an address. Data is of `at`; failing has what went wrong since, and since when. */
export interface Picture<T> {
  data?: T
  at?: number
  failing?: { since: number; error: Error; again: number }
}

/** World is what a feed needs of its surroundings. */
export interface World {
  ask(path: string, signal: AbortSignal): Promise<unknown>
  now(): number
  after(ms: number, f: () => void): () => void
  visible(): boolean
}

/** Pieces are how an address is asked for that only tells what has come since: where that is, and what it comes to with what is known. */
export interface Pieces<T> {
  path(known: T): string
  join(known: T, next: T): T
}

const longest = 15_000

/** wait is how long to wait after so many failures in a row. */
export const wait = (every: number, failures: number) => Math.min(longest, every * 2 ** Math.min(failures, 10))

/** Feed keeps one address up to date as long as it has listeners. */
export class Feed<T> {
  picture: Picture<T> = {}
  private listeners = new Map<() => void, number>()
  private failures = 0
  private cancel: (() => void) | undefined
  private asking: AbortController | undefined

  constructor(readonly path: string, private world: World, private pieces?: Pieces<T>) {}

  /** listen keeps the feed going; of several listeners the most eager says how often, in milliseconds. */
  listen(listener: () => void, every: number): () => void {
    this.listeners.set(listener, every)
    if (!this.asking) this.schedule(this.due())
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size === 0) this.stop()
    }
  }

  /** again asks at once: something was done, or somebody looks again. */
  again() {
    if (this.listeners.size === 0) return
    this.asking?.abort()
    this.asking = undefined
    this.schedule(0)
  }

  private due(): number {
    if (this.picture.failing) return Math.max(0, this.picture.failing.again - this.world.now())
    if (this.picture.at === undefined) return 0
    return Math.max(0, this.picture.at + this.every() - this.world.now())
  }

  private every = () => Math.min(...this.listeners.values())

  /** quiet says that nobody listens. */
  get quiet() {
    return this.listeners.size === 0
  }

  private stop() {
    this.cancel?.()
    this.cancel = undefined
    this.asking?.abort()
    this.asking = undefined
  }

  private schedule(ms: number) {
    this.cancel?.()
    this.cancel = this.world.after(ms, () => void this.turn())
  }

  private async turn() {
    if (!this.world.visible()) return // again() when it is
    const asking = (this.asking = new AbortController())
    try {
      const known = this.picture.data
      const answer = (await this.world.ask(known && this.pieces ? this.pieces.path(known) : this.path, asking.signal)) as T
      const data = known && this.pieces ? this.pieces.join(known, answer) : answer
      if (this.asking !== asking) return
      this.failures = 0
      this.picture = { data, at: this.world.now() }
    } catch (error) {
      if (this.asking !== asking) return
      this.failures++
      const now = this.world.now()
      const again = now + wait(this.every(), this.failures)
      const gone = error instanceof Refused && error.status === 404
      this.picture = { ...(gone ? {} : this.picture), failing: { since: this.picture.failing?.since ?? now, error: error as Error, again } }
    }
    this.asking = undefined
    for (const listener of [...this.listeners.keys()]) listener()
    if (this.listeners.size > 0) this.schedule(this.due())
  }
}
