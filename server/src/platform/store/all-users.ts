import type { Db } from '../../db/open.ts'
import { emailKey, type UserRecord, userColumns } from './user-record.ts'

export type ListedUser = UserRecord & { accountName: string }

const select = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select([...userColumns, 'accounts.name as accountName'])
    .where('users.removed_at', 'is', null)
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
