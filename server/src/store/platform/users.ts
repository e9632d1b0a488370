import { sql } from 'kysely'
import {
  columnsOf,
  countRows,
  type Db,
  type Fields,
  hasRow,
  isPostgres,
  preparedFirst,
  toRow,
} from '../../db/query.ts'

/** A user's role. An account has at most one owner. */
export type Role = UserRecord['role']

/** Fields that the user and the operator can change. */
export const profileFields = [
  ...(['firstName', 'lastName', 'displayName', 'timezone', 'language'] as const),
  ...(['dept', 'company', 'jobTitle', 'location'] as const),
] as const

export const userFields = [
  ...(['id', 'accountId', 'email', 'role', 'type', 'verified', 'pmi'] as const),
  ...(['createdAt', 'lastLoginAt'] as const),
  ...profileFields,
] as const

export type UserRecord = Pick<Fields<'users'>, (typeof userFields)[number] | 'disabledAt'>

export const userColumns = columnsOf('users', [...userFields, 'disabledAt'])

/** Normalizes an email address for comparison, which ignores case. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

/** The domain of an email address, normalized for comparison. */
export const domainOf = (email: string): string => emailKey(email.slice(email.lastIndexOf('@') + 1))

/** Users who are not removed. */
const present = (db: Db) =>
  db.selectFrom('users').select(userColumns).where('users.removed_at', 'is', null)

export const findUser = (db: Db, id: string): Promise<UserRecord | undefined> => byId(db, { id })

const byId = preparedFirst((db, { id }: { id: string }) => present(db).where('id', '=', id))

export function lockUser(trx: Db, id: string): Promise<UserRecord | undefined> {
  const query = present(trx).where('id', '=', id)
  return (isPostgres(trx) ? query.forNoKeyUpdate() : query).executeTakeFirst()
}

/** Finds a verified user by email, with the password hash. Ignores removed users. */
export const findUserByEmail = (db: Db, email: string) => byEmail(db, { key: emailKey(email) })

const byEmail = preparedFirst((db, { key }: { key: string }) =>
  present(db)
    .select('password_hash as passwordHash')
    // A literal, so that the query can use the partial index on verified emails.
    .where((eb) => eb.and({ email_key: key, verified: sql.lit<0 | 1>(1) })),
)

export const findUserOfAccount = (db: Db, email: string, accountId: string) =>
  present(db)
    .select('password_hash as passwordHash')
    .where((eb) => eb.and({ email_key: emailKey(email), account_id: accountId }))
    .executeTakeFirst()

/** Finds a user by email in an account or its sub-accounts. The account itself comes first. */
export const findUserInAccountTree = (db: Db, email: string, accountId: string) =>
  present(db)
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .where('users.email_key', '=', emailKey(email))
    .where((eb) =>
      eb.or([eb('accounts.id', '=', accountId), eb('accounts.master_account_id', '=', accountId)]),
    )
    .orderBy((eb) => eb.case().when('accounts.id', '=', accountId).then(0).else(1).end())
    .orderBy('users.verified', 'desc')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst()

export const listPendingUsers = (db: Db, accountId: string): Promise<UserRecord[]> =>
  present(db)
    .where((eb) => eb.and({ account_id: accountId, verified: 0 }))
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
type UserStatus = 'active' | 'inactive' | 'pending'

const verified = { active: { verified: 1 }, pending: { verified: 0 }, inactive: {} } as const

const usersOf = (db: Db, accountId: string, status: UserStatus) =>
  db
    .selectFrom('users')
    .where('disabled_at', status === 'inactive' ? 'is not' : 'is', null)
    .where((eb) => eb.and({ account_id: accountId, removed_at: null, ...verified[status] }))

/** Returns up to `limit` users of an account with a status, ordered by id, after the id `after`. */
export const findUsers = (
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
  // A literal, so that the query can use the partial index on owners.
  present(db).where((eb) => eb.and({ account_id: accountId, role: sql.lit<Role>('owner') })),
)

/** Finds the account's owner, otherwise its oldest verified admin or, failing that, user. */
export const findActingOwner = async (db: Db, accountId: string): Promise<UserRecord | undefined> =>
  (await findOwner(db, accountId)) ?? oldestVerifiedUser(db, { accountId })

const oldestVerifiedUser = preparedFirst((db, { accountId }: { accountId: string }) =>
  present(db)
    .where((eb) => eb.and({ account_id: accountId, verified: 1 }))
    .orderBy((eb) => eb.case('role').when('admin').then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)

export type ListedUser = UserRecord & { accountName: string }

const select = (db: Db) =>
  present(db)
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('accounts.name as accountName')
    .orderBy('users.id')

/** Returns up to `limit` users, ordered by id, after the id `after`. */
export const listAllUsers = (
  db: Db,
  { after, limit, disabled }: { after: string; limit: number; disabled?: boolean | undefined },
): Promise<ListedUser[]> =>
  select(db)
    .where('users.id', '>', after)
    .$if(disabled === true, (query) => query.where('users.disabled_at', 'is not', null))
    .limit(limit)
    .execute()

export const findUsersNamed = (db: Db, name: string): Promise<ListedUser[]> =>
  select(db)
    .where((eb) => eb.or([eb('users.id', '=', name), eb('users.email_key', '=', emailKey(name))]))
    .execute()

const changeable = [...profileFields, 'email', 'role', 'verified', 'passwordHash'] as const

/** Undefined fields keep their values. */
export type UserChanges = {
  [K in (typeof changeable)[number]]?: Fields<'users'>[K] | undefined
}

/**
 * Stores a user. Throws `UniqueViolation` if the account already has the email, if both this and
 * another user with the email are verified, or if the account has an owner already.
 */
export const insertUser = (
  trx: Db,
  user: Omit<UserRecord, 'disabledAt'> & { passwordHash: string },
) =>
  trx
    .insertInto('users')
    .values({ ...toRow(user, [...userFields, 'passwordHash']), email_key: emailKey(user.email) })
    .execute()

/** Throws `UniqueViolation` for a taken email or a second owner. */
export async function updateUserFields(trx: Db, id: string, changes: UserChanges): Promise<void> {
  const { email } = changes
  const emailChange = email !== undefined && { email_key: emailKey(email) }
  const columns = { ...toRow(changes, changeable), ...emailChange }
  if (Object.values(columns).every((value) => value === undefined)) return
  await trx.updateTable('users').set(columns).where('id', '=', id).execute()
}

/** Records a sign-in and returns the user's account id, or undefined if the user does not exist. */
export async function updateLastLogin(trx: Db, id: string, now: number) {
  const update = trx.updateTable('users').set({ last_login_at: now }).where('id', '=', id)
  return (await update.returning('account_id').executeTakeFirst())?.account_id
}

/** Marks a user as removed. Other tables refer to the row. */
export const markUserRemoved = (trx: Db, id: string, now: number) =>
  trx.updateTable('users').set({ removed_at: now }).where('id', '=', id).execute()

/** Disables a user, or enables it if `at` is null. Returns undefined if nothing changed. */
export const setUserDisabled = (trx: Db, id: string, at: number | null) =>
  trx
    .updateTable('users')
    .set({ disabled_at: at })
    .where('id', '=', id)
    .where('disabled_at', at === null ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
