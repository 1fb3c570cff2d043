import type { Warning } from './api.ts'

/** parted divides what the server says about a statement into warnings and advice, by severity. Confluent Cloud: LOW, MODERATE, CRITICAL. */
export const parted = (all: Warning[]) => ({ warnings: all.filter(w => w.severity !== 'LOW'), advice: all.filter(w => w.severity === 'LOW') })
