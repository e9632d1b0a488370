import { appendFileSync } from 'node:fs'
import { afterFile } from './cleanup.ts'

/** Whether `npm run test:long` runs the tests. */
export const isLong = process.env.TEST_LONG !== undefined

/** How often a test repeats what it tries: `few` times in `npm test`, as `test:long` says otherwise. */
export const roundsOf = (few: number): number => Number(process.env.TEST_ROUNDS ?? few)

/** Seed of what a test draws at random: fixed in `npm test`, another in every `test:long`, which prints it. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_126)

/** Prints a figure that a test measured; `test:long` lists it in its table. */
export function reportFigure(text: string): void {
  console.log(text)
  const { TEST_FIGURES: file } = process.env
  if (file !== undefined) appendFileSync(file, `${text}\n`)
}

/** The least and the greatest number of some rounds: "88 to 319". */
export const rangeOf = (numbers: number[]): string =>
  `${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)}`

/** Counts what the tests of a file report, and prints the sum after them. */
export function countFigure(what: string): (by?: number) => void {
  let count = 0
  afterFile(async () => reportFigure(`${count} ${what}`))
  return (by = 1) => {
    count += by
  }
}
