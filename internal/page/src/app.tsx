import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { route, usePath } from './router.ts'
import { Link } from './parts/link.tsx'
import { KeyDialog } from './parts/key-dialog.tsx'
import { setTheme, theme, type Theme } from './theme.ts'
import * as key from './data/key.ts'
import { List } from './views/list/index.tsx'

const Editor = lazy(() => import('./views/editor/index.tsx').then(m => ({ default: m.Editor })))
const StatementView = lazy(() => import('./views/statement/index.tsx').then(m => ({ default: m.StatementView })))

export function App() {
  const path = usePath()
  const at = route(path)
  const wanted = useSyncExternalStore(key.onChange, key.isWanted)
  const main = useRef<HTMLElement>(null)
  const shown = at.view === 'statement' ? at.name : at.view
  const first = useRef(true)
  useEffect(() => {
    document.title = at.view === 'statement' ? `${at.name} · Tidemark` : at.view === 'new' ? 'New statement · Tidemark' : 'Tidemark'
    if (first.current) first.current = false
    else main.current?.focus() // another view: whoever reads by ear begins at its top
  }, [shown])
  return (
    <>
      <a className="skip" href="#main" onClick={event => { event.preventDefault(); main.current?.focus() }}>Skip to the content</a>
      <header className="bar">
        <Link to="/" className="brand">
          <Mark /> Tidemark
        </Link>
        <nav aria-label="Views">
          <Link to="/" aria-current={at.view === 'list' ? 'page' : undefined}>Statements</Link>
          <Link to="/new" aria-current={at.view === 'new' ? 'page' : undefined}>Editor</Link>
        </nav>
        <span className="space" />
        <ThemeChoice />
        <ForgetKey />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Suspense fallback={<p className="faint">Loading…</p>}>
          {at.view === 'list' && <List />}
          {at.view === 'new' && <Editor />}
          {at.view === 'statement' && <StatementView key={at.name} name={at.name} tab={at.tab} />}
          {at.view === 'nowhere' && <p className="empty">Nothing is at this address. <Link to="/">All statements</Link></p>}
        </Suspense>
      </main>
      {wanted && <KeyDialog />}
    </>
  )
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="ground" />
      <path d="M5 21c3.7 0 3.7-3 7.3-3s3.7 3 7.4 3 3.6-3 7.3-3" />
      <path d="M5 12h22" strokeDasharray="1 4.6" />
    </svg>
  )
}

function ThemeChoice() {
  const [now, set] = useState(theme)
  const choose = (to: Theme) => {
    setTheme(to)
    set(to)
  }
  const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
  const signs: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' }
  return (
    <button type="button" className="quiet" title={`Theme: ${now}`} aria-label={`Theme: ${now}; change to ${next[now]}`} onClick={() => choose(next[now])}>
      <span aria-hidden="true">{signs[now]}</span>
    </button>
  )
}

function ForgetKey() {
  const there = useSyncExternalStore(key.onChange, () => key.current() !== null)
  if (!there) return null
  return <button type="button" className="quiet" onClick={() => key.give('')}>Forget key</button>
}
