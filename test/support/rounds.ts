import { appendFileSync } from 'node:fs'
import { afterFile } from './cleanup.ts'

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

/** Counts what a file's tests tell it, and reports the sum once they have ended. */
export function countFigure(what: string): (by?: number) => void {
  let count = 0
  afterFile(async () => reportFigure(`${count} ${what}`))
  return (by = 1) => {
    count += by
  }
}
