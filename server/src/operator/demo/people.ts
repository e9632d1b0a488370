import { demo, NewMeeting } from '@skillpass/contract'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { planMeeting } from '../../platform/new-meeting.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { countAccounts, insertAccount } from '../../platform/store/accounts.ts'
import { insertContentAccess } from '../../platform/store/content-access.ts'
import { insertMeeting } from '../../platform/store/meetings.ts'
import type { UserRecord } from '../../platform/store/user-record.ts'
import { makeUser } from '../../platform/user-changes.ts'
import { randomBase62 } from '../../secrets/secrets.ts'
import { writeRemovals } from '../../webhooks/outbox.ts'
import { createDemoApps, type DemoCredentials } from './apps.ts'
import { withIds } from './fixed-ids.ts'

type Making = Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random' | 'webhooks'>

const people = [
  { user: 'owner', role: 'owner', firstName: 'Olga', lastName: 'Owner' },
  { user: 'admin', role: 'admin', firstName: 'Adam', lastName: 'Admin' },
  { user: 'member', role: 'member', firstName: 'Uma', lastName: 'User' },
] as const

/**
 * Makes an account with people, a meeting and an app of each kind, unless there are accounts. Gives
 * their credentials, to be printed.
 */
export async function createDemoPeople(ctx: Making): Promise<string> {
  if ((await countAccounts(ctx.db.read)) > 0) return ''
  const password = randomBase62(ctx.random, 12)
  const passwordHash = await hashPassword(password, ctx.random, { source: 'operator' })
  const credentials = await ctx.db.write(async (trx) => {
    const { id: accountId, name } = demo.account
    const settings = { name, masterAccountId: null, requireAppApproval: false }
    await insertAccount(trx, { ...settings, id: accountId, createdAt: ctx.clock.now() })
    for (const { user, ...rest } of people) {
      const { id, email } = demo.users[user]
      const made = await makeUser(withIds(ctx, id), trx, {
        ...rest,
        accountId,
        email,
        passwordHash,
      })
      if (user === 'owner') await createMeeting(ctx, trx, made)
    }
    const apps = await createDemoApps(ctx, trx)
    await createEvents(ctx, trx)
    return apps
  })
  ctx.webhooks.wake()
  return instructions(credentials, password)
}

/** The owner's next meeting. */
async function createMeeting(ctx: Making, trx: Db, host: UserRecord): Promise<void> {
  const input = NewMeeting.parse({ topic: 'Planning', start_time: '2030-01-01T10:00:00Z' })
  const { meeting } = planMeeting(ctx, host, input)
  await insertMeeting(trx, { ...meeting, id: demo.meeting })
}

/** An app that listens to the meeting, and the removal of another by somebody who has left since. */
async function createEvents(ctx: Making, trx: Db): Promise<void> {
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
  await writeRemovals({ ...withIds(ctx, demo.delivery), trace: null }, trx, [removal], now)
}

/** What the README's commands take, as lines for a shell. */
function instructions(apps: DemoCredentials, password: string): string {
  const credentials = (app: keyof typeof demo.apps) =>
    `${apps.get(app)?.clientId}:${apps.get(app)?.clientSecret}`
  const emails = people.map(({ user }) => demo.users[user].email).join(', ')
  return `
  export ACCOUNT_ID=${demo.account.id}
  export SCHEDULER=${credentials('scheduler')}
  export REPORTER=${credentials('reporter')}
  export HELPER_BOT=${credentials('helperBot')}
Sign in as ${emails}; the password of each is ${password}`
}
