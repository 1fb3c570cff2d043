import { useId, useState } from 'react'
import { forgetPast, past } from '../../data/kept.ts'
import { ago } from '../../format.ts'

/** PastTexts lists what was run in this browser; one that is chosen comes into the editor. */
export function PastTexts({ onChoose }: { onChoose: (text: string) => void }) {
  const id = useId()
  const [all, setAll] = useState(past)
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      <button type="button" popoverTarget={id}>History</button>
      <div id={id} popover="auto" className="past" onBeforeToggle={() => setAll(past())}>
        <h2>What was run in this browser</h2>
        {all.length === 0 && <p className="faint">Nothing yet.</p>}
        <ul>
          {all.map(p => (
            <li key={p.at}>
              <button type="button" onClick={() => { onChoose(p.text); close() }}>
                <code>{p.text.replace(/\s+/g, ' ').slice(0, 300)}</code>
                <span className="faint">{ago(p.at, Date.now())}</span>
              </button>
            </li>
          ))}
        </ul>
        {all.length > 0 && <button type="button" className="small" onClick={() => { forgetPast(); setAll([]) }}>Forget all</button>}
      </div>
    </>
  )
}
