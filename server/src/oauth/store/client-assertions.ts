import { toRow } from '../../db/fields.ts'
import { preparedFirst } from '../../db/prepared.ts'

/** Stores the use of a client assertion. Returns undefined if it was used before. */
export const insertClientAssertion = preparedFirst((db, use: { key: string; expiresAt: number }) =>
  db
    .insertInto('client_assertions')
    .values(toRow(use, ['key', 'expiresAt']))
    .onConflict((conflict) => conflict.doNothing())
    .returning('key'),
)
