// What the browser keeps between visits: the text that is being written, and what was run.

const draftPlace = 'tidemark.draft'
const historyPlace = 'tidemark.history'
const longest = 50

/** Past is a text that was run, and when. */
export interface Past { text: string; at: number }

export const draft = () => localStorage.getItem(draftPlace) ?? ''

export function setDraft(text: string) {
  try {
    localStorage.setItem(draftPlace, text)
  } catch {
    // there is no room, and nothing is lost: it is in the editor
  }
}

export function past(): Past[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(historyPlace) ?? '[]')
    return Array.isArray(all) ? all.filter(isPast) : []
  } catch {
    return []
  }
}

const isPast = (x: unknown): x is Past => typeof x === 'object' && x !== null && typeof (x as Past).text === 'string' && typeof (x as Past).at === 'number'

/** remembered puts a text in front of what was run; it is there once. */
export const remembered = (all: Past[], text: string, at: number): Past[] => [{ text, at }, ...all.filter(p => p.text !== text)].slice(0, longest)

export function remember(text: string) {
  try {
    localStorage.setItem(historyPlace, JSON.stringify(remembered(past(), text, Date.now())))
  } catch {
    // there is no room
  }
}

export function forgetPast() {
  localStorage.removeItem(historyPlace)
}
