import { useEffect, useRef, useState } from 'react'
import * as key from '../data/key.ts'

/** KeyDialog asks for the API key when the server wants one. */
export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="key-title" onCancel={event => event.preventDefault()}>
      <form onSubmit={event => { event.preventDefault(); key.give(`${name.trim()}:${secret.trim()}`) }}>
        <h2 id="key-title">An API key is needed</h2>
        <p>{key.current() ? 'The server does not know the one there is.' : 'This server answers only who has one.'} <code>tidemark server --new-key NAME</code> makes one. It is kept until this tab is closed.</p>
        <label>Name <input required autoFocus autoComplete="username" value={name} onChange={event => setName(event.target.value)} /></label>
        <label>Secret <input required type="password" autoComplete="current-password" value={secret} onChange={event => setSecret(event.target.value)} /></label>
        <div className="actions"><button type="submit" className="primary">Go on</button></div>
      </form>
    </dialog>
  )
}
