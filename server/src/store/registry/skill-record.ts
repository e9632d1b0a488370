import { columnsOf, type Db, type Fields, fieldsOf } from '../../db/query.ts'
import { agentFields } from '../agents/agents.ts'
import { type RepositoryRecord, repositoryFields } from './repositories.ts'

/** A publisher's or operator's statement of which skill this one copies. */
export interface CopyClaim {
  by: 'publisher' | 'operator'
  /** Id of the original, or null if an operator decided that the skill is not a copy. */
  copyOf: string | null
}

/** What a publisher says about a version that nobody should use any more. */
export interface Deprecation {
  message: string
  /** What to use instead, such as an address or a version. */
  use: string | null
}

/** Fields written with each version. `tags` and `deprecated` are JSON in the database. */
export const writtenFields = [
  ...(['slug', 'name', 'description', 'tags', 'digest', 'version', 'updatedAt'] as const),
  /** The full description for the search index, if the shown one is shortened. */
  'indexedDescription',
  ...(['license', 'source', 'label', 'sourceCommit', 'deprecated'] as const),
  /** Registry revision of the last change. */
  'revision',
] as const

/** Counters, and fields that never change. */
const countedFields = [
  ...(['starCount', 'fetchCount', 'feedbackCount', 'helpfulCount', 'createdAt'] as const),
  /** Number of networks that fetched it, each counted once a day. */
  'networkFetchCount',
  ...(['helpfulWeight', 'unhelpfulWeight'] as const),
] as const

/** Fields of queries and records. Add a new field to one of the lists above. */
const names = [...writtenFields, ...countedFields] as const

const ownerFields = agentFields.filter((name) => name !== 'bio' && name !== 'createdAt')

/** A skill without its readme. Times are milliseconds since 1970. */
export interface SkillRecord
  extends Pick<
    Fields<'skills'>,
    | 'id'
    | 'state'
    | 'stateBy'
    | 'stateReason'
    | Exclude<(typeof names)[number], 'tags' | 'deprecated'>
  > {
  tags: readonly string[]
  deprecated: Deprecation | null
  /** Lint verdict of the current version. */
  verdict: Verdict
  /** Lint findings, most severe first. */
  findings: readonly FindingSummary[]
  copyClaim: CopyClaim | null
  /** Passage times (copies/passages.ts). Present only in records read from the database. */
  passageTimes?: string | null
  /** The version that the last change has made and that waits for approval. */
  waiting?: number
  repository: RepositoryRecord
  owner: Pick<Fields<'agents'>, (typeof ownerFields)[number]>
}

/** Returns the address of a skill: owner, repository and slug. */
export const addressOf = ({ repository, slug }: Pick<SkillRecord, 'repository' | 'slug'>): string =>
  `${repository.owner}/${repository.name}/${slug}`

export const ownerOf = (agent: SkillRecord['owner']): SkillRecord['owner'] =>
  fieldsOf(agent, ownerFields, '')

export const newRecord = {
  state: 'visible',
  stateBy: null,
  stateReason: null,
  copyClaim: null,
  source: null,
  label: null,
  sourceCommit: null,
  deprecated: null,
  starCount: 0,
  fetchCount: 0,
  networkFetchCount: 0,
  feedbackCount: 0,
  helpfulCount: 0,
  helpfulWeight: 0,
  unhelpfulWeight: 0,
} as const

const selected = [
  'id',
  ...names,
  ...(['verdict', 'state', 'stateBy', 'stateReason', 'passageTimes'] as const),
] as const

export const selectSkills = (db: Db) =>
  db
    .selectFrom('skills')
    .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
    .innerJoin('agents', 'agents.id', 'skills.agent_id')
    .select(columnsOf('skills', [...selected, 'warnings']))
    .select(columnsOf('skills', ['deletedAt', 'copyOf', 'copyBy']))
    .select(columnsOf('repositories', repositoryFields, 'repository_'))
    .select(columnsOf('agents', ownerFields, 'owner_'))

type Row = Awaited<ReturnType<ReturnType<typeof selectSkills>['executeTakeFirstOrThrow']>>

export const toRecord = (row: Row): SkillRecord =>
  Object.assign(fieldsOf(row, selected, ''), {
    tags: JSON.parse(row.tags) as string[],
    deprecated: row.deprecated === null ? null : (JSON.parse(row.deprecated) as Deprecation),
    findings: readFindings(row.warnings),
    copyClaim: readCopyClaim(row),
    repository: fieldsOf(row, repositoryFields, 'repository_'),
    owner: fieldsOf(row, ownerFields, 'owner_'),
  })

/** Shared by all skills without findings, to save memory. */
const noFindings: readonly FindingSummary[] = []

export const readFindings = (text: string | null): readonly FindingSummary[] =>
  text === null ? noFindings : (JSON.parse(text) as FindingSummary[])

export const toVerdictColumns = ({
  verdict,
  findings,
}: Pick<SkillRecord, 'verdict' | 'findings'>) => ({
  verdict,
  warnings: findings.length === 0 ? null : JSON.stringify(findings),
})

const summaryOf = ({ rule, file, line }: FindingSummary): FindingSummary => ({ rule, file, line })

/** Returns the fields of a skill for the result of the lint. */
export const verdictFieldsOf = ({
  verdict,
  findings,
}: Pick<LintResult, 'verdict' | 'findings'>) => ({
  verdict,
  findings: findings.length === 0 ? noFindings : findings.map(summaryOf),
})

const readCopyClaim = ({ copyBy: by, copyOf }: Pick<Row, 'copyBy' | 'copyOf'>): CopyClaim | null =>
  by === 'publisher' || by === 'operator' ? { by, copyOf } : null

export type LintField = 'name' | 'slug' | 'description' | 'tags' | 'readme'

/**
 * Severity of a finding. `advice` concerns only the author, a `notice` is worth attention, and a
 * `warning` may harm users of the skill.
 */
export type LintLevel = 'advice' | 'notice' | 'warning'

export interface Finding {
  rule: string
  level: LintLevel
  message: string
  /** Path of the file, or null for the readme and the skill's fields. */
  file: string | null
  /** Line number from 1, or null. */
  line: number | null
  /** `readme` for the readme and all other files. */
  field: LintField
}

/** The highest severity among the findings, or `clean`. */
export type Verdict = 'clean' | 'notice' | 'warning'

/** What lists and search show of a finding. */
export type FindingSummary = Readonly<Pick<Finding, 'rule' | 'file' | 'line'>>

/** The lint's public result for a version. */
export interface LintResult {
  readonly verdict: Verdict
  /** Most severe first, one per rule, file and line, without advice. */
  readonly findings: readonly Finding[]
  readonly lintVersion: number
}
