import { randomBytes, randomUUID } from 'node:crypto'
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

/** Puts pairs of tokens into the database of a server that does not run, issued evenly over an hour. */
export function seedTokens(file: string, owner: Owner, count: number): SeededPair[] {
  const db = new Database(file)
  try {
    return db.transaction(() => insertPairs(db, owner, count, Math.floor(Date.now() / 1000)))()
  } finally {
    db.close()
  }
}

function insertPairs(
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
