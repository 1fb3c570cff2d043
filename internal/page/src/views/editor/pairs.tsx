/** Pair is a key and its value, while they are typed. */
export interface Pair { key: string; value: string }

export const toRecord = (pairs: Pair[]): Record<string, string> => Object.fromEntries(pairs.filter(p => p.key.trim()).map(p => [p.key.trim(), p.value]))

/** Pairs edits keys with values: properties, labels. There is always an empty line at the end. */
export function Pairs({ legend, keyPlaceholder, pairs, onChange }: { legend: string; keyPlaceholder: string; pairs: Pair[]; onChange: (pairs: Pair[]) => void }) {
  const lines = [...pairs, { key: '', value: '' }]
  const set = (i: number, change: Partial<Pair>) => onChange(lines.map((p, k) => (k === i ? { ...p, ...change } : p)).filter(p => p.key || p.value))
  return (
    <fieldset className="pairs">
      <legend>{legend}</legend>
      {lines.map((p, i) => (
        <div key={i}>
          <input className="mono" aria-label={`${legend}: key ${i + 1}`} placeholder={keyPlaceholder} value={p.key} onChange={event => set(i, { key: event.target.value })} />
          <input className="mono" aria-label={`${legend}: value ${i + 1}`} value={p.value} onChange={event => set(i, { value: event.target.value })} />
          <button type="button" className="small quiet" disabled={i === pairs.length} aria-label={`${legend}: remove ${p.key || `line ${i + 1}`}`} onClick={() => onChange(pairs.filter((_, k) => k !== i))}>✕</button>
        </div>
      ))}
    </fieldset>
  )
}
