import { sql } from 'kysely'
import { columnsOf } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { preparedFirst } from '../../db/prepared.ts'
import { countRows, hasRow } from '../../db/rows.ts'
import { emailKey, type UserRecord, userColumns } from './user-record.ts'

export const findUser = (db: Db, id: string): Promise<UserRecord | undefined> => byId(db, { id })

const byId = preparedFirst((db, { id }: { id: string }) =>
  db.selectFrom('users').select(userColumns).where('id', '=', id).where('removed_at', 'is', null),
)

/** Finds a verified user by email, with the password hash. Ignores removed users. */
export const findUserByEmail = (db: Db, email: string) => byEmail(db, { key: emailKey(email) })

const byEmail = preparedFirst((db, { key }: { key: string }) =>
  db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where('email_key', '=', key)
    // A literal, so that the query can use the partial index on verified emails.
    .where('verified', '=', sql.lit(1))
    .where('removed_at', 'is', null),
)

export const findUserOfAccount = (db: Db, email: string, accountId: string) =>
  db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where('email_key', '=', emailKey(email))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

/** Finds a user by email in an account or its sub-accounts. The account itself comes first. */
export const findUserInAccountTree = (db: Db, email: string, accountId: string) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(userColumns)
    .where('users.email_key', '=', emailKey(email))
    .where('users.removed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('accounts.id', '=', accountId), eb('accounts.master_account_id', '=', accountId)]),
    )
    .orderBy((eb) => eb.case().when('accounts.id', '=', accountId).then(0).else(1).end())
    .orderBy('users.verified', 'desc')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst()

export const listPendingUsers = (db: Db, accountId: string): Promise<UserRecord[]> =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .where('verified', '=', 0)
    .where('removed_at', 'is', null)
    .execute()

/** Whether a user, even a removed one, has this personal meeting number. */
export const isPmiTaken = (db: Db, pmi: number) =>
  hasRow(db.selectFrom('users').select('id').where('pmi', '=', pmi))

/** Finds the account's name and the personal meeting, whose fields are null if it was deleted. */
export const findAccountAndMeeting = preparedFirst(
  (db, { accountId, pmi }: Pick<UserRecord, 'accountId' | 'pmi'>) =>
    db
      .selectFrom('accounts')
      .leftJoin('meetings', (join) =>
        join.on('meetings.id', '=', pmi).on('meetings.deleted_at', 'is', null),
      )
      .select(['accounts.name as accountName', ...columnsOf('meetings', ['uuid', 'password'])])
      .where('accounts.id', '=', accountId),
)

/** `pending` until the email is verified, `inactive` while disabled. */
export type UserStatus = 'active' | 'inactive' | 'pending'

const usersOf = (db: Db, accountId: string, status: UserStatus) =>
  db
    .selectFrom('users')
    .where('account_id', '=', accountId)
    .where('disabled_at', status === 'inactive' ? 'is not' : 'is', null)
    .$if(status !== 'inactive', (query) =>
      query.where('verified', '=', status === 'active' ? 1 : 0),
    )
    .where('removed_at', 'is', null)

/** Returns up to `limit` users of an account with a status, ordered by id, after the id `after`. */
export const listUsers = (
  db: Db,
  accountId: string,
  { status = 'active', after, limit }: { status?: UserStatus; after: string; limit: number },
) =>
  usersOf(db, accountId, status)
    .select(userColumns)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const countUsers = (db: Db, accountId: string, status: UserStatus = 'active') =>
  countRows(usersOf(db, accountId, status))

export const findOwner = (db: Db, accountId: string): Promise<UserRecord | undefined> =>
  ownerOf(db, { accountId })

const ownerOf = preparedFirst((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    // A literal, so that the query can use the partial index on owners.
    .where('role', '=', sql.lit('owner'))
    .where('removed_at', 'is', null),
)

/** Finds the account's owner, otherwise its oldest verified admin or, failing that, user. */
export const findActingOwner = async (db: Db, accountId: string): Promise<UserRecord | undefined> =>
  (await findOwner(db, accountId)) ?? oldestVerifiedUser(db, { accountId })

const oldestVerifiedUser = preparedFirst((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .where('verified', '=', 1)
    .where('removed_at', 'is', null)
    .orderBy((eb) => eb.case('role').when('admin').then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)
