// Where the page is, as its address says: paths of the History API.
import { useSyncExternalStore } from 'react'

const tabs = ['overview', 'results', 'profiler', 'timeline', 'exceptions', 'advice'] as const
export type Tab = (typeof tabs)[number]

export type Route = { view: 'list' } | { view: 'new' } | { view: 'statement'; name: string; tab: Tab } | { view: 'nowhere' }

export function route(path: string): Route {
  const parts = path.split('/').filter(Boolean).map(decode)
  const [first, name, tab = 'overview', ...rest] = parts
  if (first === undefined) return { view: 'list' }
  if (first === 'new' && name === undefined) return { view: 'new' }
  if (first === 'statements' && name && rest.length === 0 && isTab(tab)) return { view: 'statement', name, tab }
  return { view: 'nowhere' }
}

const isTab = (text: string): text is Tab => (tabs as readonly string[]).includes(text)

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const toStatement = (name: string, tab: Tab = 'overview') => `/statements/${encodeURIComponent(name)}${tab === 'overview' ? '' : `/${tab}`}`

/** toAdvice is where a statement's table is looked at for how long its delay has to be. */
export const toAdvice = (name: string, table: string) => `${toStatement(name, 'advice')}?${new URLSearchParams({ table })}`

const listeners = new Set<() => void>()

/** go changes the address. Replaced is for what is no step to come back from. */
export function go(to: string, replaced = false) {
  if (replaced) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  for (const listener of [...listeners]) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

export const usePath = () => useSyncExternalStore(listen, () => location.pathname)
export const useSearch = () => useSyncExternalStore(listen, () => location.search)
