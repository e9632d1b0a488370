import { expect, test } from 'vitest'
import { startAccountUsers } from '../../support/account-users.ts'
import { credentialsOf, declare } from '../../support/apps.ts'
import { engine } from '../../support/databases.ts'
import { atOnce } from '../../support/oauth-server.ts'

const day = 86_400_000

const server = await startAccountUsers(engine)
const { callWith: call, idOf, tokenOf } = server

const zakOf = async (accessToken: string, email: string) => {
  const path = `/v2/users/${idOf(email)}/token?type=zak&ttl=7776000`
  const response = await call(accessToken, path)
  expect(`${response.status} ${response.text}`).toMatch(/^200 /)
  return String(response.body.token)
}
/** Returns 200 for the host's page and 303 for a redirect to the sign-in page. */
const start = async (zak: string, email: string) => {
  const owner = await server.ctx.db.read
    .selectFrom('users')
    .select('pmi')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return (await server.http(`/meetings/${owner.pmi}/start?${new URLSearchParams({ zak })}`)).status
}
const setRoles = (roles: Record<string, 'owner' | 'admin' | 'member'>) => {
  const users = Object.entries(roles).map(([email, role]) => ({ email, role }))
  return declare(server, { accounts: [{ name: 'Group', users }] })
}

test('a zak for another user is valid only while the user who authorized it is an admin', async () => {
  const [owner, admin] = ['owner@group.test', 'admin@group.test']
  const accessToken = await tokenOf('Staff', admin)
  const [zak, own] = [await zakOf(accessToken, owner), await zakOf(accessToken, admin)]
  expect([await start(zak, owner), await start(own, admin)]).toEqual([200, 200])
  await setRoles({ [admin]: 'member' })
  expect([await start(zak, owner), await start(own, admin)]).toEqual([303, 200])
  await setRoles({ [admin]: 'admin' })
  expect(await start(zak, owner)).toBe(200)
})

test('a zak for a sub-account user is valid only while the user who authorized it owns the master account', async () => {
  const [owner, admin, below] = ['owner@group.test', 'admin@group.test', 'owner@company.test']
  const zak = await zakOf(await tokenOf('Above', owner), below)
  expect(await start(zak, below)).toBe(200)
  await setRoles({ [owner]: 'admin' })
  expect(await start(zak, below)).toBe(303)
  await setRoles({ [admin]: 'owner' })
  expect(await start(zak, below)).toBe(303)
  await setRoles({ [admin]: 'admin' })
  await setRoles({ [owner]: 'owner' })
  expect(await start(zak, below)).toBe(200)
})

test('revoking an account token ends the meeting tokens made with it, and its expiry does not', async () => {
  const owner = 'owner@group.test'
  const app = credentialsOf(server.applied, 'Machine')
  const [revoked, expired] = [
    await server.ownTokenOf('Machine', 'Group'),
    await server.ownTokenOf('Machine', 'Group'),
  ]
  const [zak, other] = [await zakOf(revoked, owner), await zakOf(expired, owner)]
  expect([await start(zak, owner), await start(other, owner)]).toEqual([200, 200])
  expect((await server.post('/oauth/revoke', { token: revoked }, { app })).status).toBe(200)
  expect([await start(zak, owner), await start(other, owner)]).toEqual([303, 200])
  // Housekeeping has deleted the access tokens by now.
  server.clock.advance(30 * day)
  await server.runJob('removing expired records')
  expect([await start(zak, owner), await start(other, owner)]).toEqual([303, 200])
})

test('a meeting token created while its account token is being revoked does not survive', async () => {
  const owner = 'owner@group.test'
  const app = credentialsOf(server.applied, 'Machine')
  const accessToken = await server.ownTokenOf('Machine', 'Group')
  const path = `/v2/users/${idOf(owner)}/token?type=zak`
  const [responses] = await Promise.all([
    atOnce(20, () => call(accessToken, path)),
    server.post('/oauth/revoke', { token: accessToken }, { app }),
  ])
  for (const { status, body } of responses) {
    expect([200, 401]).toContain(status)
    if (status === 200) expect(await start(String(body.token), owner)).toBe(303)
  }
  expect((await call(accessToken, path)).body.code).toBe(4741)
})
