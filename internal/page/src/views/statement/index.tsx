import type { Profile, Statement } from '../../api.ts'
import { statementPath } from '../../data/ask.ts'
import { useFeed } from '../../data/use.ts'
import { Failing } from '../../parts/failing.tsx'
import { Link } from '../../parts/link.tsx'
import { Phase } from '../../parts/phase.tsx'
import { Results } from '../../results/results.tsx'
import { toStatement, useSearch, type Tab } from '../../router.ts'
import { Advice } from '../advice/index.tsx'
import { Profiler } from '../profiler/index.tsx'
import { Timeline } from '../timeline/index.tsx'
import { Actions } from './actions.tsx'
import { Exceptions } from './exceptions.tsx'
import { Overview } from './overview.tsx'

/** names are the tabs. Advice is none: it is of a table, and reached from there. */
const names: Partial<Record<Tab, string>> = { overview: 'Overview', results: 'Results', profiler: 'Profiler', timeline: 'Timeline', exceptions: 'Exceptions' }

/** StatementView is one statement and its tabs. */
export function StatementView({ name, tab }: { name: string; tab: Tab }) {
  const picture = useFeed<Statement>(statementPath(name))
  const profile = useFeed<Profile>(statementPath(name, '/profile'))
  const table = new URLSearchParams(useSearch()).get('table')
  const statement = picture.data
  const traits = statement?.status.traits
  return (
    <>
      <header className="head statement-head">
        <h1>{name}</h1>
        {statement && <Phase phase={statement.status.phase} />}
        {traits && <span className="tag">{traits.sql_kind.replaceAll('_', ' ')}</span>}
        {traits && <span className="tag">{traits.is_bounded ? 'bounded' : 'unbounded'}</span>}
        <span className="space" />
        {statement && <Actions statement={statement} />}
      </header>
      <Failing picture={picture} what={name} />
      <nav className="tabs" aria-label="Parts of the statement">
        {(Object.keys(names) as Tab[]).map(t => (
          <Link key={t} to={toStatement(name, t)} aria-current={t === tab ? 'page' : undefined}>{names[t]}</Link>
        ))}
      </nav>
      {tab === 'overview' && statement && <Overview statement={statement} profile={profile} />}
      {tab === 'results' && statement && <ResultsTab statement={statement} />}
      {tab === 'profiler' && <Profiler name={name} />}
      {tab === 'timeline' && <Timeline name={name} />}
      {tab === 'advice' && (table ? <Advice key={table} table={table} /> : <p className="empty">No table is named.</p>)}
      {tab === 'exceptions' && <Exceptions name={name} />}
    </>
  )
}

function ResultsTab({ statement }: { statement: Statement }) {
  const traits = statement.status.traits
  if (!traits?.schema)
    return (
      <p className="empty">
        {traits ? 'This statement has no results of its own: what it writes is in its tables. SELECT from them in the editor.' : 'Its plan is not known, so there are no results.'}
        <Link to="/new" className="button">Editor</Link>
      </p>
    )
  return <Results statement={statement} />
}
