import { demo, NewMeeting } from '@skillpass/contract'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { planMeeting } from '../../platform/meeting-changes.ts'
import { countAccounts, insertAccount } from '../../platform/store/accounts.ts'
import { insertContentAccess } from '../../platform/store/content-access.ts'
import { insertMeeting } from '../../platform/store/meetings.ts'
import type { UserRecord } from '../../platform/store/user-record.ts'
import { makeUser } from '../../platform/user-changes.ts'
import { writeRemovals } from '../../webhooks/outbox.ts'
import { createDemoApps } from './apps.ts'
import { withFixedIds } from './fixed-ids.ts'

type DemoContext = Pick<
  AppContext,
  'clock' | 'config' | 'db' | 'encryption' | 'random' | 'webhooks'
>

const people = [
  { user: 'owner', role: 'owner', firstName: 'Olga', lastName: 'Owner' },
  { user: 'admin', role: 'admin', firstName: 'Adam', lastName: 'Admin' },
  { user: 'member', role: 'member', firstName: 'Uma', lastName: 'User' },
] as const

/**
 * Creates an account with users, a meeting and apps, unless there already are accounts. The users
 * have no password yet.
 */
export async function createDemoPeople(ctx: DemoContext): Promise<void> {
  if ((await countAccounts(ctx.db.read)) > 0) return
  await ctx.db.write(async (trx) => {
    const { id: accountId, name } = demo.account
    const settings = { name, masterAccountId: null, requireAppApproval: false }
    await insertAccount(trx, { ...settings, id: accountId, createdAt: ctx.clock.now() })
    for (const { user, ...rest } of people) {
      const { id, email } = demo.users[user]
      const created = await makeUser(withFixedIds(ctx, id), trx, {
        ...rest,
        accountId,
        email,
        passwordHash: '',
      })
      if (user === 'owner') await createMeeting(ctx, trx, created)
    }
    await createDemoApps(ctx, trx)
    await createEvents(ctx, trx)
  })
  ctx.webhooks.wake()
}

async function createMeeting(ctx: DemoContext, trx: Db, host: UserRecord): Promise<void> {
  const input = NewMeeting.parse({ topic: 'Planning', start_time: '2030-01-01T10:00:00Z' })
  const { meeting } = planMeeting(ctx, host, input)
  await insertMeeting(trx, { ...meeting, id: demo.meeting })
}

/** Creates an app's access to the content of the meeting, and a webhook about a removed user. */
async function createEvents(ctx: DemoContext, trx: Db): Promise<void> {
  const now = ctx.clock.now()
  const { reporter, scheduler } = demo.apps
  const accountId = demo.account.id
  await insertContentAccess(
    trx,
    { id: demo.contentAccess, meetingId: demo.meeting, contentType: 'transcript', createdAt: now },
    { appId: reporter.id, grantId: null, accountId },
  )
  const { id: appId, clientId } = scheduler
  const removal = { appId, userId: ctx.random.uuid(), accountId, clientId }
  await writeRemovals({ ...withFixedIds(ctx, demo.delivery), trace: null }, trx, [removal], now)
}
