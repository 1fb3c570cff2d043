/** Choice is one of a few things, as buttons side by side. */
export function Choice<T extends string | number>({ label, of, chosen, onChoose }: { label: string; of: readonly { value: T; text: string }[]; chosen: T; onChoose: (to: T) => void }) {
  return (
    <div className="choice" role="group" aria-label={label}>
      {of.map(o => (
        <button key={o.value} type="button" className="small" aria-pressed={o.value === chosen} onClick={() => onChoose(o.value)}>
          {o.text}
        </button>
      ))}
    </div>
  )
}
