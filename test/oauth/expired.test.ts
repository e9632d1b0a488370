import type { Db } from '@skillpass/server/db/open'
import { removeExpired } from '@skillpass/server/oauth/expired'
import { insertAccessToken } from '@skillpass/server/oauth/store/access-tokens'
import { insertAuthorizationCode } from '@skillpass/server/oauth/store/authorization-codes'
import { insertConsentRequest } from '@skillpass/server/oauth/store/consent-requests'
import { insertDeviceCode } from '@skillpass/server/oauth/store/device-codes'
import { endGrant, insertGrant } from '@skillpass/server/oauth/store/grants'
import { insertRefreshToken, useRefreshToken } from '@skillpass/server/oauth/store/refresh-tokens'
import { insertMeetingToken } from '@skillpass/server/platform/store/meeting-tokens'
import { insertSession } from '@skillpass/server/platform/store/sessions'
import { createSteadyNow } from '@skillpass/server/runtime/time'
import { dateKey, type SecretHash } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { declare, password, userOf } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { openOperations } from './operations.ts'

const minute = 60_000
const day = 24 * 60 * minute
const email = 'member@acme.test'
const accounts = { accounts: [{ name: 'Acme', users: [{ email, password }] }] }

/** Stored forms begin with the second of issue. */
const keyOf = (issuedAt: number, name: string) => (dateKey(issuedAt) + name) as SecretHash

describe.each(engines)('housekeeping of the authorization service on %s', async (engine) => {
  const { ctx: parts, clock } = await openOperations(engine)
  /** The number of rows that each transaction removed. */
  const batches: number[] = []
  const ctx = {
    ...parts,
    steadyNow: createSteadyNow(clock),
    db: {
      ...parts.db,
      async write<T>(work: (trx: Db) => Promise<T>): Promise<T> {
        const value = await parts.db.write(work)
        if (typeof value === 'number') batches.push(value)
        return value
      },
    },
  }
  const userId = userOf(await declare({ ctx: parts }, accounts), email).id
  const now = ctx.steadyNow()
  const { lifetimes } = ctx.config

  const subject = { clientId: 'client', accountId: 'account', userId, scopes: 'user:read:user' }
  const grantOf = (id: string) => ({ ...subject, id, appId: 'app', createdAt: now })
  const request = { ...subject, redirectUri: 'https://app.example.com/', codeChallenge: null }
  /** Tables of rows that expire: how long a row lives, and how long it is kept after that (ms). */
  const dated = [
    {
      table: 'access_tokens',
      memory: day,
      life: lifetimes.accessToken,
      insert: (trx: Db, key: SecretHash, expiresAt: number) =>
        insertAccessToken(trx, { ...subject, key, grantId: null, expiresAt }),
    },
    {
      table: 'authorization_codes',
      memory: day,
      life: lifetimes.authorizationCode,
      insert: (trx: Db, key: SecretHash, expiresAt: number) =>
        insertAuthorizationCode(trx, { ...request, key, codeChallengeMethod: null, expiresAt }),
    },
    {
      table: 'device_codes',
      memory: day,
      life: lifetimes.deviceCode,
      insert: (trx: Db, key: SecretHash, expiresAt: number) =>
        insertDeviceCode(trx, {
          ...subject,
          key,
          userCode: ctx.encryption.match('user-code', key),
          intervalSeconds: 5,
          address: '192.0.2.1',
          createdAt: now,
          expiresAt,
        }),
    },
    {
      table: 'meeting_tokens',
      memory: 0,
      life: 120 * minute,
      insert: (trx: Db, key: SecretHash, expiresAt: number) =>
        insertMeetingToken(trx, {
          ...{ key, userId, type: 'zak', expiresAt },
          by: { key: 'any', clientId: 'client', grantId: null },
        }),
    },
    {
      table: 'consent_requests',
      memory: 0,
      life: 15 * minute,
      insert: (trx: Db, key: SecretHash, expiresAt: number) =>
        insertConsentRequest(trx, {
          ...request,
          key,
          sessionKey: 'session',
          state: null,
          optionalScopes: '',
          codeChallengeMethod: null,
          expiresAt,
        }),
    },
    {
      table: 'sessions',
      memory: 0,
      life: 12 * 60 * minute,
      insert: (trx: Db, key: SecretHash, expiresAt: number) =>
        insertSession(trx, { key, userId, expiresAt }),
    },
  ] as const

  const keysOf = async (table: (typeof dated)[number]['table'] | 'refresh_tokens') => {
    const rows = await ctx.db.read.selectFrom(table).select('key').orderBy('key').execute()
    return rows.map(({ key }) => key.slice(8))
  }
  const grantIds = async () => {
    const rows = await ctx.db.read.selectFrom('grants').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }

  test.each(dated)(
    'housekeeping keeps $table for $memory ms after they expire, then removes them',
    async (one) => {
      const ages = {
        alive: one.life - minute,
        fresh: one.life + one.memory - minute,
        old: one.life + one.memory + minute,
      }
      await ctx.db.write(async (trx) => {
        for (const [name, age] of Object.entries(ages)) {
          await one.insert(trx, keyOf(now - age, name), now - age + one.life)
        }
      })
      expect(await removeExpired(ctx)).toBe(1)
      expect((await keysOf(one.table)).sort()).toEqual(['alive', 'fresh'])
    },
  )

  test('a used refresh token is kept for 30 days', async () => {
    await ctx.db.write(async (trx) => {
      await insertGrant(trx, grantOf('rotating'))
      for (const [name, age] of Object.entries({
        latest: 0,
        replayed: 29 * day,
        forgotten: 31 * day,
      })) {
        const key = keyOf(now - age - minute, name)
        const expiresAt = now - age - minute + lifetimes.refreshToken
        await insertRefreshToken(trx, { key, grantId: 'rotating', expiresAt })
        if (age > 0) await useRefreshToken(trx, { key, now: now - age, successorSalt: null })
      }
    })
    expect(await removeExpired(ctx)).toBe(1)
    expect((await keysOf('refresh_tokens')).sort()).toEqual(['latest', 'replayed'])
    expect(await grantIds()).toContain('rotating')
  })

  test('a grant is removed with its last refresh token, and kept while it has a newer one', async () => {
    const issued = now - lifetimes.refreshToken - day - minute
    await ctx.db.write(async (trx) => {
      for (const grantId of ['idle', 'busy']) {
        await insertGrant(trx, grantOf(grantId))
        const expiresAt = issued + lifetimes.refreshToken
        await insertRefreshToken(trx, { key: keyOf(issued, grantId), grantId, expiresAt })
      }
      const successor = { grantId: 'busy', expiresAt: now + day }
      await useRefreshToken(trx, {
        key: keyOf(issued, 'busy'),
        now: now - day,
        successorSalt: null,
      })
      await insertRefreshToken(trx, { key: keyOf(now - day, 'newer'), ...successor })
    })
    expect(await removeExpired(ctx)).toBe(2)
    expect(await grantIds()).toEqual(['busy', 'rotating'])
    expect(await keysOf('refresh_tokens')).toContain('newer')
  })

  test('an ended grant is kept for 30 days with the reason of its end', async () => {
    await ctx.db.write(async (trx) => {
      for (const [id, age] of Object.entries({ recent: 29 * day, past: 31 * day })) {
        await insertGrant(trx, grantOf(id))
        await endGrant(trx, id, 'revoked', now - age)
      }
    })
    expect(await removeExpired(ctx)).toBe(1)
    expect(await grantIds()).toEqual(['busy', 'recent', 'rotating'])
  })
})
