import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Db } from '@skillpass/server/db/open'
import { removeExpired } from '@skillpass/server/oauth/expired'
import { insertAccessToken } from '@skillpass/server/oauth/store/access-tokens'
import { insertAuthorizationCode } from '@skillpass/server/oauth/store/authorization-codes'
import { insertConsentRequest } from '@skillpass/server/oauth/store/consent-requests'
import { insertDeviceCode } from '@skillpass/server/oauth/store/device-codes'
import { endGrant, insertGrant } from '@skillpass/server/oauth/store/grants'
import { insertRefreshToken, useRefreshToken } from '@skillpass/server/oauth/store/refresh-tokens'
import { insertSession } from '@skillpass/server/platform/store/sessions'
import { createSteadyNow } from '@skillpass/server/runtime/time'
import { dateKey, type SecretHash } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { declare, password, userOf } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { openOperations } from '../support/operations.ts'

const minute = 60_000
const day = 24 * 60 * minute
const email = 'member@testAccounts.test'
const people = { accounts: [{ name: 'Acme', users: [{ email, password }] }] }

/** Stored forms begin with the second of issue. */
const keyOf = (issuedAt: number, name: string) => (dateKey(issuedAt) + name) as SecretHash

describe.each(engines)('housekeeping on %s', async (engine) => {
  const { ctx: parts, clock } = await openOperations(engine)
  /** How many rows each transaction removed. */
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
  const userId = userOf(await declare({ ctx: parts }, people), email).id
  const now = ctx.steadyNow()
  const { lifetimes } = ctx.config

  const subject = { clientId: 'client', accountId: 'account', userId, scopes: 'user:read:user' }
  const grantOf = (id: string) => ({ ...subject, id, appId: 'app', createdAt: now })
  const request = { ...subject, redirectUri: 'https://app.example.com/', codeChallenge: null }
  /** What just expires: how long it lives, and how long it is remembered after that (ms). */
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
    'keeps $table for $memory ms after they expire, then removes them',
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

  test('goes by what a row says where lifetimes were longer when it was issued', async () => {
    const [{ insert, life }] = dated
    const key = keyOf(now - life - 2 * day, 'long')
    await ctx.db.write((trx) => insert(trx, key, now + minute))
    expect(await removeExpired(ctx)).toBe(0)
    expect(await keysOf('access_tokens')).toContain('long')
  })

  test('knows a used refresh token again for 30 days', async () => {
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

  test('removes a grant with its last refresh token, and no grant that has a newer one', async () => {
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

  test('remembers for 30 days why a grant ended', async () => {
    await ctx.db.write(async (trx) => {
      for (const [id, age] of Object.entries({ recent: 29 * day, past: 31 * day })) {
        await insertGrant(trx, grantOf(id))
        await endGrant(trx, id, 'revoked', now - age)
      }
    })
    expect(await removeExpired(ctx)).toBe(1)
    expect(await grantIds()).toEqual(['busy', 'recent', 'rotating'])
  })

  test('removes very many rows in small batches', async () => {
    const total = 50_000
    const issued = now - lifetimes.accessToken - 2 * day
    const { clientId, accountId, scopes } = subject
    for (let start = 0; start < total; start += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => ({
        key: keyOf(issued + start, String(start + index)),
        client_id: clientId,
        grant_id: null,
        account_id: accountId,
        user_id: userId,
        scopes,
        expires_at: issued + start + lifetimes.accessToken,
        revoked_at: null,
      }))
      await ctx.db.write((trx) => trx.insertInto('access_tokens').values(rows).execute())
    }
    const before = await keysOf('access_tokens')
    batches.length = 0
    const gaps = monitorEventLoopDelay({ resolution: 1 })
    gaps.enable()
    const begun = performance.now()
    expect(await removeExpired(ctx)).toBe(total)
    const ms = performance.now() - begun
    gaps.disable()
    console.log(
      `${engine}: ${total} expired rows removed in ${Math.round(ms)} ms; ` +
        `the event loop stood still for ${(gaps.max / 1e6).toFixed(1)} ms at most`,
    )
    expect(Math.max(...batches)).toBeLessThanOrEqual(200)
    expect(before).toHaveLength(total + 3)
    expect((await keysOf('access_tokens')).sort()).toEqual(['alive', 'fresh', 'long'])
  })
})
