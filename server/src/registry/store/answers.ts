import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import type { AnswerState } from '../lint/quarantine.ts'

const fields = ['answeredBy', 'decision', 'text', 'createdAt'] as const

/** What was answered to what keeps a version out of resolve. Times are milliseconds since 1970. */
export type AnswerRecord = Pick<Fields<'answers'>, (typeof fields)[number]>

type Place = Pick<Fields<'answers'>, 'skillId' | 'version'>

/** Keeps an answer in the place of an earlier one of the same party. */
export async function keepAnswer(trx: Db, place: Place, answer: AnswerRecord): Promise<void> {
  await trx
    .insertInto('answers')
    .values(toRow({ ...place, ...answer }, ['skillId', 'version', ...fields]))
    .onConflict((conflict) =>
      conflict
        .columns(['skill_id', 'version', 'answered_by'])
        .doUpdateSet(toRow(answer, ['decision', 'text', 'createdAt'])),
    )
    .execute()
}

/** The answers of a version, oldest first. */
export const listAnswers = (db: Db, { skillId, version }: Place): Promise<AnswerRecord[]> =>
  db
    .selectFrom('answers')
    .select(columnsOf('answers', fields))
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .orderBy('created_at')
    .orderBy('answered_by')
    .execute()

/**
 * Forgets what was answered of a version whose text has changed, but for a hold of the operator, which
 * goes on with the version that is now current.
 */
export async function forgetAnswers(
  trx: Db,
  { skillId, version }: Place,
  current: number,
): Promise<void> {
  const answers = trx.deleteFrom('answers').where('skill_id', '=', skillId)
  await answers.where('version', '=', version).where('decision', '<>', 'held').execute()
  if (current === version) return
  await trx
    .updateTable('answers')
    .set({ version: current })
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .execute()
}

/** Keeps the last word on the current version of a skill. */
export async function setAnswer(
  trx: Db,
  skillId: string,
  answer: AnswerState,
  revision: number,
): Promise<void> {
  await trx.updateTable('skills').set({ answer, revision }).where('id', '=', skillId).execute()
}
