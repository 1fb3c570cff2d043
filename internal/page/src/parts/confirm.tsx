import { useEffect, useRef, type ReactNode } from 'react'

/** Confirm asks before something is done that cannot be taken back. */
export function Confirm({ title, action, danger = false, children, onDone, onLeave }: { title: string; action: string; danger?: boolean; children: ReactNode; onDone: () => void; onLeave: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={onLeave}>
      <form onSubmit={event => { event.preventDefault(); dialog.current?.close(); onDone() }}>
        <h2 id="confirm-title">{title}</h2>
        <div>{children}</div>
        <div className="actions">
          <button type="button" autoFocus onClick={() => dialog.current?.close()}>Cancel</button>
          <button type="submit" className={danger ? 'danger' : 'primary'}>{action}</button>
        </div>
      </form>
    </dialog>
  )
}
