import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'
import { isGrantUsable } from '../oauth/grants.ts'

export type ContentType = Fields<'content_accesses'>['contentType']

const fields = ['id', 'meetingId', 'contentType', 'createdAt'] as const
const reporterFields = ['appId', 'grantId', 'accountId'] as const

/** The app that reported an access. `grantId` is null for an account token. */
export type Reporter = Readonly<Pick<Fields<'content_accesses'>, (typeof reporterFields)[number]>>

type NewContentAccess = Pick<Fields<'content_accesses'>, (typeof fields)[number]>

export type ContentAccessRecord = NewContentAccess & { appName: string; approvedBy: string }

/** Stores an access, unless the reporter already has an active one of this type to this meeting. */
export const insertContentAccess = (trx: Db, access: NewContentAccess, by: Reporter) =>
  trx
    .insertInto('content_accesses')
    .values({ ...toRow(access, fields), ...toRow(by, reporterFields) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const activeAccesses = (db: Db, meetingId: number) =>
  db
    .selectFrom('content_accesses')
    .innerJoin('apps', 'apps.id', 'content_accesses.app_id')
    .innerJoin('accounts', 'accounts.id', 'content_accesses.account_id')
    .select(['apps.name as appName', 'accounts.name as approvedBy'])
    .where((eb) => eb.and({ meeting_id: meetingId, 'content_accesses.ended_at': null }))

export const findContentAccess = (
  db: Db,
  { meetingId, contentType }: Pick<ContentAccessRecord, 'meetingId' | 'contentType'>,
  by: Reporter,
): Promise<ContentAccessRecord | undefined> =>
  activeAccesses(db, meetingId)
    .select(columnsOf('content_accesses', fields))
    .where((eb) => eb.and({ content_type: contentType, app_id: by.appId, grant_id: by.grantId }))
    .where('content_accesses.account_id', '=', by.accountId)
    .executeTakeFirst()

/** Ends an access at `now` (ms) unless it has ended. Returns undefined if it does not exist. */
export const markContentAccessEnded = (
  trx: Db,
  { id, meetingId }: Pick<ContentAccessRecord, 'id' | 'meetingId'>,
  by: Pick<Reporter, 'appId' | 'accountId'>,
  now: number,
) =>
  trx
    .updateTable('content_accesses')
    .set((eb) => ({ ended_at: eb.fn.coalesce('ended_at', eb.val(now)) }))
    .where('id', '=', id)
    .where((eb) => eb.and({ meeting_id: meetingId, app_id: by.appId, account_id: by.accountId }))
    .returning('id')
    .executeTakeFirst()

export const markContentAccessesEnded = (trx: Db, meetingId: number, now: number) =>
  trx
    .updateTable('content_accesses')
    .set({ ended_at: now })
    .where((eb) => eb.and({ meeting_id: meetingId, ended_at: null }))
    .execute()

export type ActiveAccess = Pick<ContentAccessRecord, 'appName' | 'contentType' | 'approvedBy'>

/**
 * Returns the apps with access to a meeting. An access is active only while the meeting, the app,
 * the grant and its user are active.
 */
export const listActiveAccesses = (db: Db, meetingId: number): Promise<ActiveAccess[]> =>
  activeAccesses(db, meetingId)
    .innerJoin('meetings', 'meetings.id', 'content_accesses.meeting_id')
    .leftJoin('grants', 'grants.id', 'content_accesses.grant_id')
    .leftJoin('users as granter', 'granter.id', 'grants.user_id')
    .select(columnsOf('content_accesses', ['appId', 'accountId', 'contentType']))
    // Several users of an account may have allowed the same app.
    .distinct()
    .where('meetings.ended_at', 'is', null)
    .where((eb) => eb.and({ 'meetings.deleted_at': null, 'apps.disabled_at': null }))
    .where((eb) => eb.or([eb('content_accesses.grant_id', 'is', null), isGrantUsable()]))
    .orderBy('apps.name')
    .orderBy('content_accesses.content_type')
    .orderBy('accounts.name')
    .orderBy('content_accesses.app_id')
    .orderBy('content_accesses.account_id')
    .execute()
