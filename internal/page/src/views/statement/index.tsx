import type { Tab } from '../../router.ts'
import { Profiler } from '../profiler/index.tsx'
import { Timeline } from '../timeline/index.tsx'
import { Why } from '../why/index.tsx'

/** StatementView is one statement and its tabs. */
export function StatementView({ name, tab }: { name: string; tab: Tab }) {
  return (
    <>
      <h1>{name}</h1>
      {tab === 'overview' && <Why name={name} />}
      {tab === 'profiler' && <Profiler name={name} />}
      {tab === 'timeline' && <Timeline name={name} />}
    </>
  )
}
