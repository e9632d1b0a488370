import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'
import { undecided } from './states.ts'

const fields = ['answeredBy', 'decision', 'text', 'createdAt'] as const

/** An answer to the findings in a skill's current version. Times are milliseconds since 1970. */
export type AnswerRecord = Pick<Fields<'answers'>, (typeof fields)[number]>

/** Inserts an answer, or replaces an earlier one of the same party. */
export const upsertAnswer = (trx: Db, skillId: string, answer: AnswerRecord) =>
  trx
    .insertInto('answers')
    .values(toRow({ skillId, ...answer }, ['skillId', ...fields]))
    .onConflict((conflict) =>
      conflict
        .columns(['skill_id', 'answered_by'])
        .doUpdateSet(toRow(answer, ['decision', 'text', 'createdAt'])),
    )
    .execute()

/** Lists the answers about a skill's current version, oldest first. */
export const listAnswers = (db: Db, skillId: string): Promise<AnswerRecord[]> =>
  db
    .selectFrom('answers')
    .select(columnsOf('answers', fields))
    .where('skill_id', '=', skillId)
    .orderBy('created_at')
    .orderBy('answered_by')
    .execute()

/** Deletes answers about a text that has changed. Holds and hiding by the operator remain. */
export async function forgetAnswers(trx: Db, skillId: string): Promise<void> {
  await trx
    .deleteFrom('answers')
    .where('skill_id', '=', skillId)
    .where('decision', '<>', 'held')
    .execute()
  await trx
    .updateTable('skills')
    .set(toRow(undecided, ['state', 'stateBy', 'stateReason']))
    .where((eb) => eb.and({ id: skillId, state: 'visible' }))
    .execute()
}
