import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { createDatedSecret, hashSecret, type Secret } from '@skillpass/server/secrets/secrets'
import Database from 'better-sqlite3'

/** What everybody in these benchmarks belongs to. */
export const declaration = {
  accounts: [
    {
      name: 'Acme',
      users: [
        { email: 'owner@acme.test', password: 'correct horse battery', role: 'owner' },
        { email: 'member@acme.test', password: 'correct horse battery' },
      ],
    },
  ],
  apps: [
    {
      name: 'Scheduler',
      account: 'Acme',
      type: 'general',
      visibility: 'public',
      scopes: ['user:read:user', 'meeting:read:list_meetings'],
      redirectUris: ['https://app.example.com/callback'],
    },
    {
      name: 'Reporter',
      account: 'Acme',
      type: 'server-to-server',
      scopes: ['user:read:user:admin'],
    },
    { name: 'Helper bot', account: 'Acme', type: 'chatbot' },
  ],
}

/** Whose tokens are seeded. */
export interface Owner {
  readonly clientId: string
  readonly appId: string
  readonly userId: string
  readonly accountId: string
  readonly scopes: string
}

/** Who `skillpass-server apply` made: the member of Acme, who uses the scheduler. */
export function schedulerUser({ accounts, apps }: Applied): Owner {
  const [account] = accounts
  const member = account?.users.find(({ email }) => email === 'member@acme.test')
  const app = apps.find(({ name }) => name === 'Scheduler')
  if (!account || !member || !app) throw new Error('the declaration was not applied')
  return {
    clientId: app.production.clientId,
    appId: app.id,
    userId: member.id,
    accountId: account.id,
    scopes: 'user:read:user meeting:read:list_meetings',
  }
}

/** An access token and a refresh token of a grant of its own. */
interface SeededPair {
  readonly access: Secret
  readonly refresh: Secret
}

const hour = 3600
/** Tokens that the benchmark uses outlive it. */
const oldestUsable = 2700

/**
 * Fills the database of a server that does not run with `live` access tokens, as the last hour
 * would have left them: issued evenly over it, half to users, whose grants have a refresh token
 * each, half to apps. Gives `usable` more, spread over the hour too.
 */
export function seedTokens(
  file: string,
  owner: Owner,
  { live, usable }: { live: number; usable: number },
): SeededPair[] {
  const db = new Database(file)
  // Nobody else is there, and a file that a crash leaves behind is made anew.
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.pragma('cache_size = -2000000')
  const now = Math.floor(Date.now() / 1000)
  try {
    return db.transaction(() => {
      for (const statement of fillers) {
        db.prepare(statement).run({ ...owner, live, start: now - hour, hour })
      }
      return seedUsable(db, owner, usable, now)
    })()
  } finally {
    db.close()
    flushToDisk(file)
  }
}

/** Else the system would write what was seeded while the server waits for the same disk. */
function flushToDisk(file: string) {
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Numbers from 0 to `live`, each with its second of issue; what is odd belongs to a user. */
const numbers = `
  with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < :live),
  issued as (select n, n % 2 = 1 as isUser, cast(:start + n * :hour / :live as integer) as at,
    printf('%08x-0000-7000-8000-%012x', cast(:start + n * :hour / :live as integer), n) as grantId
    from numbers)`
const key = `printf('%08x', at) || substr(hex(randomblob(22)), 1, 43)`
const stranger = `lower(hex(randomblob(4)) || '-' || hex(randomblob(14)))`

const fillers = [
  `insert into access_tokens
    (key, client_id, grant_id, account_id, user_id, scopes, expires_at, revoked_at)
    ${numbers} select ${key}, :clientId, iif(isUser, grantId, null), :accountId,
    iif(isUser, ${stranger}, null), :scopes, (at + :hour) * 1000, null from issued`,
  `insert into refresh_tokens (key, grant_id, expires_at, used_at, successor_salt)
    ${numbers} select ${key}, grantId, (at + 90 * 86400) * 1000, null, null from issued where isUser`,
  `insert into grants
    (id, client_id, app_id, user_id, account_id, scopes, created_at, ended_at, end_reason)
    ${numbers} select grantId, :clientId, :appId, ${stranger}, :accountId, :scopes, at * 1000,
    null, null from issued where isUser`,
]

function seedUsable(
  db: Database.Database,
  { clientId, appId, userId, accountId, scopes }: Owner,
  count: number,
  now: number,
): SeededPair[] {
  const random = { bytes: (length: number) => randomBytes(length), uuid: () => randomUUID() }
  const grant = db.prepare('insert into grants values (?, ?, ?, ?, ?, ?, ?, null, null)')
  const access = db.prepare('insert into access_tokens values (?, ?, ?, ?, ?, ?, ?, null)')
  const refresh = db.prepare('insert into refresh_tokens values (?, ?, ?, null, null)')
  return Array.from({ length: count }, (_, index) => {
    const ms = (now - Math.floor((index * oldestUsable) / count)) * 1000
    const pair = {
      access: createDatedSecret('accessToken', random, ms),
      refresh: createDatedSecret('refreshToken', random, ms),
    }
    const id = random.uuid()
    grant.run(id, clientId, appId, userId, accountId, scopes, ms)
    const key = hashSecret(pair.access)
    access.run(key, clientId, id, accountId, userId, scopes, ms + hour * 1000)
    refresh.run(hashSecret(pair.refresh), id, ms + 90 * 86_400_000)
    return pair
  })
}
