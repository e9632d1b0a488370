import { appendFileSync } from 'node:fs'

/**
 * How often a fault is tried: a few times with the other tests, as many as `FAULT_ROUNDS` says in the
 * long form, which prints its seed; `FAULT_SEED` repeats it.
 */
export const roundsOf = (few: number): number => Number(process.env.FAULT_ROUNDS ?? few)

export const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)

export const isLongForm = process.env.FAULT_ROUNDS !== undefined

/** Reports a figure of a fault: it is printed, and listed by `npm run faults`. */
export function reportFigure(text: string): void {
  console.log(text)
  const { FAULT_FIGURES: file } = process.env
  if (file !== undefined) appendFileSync(file, `${text}\n`)
}
