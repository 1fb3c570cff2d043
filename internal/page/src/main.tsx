import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { show } from './theme.ts'
import 'uplot/dist/uPlot.min.css'
import './style/base.css'
import './style/parts.css'
import './style/list.css'
import './style/editor.css'
import './style/statement.css'
import './style/profiler.css'
import './style/timeline.css'
import './style/why.css'
import './style/advice.css'

show()
const place = document.getElementById('page')
if (place) createRoot(place).render(<App />)
