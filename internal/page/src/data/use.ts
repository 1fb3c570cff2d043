// Feeds for components: who shows the same address shares its feed.
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { ask } from './ask.ts'
import { Feed, type Picture, type Pieces } from './feed.ts'
import * as key from './key.ts'

const feeds = new Map<string, Feed<unknown>>()

const world = {
  ask: (path: string, signal: AbortSignal) => ask<unknown>('GET', path, undefined, signal),
  now: () => Date.now(),
  after(ms: number, f: () => void) {
    const timer = setTimeout(f, ms)
    return () => clearTimeout(timer)
  },
  visible: () => document.visibilityState === 'visible',
}

/** refresh asks for everything that is shown at once. */
export function refresh() {
  for (const feed of feeds.values()) feed.again()
}

if (globalThis.document) {
  document.addEventListener('visibilitychange', () => {
    if (world.visible()) refresh()
  })
  window.addEventListener('online', refresh)
  key.onChange(() => {
    if (!key.isWanted()) refresh()
  })
}

const nothing: Picture<never> = {}

/** useFeed is what is known of an address, asked for again every so many milliseconds; of null nothing is. An address that is asked for in pieces always is. */
export function useFeed<T>(path: string | null, every = 500, pieces?: Pieces<T>): Picture<T> {
  const subscribe = useCallback((listener: () => void) => (path === null ? () => {} : feedOf(path, pieces).listen(listener, every)), [path, every, pieces])
  const picture = useCallback(() => (path === null ? nothing : (feedOf(path, pieces).picture as Picture<T>)), [path, pieces])
  return useSyncExternalStore(subscribe, picture)
}

/** useLast is the last value that was there, while the next one is waited for. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
}

const kept = 40

function feedOf<T>(path: string, pieces: Pieces<T> | undefined): Feed<unknown> {
  let feed = feeds.get(path)
  if (!feed) {
    for (const [old, f] of feeds) if (feeds.size >= kept && f.quiet) feeds.delete(old)
    feeds.set(path, (feed = new Feed(path, world, pieces as Pieces<unknown> | undefined)))
  }
  return feed
}
