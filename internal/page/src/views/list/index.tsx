import { useEffect, useState } from 'react'
import type { Overview, OverviewLine } from '../../api.ts'
import { below, everywhere } from '../../data/ask.ts'
import { useFeed, useLast } from '../../data/use.ts'
import { ago, clock, count, perMinute, plural } from '../../format.ts'
import { Delay } from '../../parts/delay.tsx'
import { Explained } from '../../parts/explained.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Link } from '../../parts/link.tsx'
import { Phase, phases } from '../../parts/phase.tsx'
import { go, toStatement, useSearch } from '../../router.ts'

const size = 25

/** address is where the page of a list is: what is searched goes to the server, and is in the address of the page too, so that it can be kept. */
export function address(search: string): string {
  const ours = new URLSearchParams(search)
  const q = new URLSearchParams({ page_size: String(size) })
  const name = ours.get('q')
  const phase = ours.get('phase')
  const page = ours.get('page')
  if (name) q.set('statement_name_search_query', name)
  if (phase) q.set('phase', phase)
  if (page) q.set('page_token', page)
  return `${everywhere}/overview?${q}`
}

function change(search: string, changes: Record<string, string>): string {
  const q = new URLSearchParams(search)
  for (const [key, value] of Object.entries(changes))
    if (value) q.set(key, value)
    else q.delete(key)
  const text = q.toString()
  return text ? `/?${text}` : '/'
}

/** List shows the statements, the newest first. */
export function List() {
  const search = useSearch()
  const asked = new URLSearchParams(search)
  const picture = useFeed<Overview>(address(search))
  const overview = useLast(picture.data)
  const next = overview?.metadata.next ? new URL(below(overview.metadata.next), location.origin).searchParams.get('page_token') : null
  const filtered = asked.has('q') || asked.has('phase')
  return (
    <>
      <header className="head">
        <h1>Statements</h1>
        {overview?.metadata.total_size !== undefined && <span className="faint">{plural(overview.metadata.total_size, 'statement')}</span>}
        <Search search={search} />
        <Link to="/new" className="button primary">New statement</Link>
      </header>
      <Failing picture={picture} what="Statements" />
      {overview && overview.data.length > 0 && <Table overview={overview} />}
      {overview && overview.data.length === 0 && (filtered || asked.has('page') ? <p className="empty">No statement is like that.</p> : <Nothing />)}
      {(asked.has('page') || next) && (
        <nav className="pages" aria-label="Pages">
          {asked.has('page') && <Link to={change(search, { page: '' })}>Newest</Link>}
          {next && <Link to={change(search, { page: next })}>Older</Link>}
        </nav>
      )}
    </>
  )
}

function Nothing() {
  return (
    <div className="empty">
      <p>There is no statement yet.</p>
      <Link to="/new" className="button primary">Write the first one</Link>
    </div>
  )
}

/** Search keeps what is typed, and searches when nothing was typed for a while. */
function Search({ search }: { search: string }) {
  const asked = new URLSearchParams(search)
  const there = asked.get('q') ?? ''
  const [text, setText] = useState(there)
  useEffect(() => setText(there), [there])
  useEffect(() => {
    if (text === there) return
    const timer = setTimeout(() => go(change(location.search, { q: text, page: '' }), true), 250)
    return () => clearTimeout(timer)
  }, [text, there])
  return (
    <form role="search" className="search" onSubmit={event => event.preventDefault()}>
      <input type="search" aria-label="Name of a statement" placeholder="Name…" value={text} onChange={event => setText(event.target.value)} />
      <select aria-label="Status" value={asked.get('phase') ?? ''} onChange={event => go(change(search, { phase: event.target.value, page: '' }), true)}>
        <option value="">Any status</option>
        {phases.map(p => (
          <option key={p} value={p}>{p.charAt(0) + p.slice(1).toLowerCase()}</option>
        ))}
      </select>
    </form>
  )
}

function Table({ overview }: { overview: Overview }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Statements">
      <table className="list cards">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Status</th>
            <th scope="col">Type</th>
            <th scope="col">Created</th>
            <th scope="col" className="number">Messages behind</th>
            <th scope="col" className="number">In per minute</th>
            <th scope="col">Input delay <Explained topic="delay" /></th>
            <th scope="col" className="number">Out per minute</th>
            <th scope="col">Output delay</th>
          </tr>
        </thead>
        <tbody>
          {overview.data.map(line => (
            <Line key={line.name} line={line} now={overview.at} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ line, now }: { line: OverviewLine; now: number }) {
  const created = Date.parse(line.created_at)
  return (
    <tr>
      <th scope="row">
        <Link to={toStatement(line.name)}>{line.name}</Link>
        <code className="sql" title={line.statement}>{line.statement}</code>
      </th>
      <td data-label="Status">
        <Phase phase={line.phase} />
        {line.warnings > 0 && <span className="tag warn">{plural(line.warnings, 'warning')}</span>}
      </td>
      <td data-label="Type">{kind(line.type)}</td>
      <td data-label="Created"><time dateTime={line.created_at} title={clock(created)}>{ago(created, now)}</time></td>
      <td data-label="Messages behind" className="number">{count(line.behind)}</td>
      <td data-label="In per minute" className="number">{perMinute(line.in)}</td>
      <td data-label="Input delay"><Delay mark={line.input} /></td>
      <td data-label="Out per minute" className="number">{perMinute(line.out)}</td>
      <td data-label="Output delay"><Delay mark={line.output} /></td>
    </tr>
  )
}

/** kind is a kind of SQL in words: INSERT_INTO is INSERT INTO. */
const kind = (type: string) => type.replaceAll('_', ' ')
