import { useState } from 'react'
import type { Statement } from '../../api.ts'
import { ask, Refused, statementPath } from '../../data/ask.ts'
import { setDraft } from '../../data/kept.ts'
import { refresh } from '../../data/use.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { go } from '../../router.ts'

const going = new Set(['PENDING', 'RUNNING', 'DEGRADED'])

/** Actions are what can be done to a statement. */
export function Actions({ statement }: { statement: Statement }) {
  const [asking, setAsking] = useState<'stop' | 'delete'>()
  const [failed, setFailed] = useState('')
  const { name, status } = statement
  const writes = !status.traits?.schema
  const act = async (done: () => Promise<unknown>, then?: () => void) => {
    setAsking(undefined)
    setFailed('')
    try {
      await done()
      then?.()
    } catch (error) {
      setFailed(error instanceof Refused ? error.message : 'The server does not answer.')
    }
    refresh()
  }
  const stopped = (value: boolean) => () => ask('PATCH', statementPath(name), [{ op: 'replace', path: '/spec/stopped', value }])
  return (
    <div className="actions">
      <button type="button" onClick={() => { setDraft(statement.spec.statement); go('/new') }}>Edit a copy</button>
      {going.has(status.phase) && <button type="button" onClick={() => setAsking('stop')}>Stop</button>}
      {status.phase === 'STOPPED' && <button type="button" onClick={() => void act(stopped(false))}>Resume</button>}
      {status.phase !== 'DELETING' && <button type="button" className="danger" onClick={() => setAsking('delete')}>Delete</button>}
      {failed && <p className="notice bad" role="alert">{failed}</p>}
      {asking === 'stop' && (
        <Confirm title={`Stop ${name}?`} action="Stop" onLeave={() => setAsking(undefined)} onDone={() => void act(stopped(true))}>
          {writes ? 'It takes a last checkpoint, from which it can be resumed.' : 'Results that were not read are lost.'}
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm title={`Delete ${name}?`} action="Delete" danger onLeave={() => setAsking(undefined)} onDone={() => void act(() => ask('DELETE', statementPath(name)), () => go('/'))}>
          It ends, and its state and history go with it. Tables and what is in them stay.
        </Confirm>
      )}
    </div>
  )
}
