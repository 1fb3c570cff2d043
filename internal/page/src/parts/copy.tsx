import { useEffect, useState } from 'react'

/** Copy puts text on the clipboard. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 1500)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
    } catch {
      setDone(false) // not allowed to; the text can be selected
    }
  }
  return (
    <button type="button" className="small" onClick={() => void copy()}>
      <span aria-live="polite">{done ? 'Copied' : label}</span>
    </button>
  )
}
