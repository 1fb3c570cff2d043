import { useId } from 'react'
import { explain, type Topic } from '../explain.ts'

/** Explained is a small button that opens one of the fixed explanations. */
export function Explained({ topic }: { topic: Topic }) {
  const id = useId()
  const { title, text } = explain[topic]
  return (
    <>
      <button type="button" className="explained" popoverTarget={id} aria-label={title} title={title}>
        ?
      </button>
      <span id={id} popover="auto" className="explanation" role="note">
        <strong>{title}</strong>
        <span>{text}</span>
      </span>
    </>
  )
}
