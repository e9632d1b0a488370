import { sql } from 'kysely'
import { columnsOf, type Db, preparedFirst, toRow } from '../../db/query.ts'
import { insertJudgedTextsOfHidden } from './judged-texts.ts'
import { isKept } from './revision.ts'
import type { SkillRecord } from './skill-record.ts'

type SkillState = Pick<SkillRecord, 'state' | 'stateBy' | 'stateReason'>

export const undecided = { state: 'visible', stateBy: null, stateReason: null } as const

/** Sets the state of a skill. `at` is in milliseconds since 1970. */
export const setState = (
  trx: Db,
  id: string,
  state: SkillState & { at: number },
  revision: number,
) =>
  trx
    .updateTable('skills')
    .set({ ...toRow(state, ['state', 'stateBy', 'stateReason']), state_at: state.at, revision })
    .where('id', '=', id)
    .execute()

/** Hides the visible skills of a blocked agent. Returns the repository id of each. */
export async function hideSkillsOfAgent(
  trx: Db,
  agentId: string,
  { reason, now, revision }: { reason: string; now: number; revision: number },
): Promise<string[]> {
  const rows = await trx
    .updateTable('skills')
    .set({ state: 'hidden', state_by: 'block', state_reason: reason, state_at: now, revision })
    .where('agent_id', '=', agentId)
    .where(isKept)
    .returning('repository_id')
    .execute()
  await insertJudgedTextsOfHidden(trx, agentId)
  return rows.map((row) => row.repository_id)
}

/**
 * Restores a hidden skill, or all skills hidden by an agent's block, to the state that their
 * answers determine. Returns the repository ids.
 */
export async function showSkills(
  trx: Db,
  which: { id: string } | { agentId: string },
  revision: number,
): Promise<string[]> {
  // An operator's answer takes precedence over the publisher's.
  const answered = <T>(column: 'answered_by' | 'text' | 'created_at') =>
    sql<T | null>`(select ${sql.ref(column)} from answers where answers.skill_id = skills.id
      order by answered_by limit 1)`
  let update = trx
    .updateTable('skills')
    .set({
      state: sql<'visible' | 'held'>`case when exists (select 1 from answers
        where answers.skill_id = skills.id and decision = 'held') then 'held' else 'visible' end`,
      state_by: answered<'operator' | 'publisher'>('answered_by'),
      state_reason: answered<string>('text'),
      state_at: answered<number>('created_at'),
      revision,
    })
    .where('deleted_at', 'is', null)
  update =
    'id' in which
      ? update.where('id', '=', which.id)
      : update.where('agent_id', '=', which.agentId).where('state_by', '=', 'block')
  const rows = await update.returning('repository_id').execute()
  return rows.map((row) => row.repository_id)
}

/** Finds a skill at an address that is hidden or was removed by the operator. */
export const findHiddenAt = preparedFirst((db, at: { repositoryId: string; slug: string }) =>
  db
    .selectFrom('skills')
    .select(columnsOf('skills', ['stateReason', 'deletedAt']))
    .where((eb) => eb.and({ repository_id: at.repositoryId, slug: at.slug, state: 'hidden' })),
)
