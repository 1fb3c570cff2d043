// A text cut into its statements, as internal/sql does it: at semicolons outside of strings, names, comments and statement sets.

export interface Piece { from: number; to: number; text: string }

interface Token { from: number; to: number; word: string }

/** split gives the statements of a text, without blanks and comments around them. A statement set is one. The text need not be right. */
export function split(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = -1
  let to = 0
  let first: string[] = []
  let last = ''
  let ended = false
  const close = () => {
    if (from >= 0) pieces.push({ from, to, text: text.slice(from, to) })
    from = -1
    first = []
    last = ''
    ended = false
  }
  for (const token of tokens(text)) {
    if (token.word === ';' && !(opensSet(first) && !ended)) {
      close()
      continue
    }
    if (from < 0) from = token.from
    to = token.to
    if (first.length < 12) first.push(token.word)
    ended = token.word === 'END' && last === ';'
    last = token.word
  }
  close()
  return pieces
}

function opensSet(words: string[]): boolean {
  const at = words.findIndex(w => w === 'EXECUTE' || w === 'BEGIN')
  if (at < 0 || (at > 0 && words[0] !== 'EXPLAIN' && words[0] !== 'COMPILE')) return false
  const rest = words.slice(at, at + 4).join(' ')
  return rest.startsWith('EXECUTE STATEMENT SET BEGIN') || rest.startsWith('BEGIN STATEMENT SET')
}

function* tokens(text: string): Generator<Token> {
  const pattern = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|`(?:[^`]|``)*(?:`|$)|[\p{L}_][\p{L}\p{N}_$]*|\S/gu
  for (const found of text.matchAll(pattern)) {
    const word = found[0]
    if (word.startsWith('--') || word.startsWith('/*')) continue
    yield { from: found.index, to: found.index + word.length, word: word.toUpperCase() }
  }
}

/** pieceAt is the statement at a place of a text, or the last one before it. */
export function pieceAt(text: string, at: number): Piece | undefined {
  const all = split(text)
  return all.find(p => at <= p.to) ?? all.at(-1)
}

/** setting reads SET 'key' = 'value', which a server has no session for: here it goes with the statements behind it. */
export function setting(statement: string): { key: string; value: string } | undefined {
  const found = /^set\s+'((?:[^']|'')+)'\s*=\s*'((?:[^']|'')*)'$/i.exec(statement.trim())
  return found ? { key: unquote(found[1] ?? ''), value: unquote(found[2] ?? '') } : undefined
}

const unquote = (text: string) => text.replaceAll("''", "'")

/** Job is a statement with what was set for it. */
export interface Job extends Piece { properties: Record<string, string> }

/** jobs are the statements of a text to be run, each with what SETs before it say. */
export function jobs(text: string, properties: Record<string, string>): Job[] {
  const set = { ...properties }
  const all: Job[] = []
  for (const piece of split(text)) {
    const s = setting(piece.text)
    if (s) set[s.key] = s.value
    else all.push({ ...piece, properties: { ...set } })
  }
  return all
}

/** settingsBefore are what SETs before a place of a text say, on top of the properties. */
export function settingsBefore(text: string, at: number, properties: Record<string, string>): Record<string, string> {
  const set = { ...properties }
  for (const piece of split(text)) {
    if (piece.from >= at) break
    const s = setting(piece.text)
    if (s) set[s.key] = s.value
  }
  return set
}

/** declaredBefore are the statements before a place of a text that declare something, with semicolons between: what stands behind them may need it. */
export function declaredBefore(text: string, at: number): string {
  return split(text).filter(p => p.to <= at && /^(create|alter|drop)\b/i.test(p.text)).map(p => `${p.text};\n`).join('')
}
