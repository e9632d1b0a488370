import type { Db } from '../../db/open.ts'
import type { Finding, Judgement, Verdict } from '../lint/judge.ts'
import type { RepositoryRecord } from './repositories.ts'

/** What the publisher of a skill or an operator says of where it comes from. */
export interface CopyWord {
  by: 'publisher' | 'operator'
  /** Id of the skill that it is a copy of; null where an operator says that it is none. */
  copyOf: string | null
}

/** A live skill without its readme. Times are milliseconds since 1970. */
export interface SkillRecord {
  id: string
  slug: string
  name: string
  description: string
  /** The whole description, where an import had to cut it; the index reads it. */
  indexedDescription: string | null
  tags: readonly string[]
  version: number
  digest: string
  starCount: number
  fetchCount: number
  /** Networks that fetched it, each counted once a day. */
  networkFetchCount: number
  feedbackCount: number
  helpfulCount: number
  helpfulWeight: number
  unhelpfulWeight: number
  createdAt: number
  updatedAt: number
  /** Revision of the registry at its last change. */
  revision: number
  /** What the lint says of the current version; null until it has been linted. */
  verdict: Verdict | null
  /** What was found, gravest first. */
  warnings: readonly Finding[]
  /** Why the operator hides it; only of a skill that readers do not see. */
  hiddenReason?: string
  /** What is said of where it comes from; null where nothing is. */
  copyWord: CopyWord | null
  /** Times of passages (copies/times.ts); only of a record that was read from the database. */
  passageTimes?: string | null
  repository: RepositoryRecord
  owner: { id: string; username: string; displayName: string | null; verifiedAs: string | null }
}

/** Skills with their repositories and owners; `toRecord` makes records of the rows. */
export const selectSkills = (db: Db) =>
  db
    .selectFrom('skills')
    .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
    .innerJoin('agents', 'agents.id', 'skills.agent_id')
    .select([
      'skills.id',
      'skills.slug',
      'skills.name',
      'skills.description',
      'skills.indexed_description',
      'skills.tags',
      'skills.version',
      'skills.digest',
      'skills.star_count',
      'skills.fetch_count',
      'skills.network_fetch_count',
      'skills.feedback_count',
      'skills.helpful_count',
      'skills.helpful_weight',
      'skills.unhelpful_weight',
      'skills.created_at',
      'skills.updated_at',
      'skills.deleted_at',
      'skills.hidden_at',
      'skills.hidden_reason',
      'skills.revision',
      'skills.verdict',
      'skills.warnings',
      'skills.passage_times',
      'skills.copy_of',
      'skills.copy_by',
      'repositories.id as repository_id',
      'repositories.agent_id as repository_agent_id',
      'repositories.owner as repository_owner',
      'repositories.name as repository_name',
      'repositories.star_count as repository_star_count',
      'repositories.upstream_stars as repository_upstream_stars',
      'repositories.download_count as repository_download_count',
      'repositories.verified_as as repository_verified_as',
      'agents.id as agent_id',
      'agents.username as agent_username',
      'agents.display_name as agent_display_name',
      'agents.verified_as as agent_verified_as',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectSkills>['executeTakeFirstOrThrow']>>

/** The record of a row. */
export const toRecord = (row: Row): SkillRecord => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  indexedDescription: row.indexed_description,
  tags: JSON.parse(row.tags) as string[],
  version: row.version,
  digest: row.digest,
  starCount: row.star_count,
  fetchCount: row.fetch_count,
  networkFetchCount: row.network_fetch_count,
  feedbackCount: row.feedback_count,
  helpfulCount: row.helpful_count,
  helpfulWeight: row.helpful_weight,
  unhelpfulWeight: row.unhelpful_weight,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
  verdict: row.verdict,
  warnings: readWarnings(row.warnings),
  ...(row.hidden_at === null ? {} : { hiddenReason: row.hidden_reason ?? '' }),
  copyWord: readWord(row),
  passageTimes: row.passage_times,
  repository: {
    id: row.repository_id,
    agentId: row.repository_agent_id,
    owner: row.repository_owner,
    name: row.repository_name,
    starCount: row.repository_star_count,
    importedStars: row.repository_upstream_stars,
    downloadCount: row.repository_download_count,
    verifiedAs: row.repository_verified_as,
  },
  owner: {
    id: row.agent_id,
    username: row.agent_username,
    displayName: row.agent_display_name,
    verifiedAs: row.agent_verified_as,
  },
})

/** Skills without findings share one list. */
const noWarnings: readonly Finding[] = []

/** The findings that the column holds. */
export const readWarnings = (text: string | null): readonly Finding[] =>
  text === null
    ? noWarnings
    : (JSON.parse(text) as [string, number | null][]).map(([rule, line]) => ({ rule, line }))

/** The columns of what a skill shows of its verdict. */
export const toVerdictColumns = (shown: {
  verdict: Verdict | null
  warnings: readonly Finding[]
}) => ({
  verdict: shown.verdict,
  warnings:
    shown.warnings.length === 0
      ? null
      : JSON.stringify(shown.warnings.map(({ rule, line }) => [rule, line])),
})

/** What a skill shows of a judgement of its current version. */
export const shownOf = ({ verdict, findings }: Judgement) => ({
  verdict,
  warnings: findings.length === 0 ? noWarnings : findings.map(({ rule, line }) => ({ rule, line })),
})

const readWord = ({
  copy_by: by,
  copy_of: copyOf,
}: Pick<Row, 'copy_by' | 'copy_of'>): CopyWord | null =>
  by === 'publisher' || by === 'operator' ? { by, copyOf } : null
