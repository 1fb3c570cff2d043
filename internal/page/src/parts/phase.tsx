/** tone is how much a phase should stand out; signs differ in form, so that colour says nothing that they do not. */
const tones: Record<string, { tone: string; sign: string }> = {
  PENDING: { tone: 'wait', sign: '◌' },
  RUNNING: { tone: 'good', sign: '●' },
  COMPLETED: { tone: 'calm', sign: '✓' },
  STOPPING: { tone: 'wait', sign: '◌' },
  STOPPED: { tone: 'calm', sign: '■' },
  DELETING: { tone: 'wait', sign: '◌' },
  DEGRADED: { tone: 'warn', sign: '▲' },
  FAILING: { tone: 'bad', sign: '✕' },
  FAILED: { tone: 'bad', sign: '✕' },
}

export const phases = Object.keys(tones).filter(p => p !== 'FAILING')

export function Phase({ phase }: { phase: string }) {
  const { tone, sign } = tones[phase] ?? { tone: 'calm', sign: '○' }
  return (
    <span className={`phase ${tone}`}>
      <span aria-hidden="true">{sign}</span> {phase.charAt(0) + phase.slice(1).toLowerCase()}
    </span>
  )
}
