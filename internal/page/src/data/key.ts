// The API key, as name:secret. It is kept for as long as the tab is open.
type Listener = () => void

const place = 'tidemark.key'
const listeners = new Set<Listener>()
let wanted = false

export const current = (): string | null => globalThis.sessionStorage?.getItem(place) ?? null

/** isWanted says that the server has refused us without a key, or with the one there is. */
export const isWanted = () => wanted

export function want() {
  if (wanted) return
  wanted = true
  tell()
}

export function give(key: string) {
  if (key) sessionStorage.setItem(place, key)
  else sessionStorage.removeItem(place)
  wanted = false
  tell()
}

export function onChange(listener: Listener): Listener {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell() {
  for (const listener of [...listeners]) listener()
}
