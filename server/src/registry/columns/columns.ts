import { numberFields, type SkillNumbers, skillFields } from '../store/skill-record.ts'
import { type Column, createIntegers, createNumbers, createSignedIntegers } from './column.ts'

/** Columns of what other parts of the memory know a skill by, each by slot. */
const references = {
  /** Number of the repository. */
  repository: createIntegers,
  /** Number of the owner. */
  owner: createIntegers,
  /** Hash of the address. */
  address: createIntegers,
  /** Code of the verdict (verdicts.ts). */
  verdict: createIntegers,
  /** Code of the last answer to findings (catalogue/verdicts.ts). */
  answer: createIntegers,
}

/** What of a skill is a number, each in a column by slot; `version` is 0 where a slot is free. */
export type SkillColumns = Readonly<Record<keyof SkillNumbers | keyof typeof references, Column>>

const makers = { count: createSignedIntegers, number: createNumbers }

export const createSkillColumns = (): SkillColumns => {
  const numbers = numberFields.map((name) => [name, makers[skillFields[name].keptAs]()])
  const others = Object.entries(references).map(([name, make]) => [name, make()])
  return Object.fromEntries([...numbers, ...others]) as SkillColumns
}

/** Writes a skill's own numbers into its slot. */
export function writeNumbers(columns: SkillColumns, slot: number, skill: SkillNumbers): void {
  for (const name of numberFields) columns[name].set(slot, skill[name])
}

/** Reads a skill's own numbers. */
export function readNumbers(columns: SkillColumns, slot: number): SkillNumbers {
  const numbers: Partial<SkillNumbers> = {}
  for (const name of numberFields) numbers[name] = columns[name].get(slot)
  return numbers as SkillNumbers
}
