import type { ReactNode } from 'react'
import type { Profile, Statement } from '../../api.ts'
import type { Picture } from '../../data/feed.ts'
import { ago, clock } from '../../format.ts'
import { Failing } from '../../parts/failing.tsx'
import { Sql } from '../../parts/sql.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { Why } from '../why/index.tsx'
import { Charts } from './charts.tsx'
import { Figures } from './figures.tsx'
import { Tables } from './tables.tsx'

/** Overview is how a statement is: what it waits for, its delays and counts, its tables, its text. */
export function Overview({ statement, profile }: { statement: Statement; profile: Picture<Profile> }) {
  const { status, metadata, spec } = statement
  const running = profile.data?.running ?? false
  return (
    <div className="overview">
      {status.detail && <Detail phase={status.phase} text={status.detail} />}
      {running && <Why name={statement.name} />}
      <Warnings all={status.warnings ?? []} />
      <Failing picture={profile} what="Profile" />
      {profile.data?.running && <Figures profile={profile.data} />}
      {profile.data?.running && <Tables name={statement.name} profile={profile.data} />}
      {status.traits && !status.traits.sql_kind.startsWith('CREATE_TABLE') && <Charts name={statement.name} />}
      <section className="card" aria-label="Statement">
        <h2>Statement</h2>
        <Sql text={spec.statement} label="SQL of the statement" />
        <dl className="about">
          <Fact name="Created">{metadata.created_at && <time dateTime={metadata.created_at}>{clock(Date.parse(metadata.created_at))} ({ago(Date.parse(metadata.created_at), Date.now())})</time>}</Fact>
          <Fact name="Made in">{statement.organization_id} / {statement.environment_id}</Fact>
          {Object.entries(spec.properties ?? {}).map(([key, value]) => <Fact key={key} name={<code>{key}</code>}><code>{value}</code></Fact>)}
          {Object.entries(metadata.labels ?? {}).map(([key, value]) => <Fact key={key} name={`Label ${key}`}>{value}</Fact>)}
        </dl>
      </section>
    </div>
  )
}

function Detail({ phase, text }: { phase: string; text: string }) {
  const bad = phase === 'FAILED' || phase === 'FAILING'
  const tone = bad ? 'bad' : phase === 'DEGRADED' ? 'warn' : ''
  return text.includes('\n') ? <pre className={`notice detail ${tone}`}>{text}</pre> : <p className={`notice ${tone}`}>{text}</p>
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
