import type { Mark } from '../api.ts'
import { dash, span } from '../format.ts'

/** Delay is how far a watermark is behind the clock, with the watermark itself as its title. */
export function Delay({ mark }: { mark: Mark | undefined }) {
  if (!mark) return <span className="faint" title="There is no watermark yet">{dash}</span>
  if (mark.final) return <span title="There will be no more rows">Ended</span>
  return <span title={`Watermark ${mark.watermark}, ${span(mark.delay_ms)} behind the clock`}>{mark.text.charAt(0).toUpperCase() + mark.text.slice(1)}</span>
}
