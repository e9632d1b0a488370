import { columnsOf, rowOf } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'
import type { ContentAccessTable } from '../../db/schema.ts'

/** What of a meeting an app has access to. */
export type ContentType = ContentAccessTable['content_type']

/** Who has reported an access: an app, by the grant of a user or by an account token. */
export interface Reporter {
  readonly appId: string
  /** Null for account tokens. */
  readonly grantId: string | null
  readonly accountId: string
}

/** An access that an app has reported. Times are milliseconds since 1970. */
export interface ContentAccessRecord {
  id: string
  meetingId: number
  contentType: ContentType
  appName: string
  /** Name of the account in which the app was allowed. */
  approvedBy: string
  createdAt: number
}

/** An access that is about to be kept. */
export type NewContentAccess = Pick<
  ContentAccessRecord,
  'id' | 'meetingId' | 'contentType' | 'createdAt'
>

/** Keeps an access, unless the same reporter has one of this type to this meeting that has not ended. */
export async function insertContentAccess(
  trx: Db,
  access: NewContentAccess,
  by: Reporter,
): Promise<void> {
  await trx
    .insertInto('content_accesses')
    .values({
      ...rowOf(access, 'id', 'meetingId', 'contentType', 'createdAt'),
      ...rowOf(by, 'appId', 'grantId', 'accountId'),
      ended_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The access of this type that a reporter has to a meeting and that has not ended. */
export async function findContentAccess(
  db: Db,
  { meetingId, contentType }: Pick<ContentAccessRecord, 'meetingId' | 'contentType'>,
  by: Reporter,
): Promise<ContentAccessRecord | undefined> {
  return db
    .selectFrom('content_accesses as access')
    .innerJoin('apps', 'apps.id', 'access.app_id')
    .innerJoin('accounts', 'accounts.id', 'access.account_id')
    .select([
      ...columnsOf('access', 'id', 'meetingId', 'contentType'),
      'apps.name as appName',
      'accounts.name as approvedBy',
      'access.created_at as createdAt',
    ])
    .where('access.meeting_id', '=', meetingId)
    .where('access.content_type', '=', contentType)
    .where('access.app_id', '=', by.appId)
    .where('access.account_id', '=', by.accountId)
    .where('access.grant_id', by.grantId === null ? 'is' : '=', by.grantId)
    .where('access.ended_at', 'is', null)
    .executeTakeFirst()
}

/** Notes that an access is over from now (ms); an earlier end stays. False where the app has none such. */
export async function markContentAccessEnded(
  trx: Db,
  { id, meetingId }: Pick<ContentAccessRecord, 'id' | 'meetingId'>,
  by: Pick<Reporter, 'appId' | 'accountId'>,
  now: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('content_accesses')
    .set((eb) => ({ ended_at: eb.fn.coalesce('ended_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('meeting_id', '=', meetingId)
    .where('app_id', '=', by.appId)
    .where('account_id', '=', by.accountId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that every access to a meeting is over from now (ms). */
export async function markContentAccessesEnded(
  trx: Db,
  meetingId: number,
  now: number,
): Promise<void> {
  await trx
    .updateTable('content_accesses')
    .set({ ended_at: now })
    .where('meeting_id', '=', meetingId)
    .where('ended_at', 'is', null)
    .execute()
}

/** An app with access, as the indicator names it. */
export type ActiveAccess = Pick<ContentAccessRecord, 'appName' | 'contentType' | 'approvedBy'>

/**
 * The apps with access to a meeting right now. That an access is alive hangs on the meeting, the app,
 * the grant and its user, so that what ends one of them ends the access in the same moment.
 */
export async function listActiveAccesses(db: Db, meetingId: number): Promise<ActiveAccess[]> {
  return (
    db
      .selectFrom('content_accesses as access')
      .innerJoin('meetings', 'meetings.id', 'access.meeting_id')
      .innerJoin('apps', 'apps.id', 'access.app_id')
      .innerJoin('accounts', 'accounts.id', 'access.account_id')
      .leftJoin('grants', 'grants.id', 'access.grant_id')
      .leftJoin('users', 'users.id', 'grants.user_id')
      .select([
        ...columnsOf('access', 'appId', 'accountId'),
        'apps.name as appName',
        'access.content_type as contentType',
        'accounts.name as approvedBy',
      ])
      // Several users of an account may have allowed the same app.
      .distinct()
      .where('access.meeting_id', '=', meetingId)
      .where('access.ended_at', 'is', null)
      .where('meetings.ended_at', 'is', null)
      .where('meetings.deleted_at', 'is', null)
      .where('apps.disabled_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb('access.grant_id', 'is', null),
          eb.and([
            eb('users.id', 'is not', null),
            eb('users.removed_at', 'is', null),
            eb('grants.ended_at', 'is', null),
          ]),
        ]),
      )
      .orderBy('apps.name')
      .orderBy('access.content_type')
      .orderBy('accounts.name')
      .orderBy('access.app_id')
      .orderBy('access.account_id')
      .execute()
  )
}
