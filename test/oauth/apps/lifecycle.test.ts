import { expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { declare } from '../../support/apps.ts'
import { refused } from '../../support/platform.ts'

const day = 86_400_000

const server = await startAppManagers()
const { call, register } = server
const patch = (id: string, body: unknown) => call('member', 'PATCH', `/apps/${id}`, body)
const isGood = async (clientId: string, clientSecret: string) => {
  const request = { grant_type: 'client_credentials' }
  return (await server.token({ clientId, clientSecret }, request)).status !== 401
}

test('enabling an app that the operator disabled is refused with 409, and its other settings can change', async () => {
  const { id, name } = await register('member')
  const apply = (disabled: boolean) =>
    declare(server, { apps: [{ name, account: 'Acme', disabled }] })
  await patch(id, { disabled: true })
  await apply(true)
  for (const who of ['member', 'admin', 'admin robot'] as const) {
    const answer = await call(who, 'PATCH', `/apps/${id}`, { disabled: false })
    expect(refused(answer)).toBe('409 409')
    expect(answer.body.message).toBe(
      'The platform has disabled this app. Only the platform can enable it again.',
    )
  }
  const answer = await patch(id, { disabled: true, device_flow: true })
  expect(answer.body).toMatchObject({ disabled: true, device_flow: true })
  expect(refused(await patch(id, { disabled: false }))).toBe('409 409')
  await apply(false)
  expect((await patch(id, { disabled: true })).body.disabled).toBe(true)
  expect((await patch(id, { disabled: false })).body.disabled).toBe(false)
})

test('a rotation without a valid environment is refused with 300', async () => {
  const { id } = await register('member')
  const rotate = (body?: unknown) =>
    call('member', 'POST', `/apps/${id}/rotate_client_secret`, body)
  expect(refused(await rotate({}))).toBe('400 300 environment')
  expect(refused(await rotate({ environment: 'both' }))).toBe('400 300 environment')
  expect(refused(await rotate())).toBe('400 300 content-type')
  const path = `/apps/${id}/rotate_secret_token?end_previous=soon`
  expect(refused(await call('member', 'POST', path))).toBe('400 300 end_previous')
})

test('after the rotation of a client secret, the previous secret works for 24 hours', async () => {
  const { id, development, production } = await register('member')
  const rotated = await (await server.platform('member')).apps.rotateClientSecret({
    params: { appId: id },
    body: { environment: 'production' },
  })
  expect(rotated).toEqual({
    client_id: production.client_id,
    client_secret: expect.stringMatching(/^scs_/),
    previous_expires_at: new Date(server.clock.now() + day).toISOString(),
  })
  expect(await isGood(production.client_id, rotated.client_secret)).toBe(true)
  expect(await isGood(production.client_id, production.client_secret)).toBe(true)
  expect(await isGood(development.client_id, development.client_secret)).toBe(true)
  expect(await isGood(development.client_id, rotated.client_secret)).toBe(false)
  server.clock.advance(day)
  expect(await isGood(production.client_id, production.client_secret)).toBe(false)
  expect(await isGood(production.client_id, rotated.client_secret)).toBe(true)
})

test('a rotation keeps only the latest previous secret, or none with end_previous', async () => {
  const { id, secret_token, production } = await register('member')
  const { apps } = await server.platform('member')
  const rotate = async (end_previous?: 'true') => {
    const body = { environment: 'production' } as const
    const query = { end_previous }
    return apps.rotateClientSecret({ params: { appId: id }, body, query })
  }
  const leaked = production.client_secret
  const second = await rotate()
  const third = await rotate()
  const all = [leaked, second.client_secret, third.client_secret]
  const areGood = (secrets: string[]) =>
    Promise.all(secrets.map((secret) => isGood(production.client_id, secret)))
  expect(await areGood(all)).toEqual([false, true, true])
  const last = await rotate('true')
  expect(last.previous_expires_at).toBe(new Date(server.clock.now()).toISOString())
  expect(await areGood([...all, last.client_secret])).toEqual([false, false, false, true])
  const query = { end_previous: 'true' } as const
  const token = await apps.rotateSecretToken({ params: { appId: id }, query })
  expect(token.secret_token).not.toBe(secret_token)
  const stored = server.ctx.db.read.selectFrom('apps').select('previous_webhook_secret as previous')
  expect(await stored.where('id', '=', id).execute()).toEqual([{ previous: null }])
})
