import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, hasRow, prepared, toRow } from '../../db/query.ts'

/** A version's text that agents or the operator have judged. */
export interface JudgedText extends Pick<Fields<'judged_texts'>, 'skillId' | 'version' | 'digest'> {
  /** See copies/fingerprint.ts. */
  passages: readonly number[]
}

export interface RecordedText extends JudgedText {
  agentId: string
  judgedAt: number
}

const ofSkill = [
  'agentId',
  'repositoryId',
  'slug',
  'createdAt',
  'deletedAt',
  'state',
  'stateBy',
  'stateReason',
  'stateAt',
  'copyOf',
  'copyBy',
  'copyReason',
  'networkFetchCount',
] as const

/** A judged text with the state of its skill, which may be deleted. */
export interface KnownText extends JudgedText, Pick<Fields<'skills'>, (typeof ofSkill)[number]> {
  /** Current version of the skill. */
  current: number
}

/**
 * Inserts a judged text, or replaces its earlier reading. `indexed` are the passages for finding
 * similar texts.
 */
export async function upsertJudgedText(
  trx: Db,
  { passages, ...text }: RecordedText,
  indexed: readonly number[],
): Promise<void> {
  const version = toRow(text, ['skillId', 'version'])
  const read = { digest: text.digest, passages: writePassages(passages) }
  await trx
    .insertInto('judged_texts')
    .values({ ...version, ...toRow(text, ['agentId', 'judgedAt']), ...read })
    .onConflict((conflict) => conflict.columns(['skill_id', 'version']).doUpdateSet(read))
    .execute()
  await trx
    .deleteFrom('judged_passages')
    .where((eb) => eb.and(version))
    .execute()
  if (indexed.length === 0) return
  await trx
    .insertInto('judged_passages')
    .values(indexed.map((passage) => ({ passage, ...version })))
    .execute()
}

/** Raise this when the reading of texts changes. Judged texts are then read again. */
const reading = '3:'

const writePassages = (passages: readonly number[]) => reading + JSON.stringify(passages)

/** Lists judged texts that an older reading has read and whose version exists. */
export const listOutdatedTexts = (db: Db) =>
  db
    .selectFrom('judged_texts')
    .innerJoin('skill_versions', (join) =>
      join
        .onRef('skill_versions.skill_id', '=', 'judged_texts.skill_id')
        .onRef('skill_versions.version', '=', 'judged_texts.version'),
    )
    .select(columnsOf('judged_texts', ['skillId', 'version', 'agentId', 'judgedAt']))
    .where('passages', 'not like', `${reading}%`)
    .execute()

export const hasJudgedTexts = async (db: Db) => (await anyJudgedText(db, {})).length > 0

const anyJudgedText = prepared((db) => db.selectFrom('judged_texts').select('version').limit(1))

const selectVoted = (db: Db, skillId: string) => {
  const of = (table: 'votes' | 'feedback' | 'stars') =>
    db.selectFrom(table).select('version').where('skill_id', '=', skillId)
  return of('votes').union(of('feedback')).union(of('stars'))
}

/** Lists a skill's versions with votes, feedback or stars. */
export const listVotedVersions = async (db: Db, skillId: string): Promise<number[]> =>
  (await selectVoted(db, skillId).execute()).map(({ version }) => version)

/** Lists a skill's versions with votes, feedback, stars or open reports. */
export async function listJudgedVersions(db: Db, skillId: string): Promise<number[]> {
  const reported = db
    .selectFrom('reports')
    .select('version')
    .where((eb) => eb.and({ skill_id: skillId, resolved_at: null }))
  const rows = await selectVoted(db, skillId).union(reported).execute()
  return rows.map(({ version }) => version)
}

export async function listJudgedTexts(db: Db, skillId: string): Promise<JudgedText[]> {
  const rows = await db
    .selectFrom('judged_texts')
    .select(columnsOf('judged_texts', fields))
    .where('skill_id', '=', skillId)
    .execute()
  return rows.map(toText)
}

const fields = ['skillId', 'version', 'digest', 'passages'] as const

const toText = <R extends { passages: string }>(row: R) => ({
  ...row,
  passages: JSON.parse(row.passages.replace(/^\d+:/, '')) as number[],
})

const selectKnown = (db: Db) =>
  db
    .selectFrom('judged_texts')
    .innerJoin('skills', 'skills.id', 'judged_texts.skill_id')
    .select(columnsOf('judged_texts', fields))
    .select(columnsOf('skills', ofSkill))
    .select('skills.version as current')

export const listTextsOfAgent = async (db: Db, of: { agentId: string; limit: number }) =>
  (await textsOfAgent(db, of)).map(toText)

const textsOfAgent = prepared((db, { agentId, limit }: { agentId: string; limit: number }) =>
  selectKnown(db)
    .where('judged_texts.agent_id', '=', agentId)
    .orderBy('judged_texts.judged_at', 'desc')
    .limit(limit),
)

/** Lists judged texts with one of some digests, and those that share the most passages. */
export async function listTextsLike(
  db: Db,
  digests: readonly string[],
  passages: readonly number[],
): Promise<KnownText[]> {
  const found = new Map<string, KnownText>()
  const wanted = [...new Set(digests)].filter((digest) => digest !== '')
  for (const rows of [
    wanted.length === 0 ? [] : await textsOfDigests(db, wanted),
    ...(await Promise.all(batchesOf(passages).map((some) => textsOfPassages(db, some)))),
  ]) {
    for (const row of rows) found.set(`${row.skillId} ${row.version}`, toText(row))
  }
  return [...found.values()]
}

/** Passages per query. */
const lookupBatch = 5000

const batchesOf = (passages: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(passages.length / lookupBatch) }, (_, at) =>
    passages.slice(at * lookupBatch, (at + 1) * lookupBatch),
  )

const textsOfDigests = (db: Db, digests: readonly string[]) =>
  selectKnown(db).where('judged_texts.digest', 'in', digests).limit(maxSimilar).execute()

/** Maximum number of compared texts, which bounds the time of a publish. */
const maxSimilar = 50

const textsOfPassages = (db: Db, passages: readonly number[]) =>
  selectKnown(db)
    .innerJoin(
      (eb) =>
        eb
          .selectFrom('judged_passages')
          .innerJoin('skills', 'skills.id', 'judged_passages.skill_id')
          .select(['skill_id', 'judged_passages.version'])
          .where('passage', 'in', passages)
          .groupBy(['skill_id', 'judged_passages.version', 'skills.state'])
          // Removed texts must not be crowded out by other judged texts.
          .orderBy((of) => of('skills.state', '=', 'hidden'), 'desc')
          .orderBy((of) => of.fn.countAll(), 'desc')
          .limit(maxSimilar)
          .as('near'),
      (join) =>
        join
          .onRef('near.skill_id', '=', 'judged_texts.skill_id')
          .onRef('near.version', '=', 'judged_texts.version'),
    )
    .execute()

/** Returns whether an agent published a readme with this digest before a time. */
export const hadReadme = (db: Db, agentId: string, digest: string, before: number) =>
  hasRow(
    db
      .selectFrom('skill_versions')
      .innerJoin('skills', 'skills.id', 'skill_versions.skill_id')
      .select('skills.id')
      .where((eb) => eb.and({ 'skills.agent_id': agentId, 'skill_versions.digest': digest }))
      .where('skill_versions.created_at', '<', before)
      .limit(1),
  )

/** Finds another skill of an agent with the same readme. */
export async function findTwin(
  db: Db,
  { id, digest, agentId }: { id: string; digest: string; agentId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('skills')
    .select('id')
    .where((eb) => eb.and({ agent_id: agentId, digest }))
    .where('id', '<>', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const reassignJudgedTexts = (
  trx: Db,
  [column, id]: ['id' | 'repository_id', string],
  agentId: string,
) =>
  trx
    .updateTable('judged_texts')
    .set({ agent_id: agentId })
    .where('skill_id', 'in', (eb) =>
      eb.selectFrom('skills').select('id').where(column, '=', id).where('deleted_at', 'is', null),
    )
    .execute()

/** Records the texts of skills hidden by their agent's block, by digest only. */
export const insertJudgedTextsOfHidden = (trx: Db, agentId: string) =>
  sql`
    insert into judged_texts (skill_id, version, agent_id, digest, passages, judged_at)
    select id, version, agent_id, digest, ${writePassages([])}, updated_at from skills
    where agent_id = ${agentId} and state_by = 'block' and deleted_at is null
    on conflict (skill_id, version) do nothing`.execute(trx)
