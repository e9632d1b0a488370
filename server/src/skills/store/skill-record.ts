import { type AgentRecord, agentFields } from '../../agents/store/agents.ts'
import { columnsOf, type Fields, fieldsOf } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import type { Finding, Judgement, Verdict } from '../../moderation/lint/types.ts'
import { type RepositoryRecord, repositoryFields } from './repositories.ts'

/** What the publisher of a skill or an operator says of where it comes from. */
export interface CopyWord {
  by: 'publisher' | 'operator'
  /** Id of the skill that it is a copy of; null where an operator says that it is none. */
  copyOf: string | null
}

/** Fields that are written with each version of a skill; `tags` is JSON in the database. */
export const writtenFields = [
  ...(['slug', 'name', 'description', 'tags', 'digest', 'version', 'updatedAt'] as const),
  /** The whole description, where an import had to cut it; the index reads it. */
  'indexedDescription',
  /** Revision of the registry at its last change. */
  'revision',
] as const

/** Fields that are counted by themselves, or never change. */
const countedFields = [
  ...(['starCount', 'fetchCount', 'feedbackCount', 'helpfulCount', 'createdAt'] as const),
  /** Networks that fetched it, each counted once a day. */
  'networkFetchCount',
  ...(['helpfulWeight', 'unhelpfulWeight'] as const),
] as const

/** What queries select of a skill and a record has: a new field is a line in one of the lists. */
const names = [...writtenFields, ...countedFields] as const

const ownerFields = agentFields.filter((name) => name !== 'bio' && name !== 'createdAt')

/** A live skill without its readme. Times are milliseconds since 1970. */
export interface SkillRecord
  extends Pick<
    Fields<'skills'>,
    'id' | 'state' | 'stateBy' | 'stateReason' | Exclude<(typeof names)[number], 'tags'>
  > {
  tags: readonly string[]
  /** What the lint says of the current version. */
  verdict: Verdict
  /** What was found, gravest first. */
  warnings: readonly Finding[]
  /** What is said of where it comes from; null where nothing is. */
  copyWord: CopyWord | null
  /** Times of passages (copies/passage-times.ts); only of a record that was read from the database. */
  passageTimes?: string | null
  repository: RepositoryRecord
  owner: Pick<Fields<'agents'>, (typeof ownerFields)[number]>
}

/** An agent as the owner of a skill. */
export const ownerOf = (agent: AgentRecord): SkillRecord['owner'] =>
  fieldsOf(agent, ownerFields, '')

/** What a skill has when it is new. */
export const newRecord = {
  state: 'visible',
  stateBy: null,
  stateReason: null,
  copyWord: null,
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

/** Skills with their repositories and owners; `toRecord` makes records of the rows. */
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

/** The record of a row. */
export const toRecord = (row: Row): SkillRecord =>
  Object.assign(fieldsOf(row, selected, ''), {
    tags: JSON.parse(row.tags) as string[],
    warnings: readWarnings(row.warnings),
    copyWord: readWord(row),
    repository: fieldsOf(row, repositoryFields, 'repository_'),
    owner: fieldsOf(row, ownerFields, 'owner_'),
  })

/** Skills without findings share one list. */
const noWarnings: readonly Finding[] = []

/** The findings that the column holds. */
export const readWarnings = (text: string | null): readonly Finding[] =>
  text === null ? noWarnings : (JSON.parse(text) as Finding[])

/** The columns of what a skill shows of its verdict. */
export const toVerdictColumns = ({
  verdict,
  warnings,
}: Pick<SkillRecord, 'verdict' | 'warnings'>) => ({
  verdict,
  warnings: warnings.length === 0 ? null : JSON.stringify(warnings),
})

const findingOf = ({ rule, file, line }: Finding): Finding => ({ rule, file, line })

/** What a skill shows of a judgement of its current version. */
export const shownOf = ({ verdict, findings }: Judgement) => ({
  verdict,
  warnings: findings.length === 0 ? noWarnings : findings.map(findingOf),
})

const readWord = ({ copyBy: by, copyOf }: Pick<Row, 'copyBy' | 'copyOf'>): CopyWord | null =>
  by === 'publisher' || by === 'operator' ? { by, copyOf } : null
