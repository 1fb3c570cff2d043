// A text cut into its statements, as internal/language does it: at semicolons outside of strings, names, comments, statement sets and the bodies of streaming queries.
import { type Owner, ownerOf } from './head.ts'

/** Piece is a statement of a text; yql tells it from one of Flink SQL, and ended says that its semicolon is there, or the END DO that does without. */
export interface Piece { from: number; to: number; text: string; yql: boolean; ended: boolean }

export type Language = 'auto' | 'sql' | 'yql'

interface Token { from: number; to: number; word: string; quoted: boolean }

/** split gives the statements of a text, without blanks and comments around them. The spec of a pipeline is one. The text need not be right. */
export function split(text: string, language: Language = 'auto'): Piece[] {
  if (isSpec(text)) return [{ from: 0, to: text.length, text, yql: false, ended: true }]
  const first = cut(text, language === 'yql')
  return first.around && language === 'auto' ? cut(text, true).pieces : first.pieces
}

const isSpec = (text: string) => /^[ {\t]*"?computations"?\s*[:=]\s*(\{.*)?$/m.test(text)

/** cut finds the statements, of which those that both languages have are YQL or not; around says that there is one that makes YQL of the others. */
function cut(text: string, usual: boolean): { pieces: Piece[]; around: boolean } {
  const pieces: Piece[] = []
  let around = false
  for (let at = 0; ;) {
    const found = statement(text, at, usual)
    if (!found) return { pieces, around }
    pieces.push(found.piece)
    at = found.end
    around ||= found.owner === 'yql around'
    const asked = setting(found.piece.text)
    if (asked?.key === 'sql.language') usual = asked.value.toLowerCase() === 'yql'
  }
}

function statement(text: string, at: number, usual: boolean): { piece: Piece; end: number; owner: Owner } | undefined {
  let head = peek(text, at)
  while (head[0]?.word === ';') {
    at = head[0].to
    head = peek(text, at)
  }
  const start = head[0]
  if (!start) return undefined
  const words = head.map(t => t.word)
  const owner = ownerOf(words)
  const yql = owner === 'yql' || owner === 'yql around' || (owner === 'both' && usual && !declaresInSQL(text, at, words))
  const piece: Piece = { from: start.from, to: start.from, text: '', yql, ended: false }
  const blocks = new Blocks(yql, words)
  let end = text.length
  for (const token of tokens(text, start.from, yql)) {
    if (token.word === ';' && !blocks.open()) {
      piece.ended = true
      end = token.to
      break
    }
    blocks.add(token)
    piece.to = token.to
    if (blocks.done) {
      piece.ended = true
      const after = peek(text, token.to)[0]
      end = after?.word === ';' ? after.to : token.to
      break
    }
  }
  piece.text = text.slice(piece.from, piece.to)
  return { piece, end, owner }
}

/** peek is the first words of what comes next. */
function peek(text: string, at: number): Token[] {
  const head: Token[] = []
  for (const token of tokens(text, at, false)) {
    if (token.word === ';' && head.length > 0) break
    head.push(token)
    if (token.word === ';' || head.length === 12) break
  }
  return head
}

/** declaresInSQL tells a CREATE TABLE of Flink SQL: its options have keys in quotes. */
function declaresInSQL(text: string, at: number, words: string[]): boolean {
  if (words[0] !== 'CREATE' || !words.slice(0, 4).includes('TABLE')) return false
  let before = ['', '']
  for (const token of tokens(text, at, false)) {
    if (token.word === ';') return false
    if (before.join(' ') === 'WITH (' && token.quoted && text[token.from] === "'") return true
    before = [before[1] ?? '', token.word]
  }
  return false
}

/** Blocks follows what is open in a statement, within which a semicolon does not end it. */
class Blocks {
  done = false
  private last = ''
  private braces = 0
  private bodies = 0
  private ended = false
  private readonly yql: boolean
  private readonly head: string[]

  constructor(yql: boolean, head: string[]) {
    this.yql = yql
    this.head = head
  }

  add(token: Token) {
    let word = token.quoted ? '' : token.word
    if (!this.yql) this.ended = word === 'END' && this.last === ';'
    else if (word === '{') this.braces++
    else if (word === '}') this.braces = Math.max(this.braces - 1, 0)
    else if ((word === 'BEGIN' && this.last === 'DO') || (word === 'ACTION' && this.last === 'DEFINE')) this.bodies++
    else if ((word === 'DO' || word === 'DEFINE') && this.last === 'END') {
      this.bodies = Math.max(this.bodies - 1, 0)
      this.done = this.bodies === 0 && this.head.slice(0, 5).includes('STREAMING')
      word = ''
    }
    this.last = word
  }

  open(): boolean {
    return this.yql ? this.braces > 0 || this.bodies > 0 : !this.ended && opensSet(this.head)
  }
}

function opensSet(head: string[]): boolean {
  const words = head.join(' ')
  if (head[0] === 'BEGIN') return words.startsWith('BEGIN STATEMENT SET')
  return (head[0] === 'EXECUTE' || head[0] === 'EXPLAIN') && /STATEMENT SET BEGIN|BEGIN STATEMENT SET/.test(words)
}

const blank = String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const rest = String.raw`[\p{L}\p{N}_]+|\S`
const patterns = {
  sql: new RegExp(String.raw`${blank}|'[^']*(?:'|$)|"[^"]*(?:"|$)|`+'`[^`]*(?:`|$)'+`|${rest}`, 'gu'),
  yql: new RegExp(String.raw`${blank}|@@(?:[^@]|@(?!@)|@@@@)*(?:@@|$)|'(?:[^'\\]|\\[\s\S])*(?:'|$)|"(?:[^"\\]|\\[\s\S])*(?:"|$)|`+'`(?:[^`\\\\]|\\\\[\\s\\S])*(?:`|$)'+`|${rest}`, 'gu'),
}

/** tokens are words in upper case, signs, and what is quoted. The languages differ in their quotes: a backslash in YQL, and @@…@@. */
function* tokens(text: string, at: number, yql: boolean): Generator<Token> {
  const pattern = yql ? patterns.yql : patterns.sql
  for (const found of text.slice(at).matchAll(pattern)) {
    const word = found[0]
    if (word.startsWith('--') || word.startsWith('/*')) continue
    const from = at + found.index
    yield { from, to: from + word.length, word: word.toUpperCase(), quoted: /^(['"`]|@@)/.test(word) }
  }
}

/** pieceAt is the statement at a place of a text, or the last one before it. */
export function pieceAt(text: string, at: number, language?: Language): Piece | undefined {
  const all = split(text, language)
  return all.find(p => at <= p.to) ?? all.at(-1)
}

/** setting reads SET 'key' = 'value', which a server has no session for: here it goes with the statements behind it. */
export function setting(statement: string): { key: string; value: string } | undefined {
  const found = /^set\s+'((?:[^']|'')+)'\s*=\s*'((?:[^']|'')*)'$/i.exec(statement.trim())
  return found ? { key: unquote(found[1] ?? ''), value: unquote(found[2] ?? '') } : undefined
}

const unquote = (text: string) => text.replaceAll("''", "'")

/** Job is a statement with what was set for it. */
export interface Job extends Pick<Piece, 'from' | 'to' | 'text'> { properties: Record<string, string> }

/** languageOf is the language that properties say. */
export function languageOf(properties: Record<string, string>): Language {
  const said = properties['sql.language']?.toLowerCase()
  return said === 'sql' || said === 'yql' ? said : 'auto'
}

/** defines tells what does nothing by itself in YQL, and goes with the statements behind it. */
const defines = (piece: Piece) => piece.yql && /^(\$|pragma\b|declare\b)/i.test(piece.text)

/** definedBefore is what of a text goes with the statement at a place of it: the definitions of YQL before it. */
export function definedBefore(text: string, at: number, language?: Language): string {
  const all = split(text, language)
  if (!all.find(p => p.from === at)?.yql) return ''
  return all.filter(p => p.from < at && defines(p)).map(p => `${p.text};\n`).join('')
}

/** jobs are the statements of a text to be run, each with what SETs before it say, and what is defined before it. */
export function jobs(text: string, properties: Record<string, string>): Job[] {
  const set = { ...properties }
  const all: Job[] = []
  let defined = ''
  for (const piece of split(text, languageOf(properties))) {
    const s = setting(piece.text)
    if (s) set[s.key] = s.value
    else if (defines(piece)) defined += `${piece.text};\n`
    else all.push({ from: piece.from, to: piece.to, text: piece.yql ? defined + piece.text : piece.text, properties: { ...set } })
  }
  return all
}

/** settingsBefore are what SETs before a place of a text say, on top of the properties. */
export function settingsBefore(text: string, at: number, properties: Record<string, string>): Record<string, string> {
  const set = { ...properties }
  for (const piece of split(text, languageOf(properties))) {
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
