import { useEffect, useRef, useState } from 'react'
import * as key from '../data/key.ts'

/** KeyDialog asks for the API key when the server wants one. */
export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [name, setName] = useState(key.current()?.split(':', 1)[0] ?? '')
  const [secret, setSecret] = useState('')
  const secretInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    if (key.current()) secretInput.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby="key-title" onCancel={event => event.preventDefault()}>
      <form onSubmit={event => { event.preventDefault(); key.give(`${name.trim()}:${secret.trim()}`) }}>
        <h2 id="key-title">An API key is needed</h2>
        <p>{key.current() ? 'The server does not take the key that was given: its name or its secret is wrong.' : 'This server wants to know who asks.'} Who runs it makes a key with <code>tidemark server --new-key NAME</code>. What you give is kept until this tab is closed.</p>
        <label>Name <input required autoFocus autoComplete="username" value={name} onChange={event => setName(event.target.value)} /></label>
        <label>Secret <input ref={secretInput} required type="password" autoComplete="current-password" value={secret} onChange={event => setSecret(event.target.value)} /></label>
        <div className="actions"><button type="submit" className="primary">Go on</button></div>
      </form>
    </dialog>
  )
}
