import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, prepared, preparedFirst, toRow } from '../../db/query.ts'
import type { Matchable } from '../../secrets/encryption.ts'
import { dateKey, type SecretHash } from '../../secrets/secrets.ts'

const issued = ['key', 'userCode', 'clientId', 'address', 'createdAt', 'expiresAt'] as const
const fields = [...issued, 'scopes', 'intervalSeconds'] as const
const all = [...fields, 'state', 'userId', 'endReason', 'polledAt'] as const

type NewDeviceCode = Pick<Fields<'device_codes'>, (typeof fields)[number]> & { key: SecretHash }

export type DeviceCode = Pick<Fields<'device_codes'>, (typeof all)[number]>

/** Stores a device code by its hash. Throws `UniqueViolation` if the user code is in use. */
export const insertDeviceCode = prepared((db, code: NewDeviceCode) =>
  db.insertInto('device_codes').values({ ...toRow(code, fields), state: 'pending' }),
)

const select = (db: Db) => db.selectFrom('device_codes').select(columnsOf('device_codes', all))

export const findDeviceCode = preparedFirst((db, { key }: { key: SecretHash }) =>
  select(db).where('key', '=', key),
)

/** Finds a device code by its user code. `forms` are its stored forms, one per encryption key. */
export const findByUserCode = (db: Db, forms: readonly Matchable[]) =>
  select(db).where('user_code', 'in', forms).executeTakeFirst()

/**
 * Records a poll and returns the interval that applies from now on, in seconds. A poll that comes
 * too early increases it by `slowDownBy`. This is a single statement, so that every concurrent poll
 * counts.
 */
export const notePoll = (trx: Db, poll: { key: string; now: number; slowDownBy: number }) =>
  trx
    .updateTable('device_codes')
    .set((eb) => ({
      polled_at: poll.now,
      interval_seconds: eb
        .case()
        .when(sql<boolean>`${poll.now} - polled_at < interval_seconds * 1000`)
        .then(eb('interval_seconds', '+', poll.slowDownBy))
        .else(eb.ref('interval_seconds'))
        .end(),
    }))
    .where('key', '=', poll.key)
    .returning('interval_seconds as intervalSeconds')
    .executeTakeFirst()

/** Marks a code as exchanged. Returns undefined if it has ended or was already exchanged. */
export const redeemDeviceCode = (trx: Db, key: string) =>
  trx
    .updateTable('device_codes')
    .set({ state: 'redeemed' })
    .where((eb) => eb.and({ key, state: 'authorized', end_reason: null }))
    .returning('key')
    .executeTakeFirst()

/** Returns the devices that a user has allowed and that have not connected yet, by request time. */
export const listAllowedDevices = (
  db: Db,
  { userId, issuedAfter, now }: { userId: string; issuedAfter: number; now: number },
) =>
  db
    .selectFrom('device_codes')
    .innerJoin('clients', 'clients.client_id', 'device_codes.client_id')
    .innerJoin('apps', 'apps.id', 'clients.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .select(['apps.id as appId', 'apps.name', 'accounts.name as accountName'])
    .select(['device_codes.created_at as since', 'device_codes.scopes'])
    // Keys start with the time of issue, so this reads only recent codes.
    .where('device_codes.key', '>=', dateKey(issuedAfter))
    .where((eb) => eb.and({ user_id: userId, state: 'authorized', end_reason: null }))
    .where('device_codes.expires_at', '>', now)
    .orderBy('device_codes.created_at')
    .execute()

/** Records the user's decision. Returns undefined if the code was already decided. */
export const decideDeviceCode = (
  trx: Db,
  decision: { key: string; state: 'authorized' | 'denied'; userId: string; scopes: string },
) =>
  trx
    .updateTable('device_codes')
    .set({ state: decision.state, user_id: decision.userId, scopes: decision.scopes })
    .where((eb) => eb.and({ key: decision.key, state: 'pending' }))
    .returning('key')
    .executeTakeFirst()
