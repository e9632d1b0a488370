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
import { dateKey, type SecretHash } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { declare, password, userOf } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'

const minute = 60_000
const day = 24 * 60 * minute
const email = 'member@acme.test'
const accounts = { accounts: [{ name: 'Acme', users: [{ email, password }] }] }

interface Dated {
  readonly key: SecretHash
  readonly expiresAt: number
}

/** Stored forms begin with the second of issue. */
const keyOf = (issuedAt: number, name: string) => (dateKey(issuedAt) + name) as SecretHash

describe.each(engines)('housekeeping of the authorization service on %s', async (engine) => {
  const { ctx } = await startTestServer({ engine })
  const userId = userOf(await declare({ ctx }, accounts), email).id
  const now = ctx.steadyNow()
  const { lifetimes } = ctx.config

  const subject = { clientId: 'client', accountId: 'account', userId, scopes: 'user:read:user' }
  const grantOf = (id: string) => ({ ...subject, id, appId: 'app', createdAt: now })
  const request = {
    ...subject,
    redirectUri: 'https://app.example.com/',
    codeChallenge: null,
    codeChallengeMethod: null,
  }
  const device = { intervalSeconds: 5, address: '192.0.2.1', createdAt: now }
  const page = { sessionKey: 'session', state: null, optionalScopes: '' }
  const zak = {
    userId,
    type: 'zak',
    by: { key: 'any', clientId: 'client', grantId: null },
  } as const
  /** Tables of rows that expire: how long a row lives, and how long it is kept after that (ms). */
  const dated = [
    {
      table: 'access_tokens',
      memory: day,
      life: lifetimes.accessToken,
      insert: (trx: Db, row: Dated) =>
        insertAccessToken(trx, { ...subject, grantId: null, ...row }),
    },
    {
      table: 'authorization_codes',
      memory: day,
      life: lifetimes.authorizationCode,
      insert: (trx: Db, row: Dated) => insertAuthorizationCode(trx, { ...request, ...row }),
    },
    {
      table: 'device_codes',
      memory: day,
      life: lifetimes.deviceCode,
      insert: (trx: Db, row: Dated) => {
        const userCode = ctx.encryption.match('user-code', row.key)
        return insertDeviceCode(trx, { ...subject, ...device, userCode, ...row })
      },
    },
    {
      table: 'meeting_tokens',
      memory: 0,
      life: 120 * minute,
      insert: (trx: Db, row: Dated) => insertMeetingToken(trx, { ...zak, ...row }),
    },
    {
      table: 'consent_requests',
      memory: 0,
      life: 15 * minute,
      insert: (trx: Db, row: Dated) => insertConsentRequest(trx, { ...request, ...page, ...row }),
    },
    {
      table: 'sessions',
      memory: 0,
      life: 12 * 60 * minute,
      insert: (trx: Db, row: Dated) => insertSession(trx, { userId, ...row }),
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
          const issued = now - age
          await one.insert(trx, { key: keyOf(issued, name), expiresAt: issued + one.life })
        }
      })
      await removeExpired(ctx)
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
    await removeExpired(ctx)
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
    await removeExpired(ctx)
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
    await removeExpired(ctx)
    expect(await grantIds()).toEqual(['busy', 'recent', 'rotating'])
  })
})
