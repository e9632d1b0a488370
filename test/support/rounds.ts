import { appendFileSync } from 'node:fs'
import { afterFile } from './cleanup.ts'

/** Whether this is a run of `npm run test:long`. */
export const isLong = process.env.TEST_LONG !== undefined

/** Returns the number of repetitions: `few` in `npm test`, or the `--rounds` of `test:long`. */
export const roundsOf = (few: number): number => Number(process.env.TEST_ROUNDS ?? few)

/** The random seed. It is fixed in `npm test`; each `test:long` prints a new one. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_126)

/** Prints a measured figure. `test:long` lists it in its table. */
export function reportFigure(text: string): void {
  console.log(text)
  const { TEST_FIGURES: file } = process.env
  if (file !== undefined) appendFileSync(file, `${text}\n`)
}

/** Formats the lowest and highest of some numbers: "88 to 319". */
export const rangeOf = (numbers: number[]): string =>
  `${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)}`

/** Adds up counts that the tests of a file report, and prints the sum after them. */
export function countFigure(what: string): (by?: number) => void {
  let count = 0
  afterFile(async () => reportFigure(`${count} ${what}`))
  return (by = 1) => {
    count += by
  }
}
