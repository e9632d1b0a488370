import type { SkillRecord } from '../store/skill-record.ts'
import { type Column, createIntegers, createNumbers, createSignedIntegers } from './column.ts'

/** What of a skill is a number, each in a column by slot. */
export interface SkillColumns {
  readonly starCount: Column
  readonly fetchCount: Column
  readonly networkFetchCount: Column
  readonly feedbackCount: Column
  readonly helpfulCount: Column
  /** 0 where a slot is free. */
  readonly version: Column
  readonly helpfulWeight: Column
  readonly unhelpfulWeight: Column
  readonly createdAt: Column
  readonly updatedAt: Column
  readonly revision: Column
  /** Number of the repository. */
  readonly repository: Column
  /** Number of the owner. */
  readonly owner: Column
  /** Hash of the address. */
  readonly address: Column
  /** Code of the verdict (verdicts.ts). */
  readonly verdict: Column
}

export const createSkillColumns = (): SkillColumns => ({
  starCount: createSignedIntegers(),
  fetchCount: createSignedIntegers(),
  networkFetchCount: createSignedIntegers(),
  feedbackCount: createSignedIntegers(),
  helpfulCount: createSignedIntegers(),
  version: createIntegers(),
  helpfulWeight: createNumbers(),
  unhelpfulWeight: createNumbers(),
  createdAt: createNumbers(),
  updatedAt: createNumbers(),
  revision: createNumbers(),
  repository: createIntegers(),
  owner: createIntegers(),
  address: createIntegers(),
  verdict: createIntegers(),
})

/** The columns whose numbers stand in a record as they are. */
const ownColumns = [
  'starCount',
  'fetchCount',
  'networkFetchCount',
  'feedbackCount',
  'helpfulCount',
  'version',
  'helpfulWeight',
  'unhelpfulWeight',
  'createdAt',
  'updatedAt',
  'revision',
] as const satisfies readonly (keyof SkillColumns & keyof SkillRecord)[]

export type OwnNumbers = Pick<SkillRecord, (typeof ownColumns)[number]>

/** Writes a skill's own numbers into its slot. */
export function writeNumbers(columns: SkillColumns, slot: number, skill: OwnNumbers): void {
  for (const name of ownColumns) columns[name].set(slot, skill[name])
}

/** Reads a skill's own numbers. */
export const readNumbers = (columns: SkillColumns, slot: number): OwnNumbers => ({
  starCount: columns.starCount.get(slot),
  fetchCount: columns.fetchCount.get(slot),
  networkFetchCount: columns.networkFetchCount.get(slot),
  feedbackCount: columns.feedbackCount.get(slot),
  helpfulCount: columns.helpfulCount.get(slot),
  version: columns.version.get(slot),
  helpfulWeight: columns.helpfulWeight.get(slot),
  unhelpfulWeight: columns.unhelpfulWeight.get(slot),
  createdAt: columns.createdAt.get(slot),
  updatedAt: columns.updatedAt.get(slot),
  revision: columns.revision.get(slot),
})
