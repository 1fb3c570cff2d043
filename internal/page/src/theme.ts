// Light or dark: as the system has it, unless the user says otherwise.
export type Theme = 'system' | 'light' | 'dark'

const place = 'tidemark.theme'

export function theme(): Theme {
  const kept = globalThis.localStorage?.getItem(place)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function setTheme(to: Theme) {
  if (to === 'system') localStorage.removeItem(place)
  else localStorage.setItem(place, to)
  show()
}

/** show makes the document look like it. Charts, which draw by themselves, listen to the event. */
export function show() {
  const now = theme()
  if (now === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = now
  window.dispatchEvent(new Event('themechange'))
}
