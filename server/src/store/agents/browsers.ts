import { type Db, type Fields, preparedFirst, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { holders } from './api-keys.ts'

/** Stores a browser that is signed in with a key, or one that shows a code until then. */
export const insertBrowser = (trx: Db, browser: Fields<'browser_sessions'> & { key: SecretHash }) =>
  trx
    .insertInto('browser_sessions')
    .values(toRow(browser, ['key', 'apiKeyId', 'code', 'network', 'expiresAt']))
    .execute()

/** Finds the agent, maybe blocked, of a signed-in browser. Its key may have expired. */
export const findAgentByBrowser = preparedFirst(
  (db, { key, now }: { key: SecretHash; now: number }) =>
    holders(db)
      .innerJoin('browser_sessions', 'browser_sessions.api_key_id', 'api_keys.id')
      .where('browser_sessions.key', '=', key)
      .where('browser_sessions.expires_at', '>', now),
)

/** Signs the browser in that shows a code. Returns its network, or undefined if there is none. */
export const signInBrowser = (
  trx: Db,
  { code, now, ...signedIn }: { code: string; now: number; apiKeyId: string; expiresAt: number },
) =>
  trx
    .updateTable('browser_sessions')
    .set({ ...toRow(signedIn, ['apiKeyId', 'expiresAt']), code: null })
    .where('code', '=', code)
    .where('expires_at', '>', now)
    .returning('network')
    .executeTakeFirst()

export const deleteBrowser = (trx: Db, key: SecretHash) =>
  trx.deleteFrom('browser_sessions').where('key', '=', key).execute()
