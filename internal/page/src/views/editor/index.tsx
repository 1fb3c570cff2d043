import { useRef, useState, useSyncExternalStore } from 'react'
import type { Explained, Problem } from '../../api.ts'
import { ask, everywhere, Refused } from '../../data/ask.ts'
import { draft, remember, setDraft } from '../../data/kept.ts'
import { runs, usualPlace } from '../../data/runs.ts'
import { plural } from '../../format.ts'
import { Copy } from '../../parts/copy.tsx'
import { declaredBefore, definedBefore, jobs, languageOf, pieceAt, settingsBefore } from '../../sql/split.ts'
import { CodeEditor, type Code } from './code.tsx'
import example from './example.sql'
import { type Pair, Pairs, toRecord } from './pairs.tsx'
import { PastTexts } from './past.tsx'
import { RunList } from './run-list.tsx'

/** Editor is where statements are written, checked, explained and run. */
export function Editor() {
  const code = useRef<Code>(null)
  const [initial] = useState(draft)
  const [name, setName] = useState('')
  const [properties, setProperties] = useState<Pair[]>([])
  const [labels, setLabels] = useState<Pair[]>([])
  const [place, setPlace] = useState(usualPlace)
  const [problems, setProblems] = useState<Problem[]>([])
  const [plan, setPlan] = useState<Explained | string>()
  const [nothing, setNothing] = useState(false)
  const [empty, setEmpty] = useState(() => !draft().trim())
  useSyncExternalStore(runs.listen, runs.look)

  const run = () => {
    const text = code.current?.selected().trim() || (code.current?.text() ?? '')
    const all = jobs(text, toRecord(properties))
    setNothing(all.length === 0)
    if (all.length === 0 || runs.busy) return
    remember(text)
    void runs.start(all, { name: name.trim(), labels: toRecord(labels), place })
  }
  const explain = async () => {
    const text = code.current?.text() ?? ''
    const language = languageOf(toRecord(properties))
    const piece = pieceAt(text, code.current?.cursor() ?? 0, language)
    setNothing(!piece)
    if (!piece) return
    try {
      const set = settingsBefore(text, piece.from, toRecord(properties))
      const explained = (statement: string) => ask<Explained>('POST', `${everywhere}/explain`, { statement, properties: set })
      const whole = definedBefore(text, piece.from, language) + piece.text
      const alone = await explained(whole)
      const declared = declaredBefore(text, piece.from)
      // It may need tables that the text is yet to make.
      setPlan(alone.plan === undefined && declared ? await explained(declared + whole) : alone)
    } catch (error) {
      setPlan(error instanceof Refused ? error.message : 'The server does not answer.')
    }
  }

  return (
    <>
      <h1 className="visually-hidden">Editor</h1>
      <section className="card editor" aria-label="Editor">
        <CodeEditor ref={code} initial={initial} properties={() => toRecord(properties)} onChange={text => { setDraft(text); setEmpty(!text.trim()) }} onProblems={setProblems} onRun={run} onExplain={() => void explain()} />
        <Problems problems={problems} onChoose={p => code.current?.goTo(p.from)} />
        <div className="tools">
          <button type="button" className="primary" disabled={runs.busy} onClick={run}>Run <kbd>Ctrl ⏎</kbd></button>
          <button type="button" onClick={() => void explain()}>Explain</button>
          <PastTexts onChoose={text => code.current?.replace(text)} />
          <span className="space" />
          <input className="mono" aria-label="Name of the statement" placeholder="Name (optional)" value={name} onChange={event => setName(event.target.value)} />
        </div>
        <details className="more">
          <summary>Properties and labels</summary>
          <div>
            <Pairs legend="Properties" keyPlaceholder="sql.tables.scan.idle-timeout" pairs={properties} onChange={setProperties} />
            <Pairs legend="Labels" keyPlaceholder="team" pairs={labels} onChange={setLabels} />
            <fieldset className="pairs">
              <legend>Made in</legend>
              <div>
                <input className="mono" aria-label="Organization" value={place.organization} onChange={event => setPlace({ ...place, organization: event.target.value })} />
                <input className="mono" aria-label="Environment" value={place.environment} onChange={event => setPlace({ ...place, environment: event.target.value })} />
              </div>
            </fieldset>
          </div>
          <p className="faint">A property is what SET would say. <code>SET 'key' = 'value';</code> in the text goes with the statements behind it.</p>
        </details>
      </section>
      {nothing && <p className="notice">There is no statement to run.</p>}
      {plan !== undefined && <Plan plan={plan} onClose={() => setPlan(undefined)} />}
      {empty && runs.list.length === 0 && (
        <div className="empty">
          <p>Made-up bids, counted by event time, with a window each five seconds:</p>
          <button type="button" onClick={() => code.current?.replace(example)}>Take the example</button>
        </div>
      )}
      <RunList runs={runs} />
    </>
  )
}

/** Problems lists what is wrong, for those who do not see it in the text. */
function Problems({ problems, onChoose }: { problems: Problem[]; onChoose: (p: Problem) => void }) {
  return (
    <div className="problems" role="status" aria-label="Problems">
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, 5).map((p, i) => (
            <li key={i}>
              <button type="button" className={`problem ${p.severity}`} onClick={() => onChoose(p)}>
                <span aria-hidden="true">{p.severity === 'error' ? '✕' : '▲'}</span>
                <span>
                  <span className="visually-hidden">{p.severity}: </span>
                  {p.message}
                  {p.hint && <span className="hint"> {p.hint}</span>}
                </span>
                <span className="faint">{p.line}:{p.column}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 5 && <p className="faint">{plural(problems.length - 5, 'more')}</p>}
    </div>
  )
}

function Plan({ plan, onClose }: { plan: Explained | string; onClose: () => void }) {
  const text = typeof plan === 'string' ? undefined : plan.plan
  return (
    <section className="card plan" aria-label="Plan">
      <div className="head">
        <h2>Plan</h2>
        <span className="space" />
        {text !== undefined && <Copy text={text} />}
        <button type="button" className="small" onClick={onClose}>Close</button>
      </div>
      {typeof plan === 'string' && <p className="notice bad">{plan}</p>}
      {typeof plan !== 'string' && plan.problems.map((p, i) => (
        <p key={i} className={`notice ${p.severity === 'error' ? 'bad' : 'warn'}`}>{p.message} {p.hint}</p>
      ))}
      {text !== undefined && <pre tabIndex={0}>{text}</pre>}
    </section>
  )
}
