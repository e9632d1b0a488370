import { expect, test } from 'vitest'
import { startAppManagers } from '../../support/app-managers.ts'
import { allowAndRemove, type HookedApp, hookApp } from '../../support/hooked-apps.ts'
import { refused } from '../../support/platform.ts'
import { startReceiver, status } from '../../support/receiver.ts'
import { eventually, until } from '../../support/waiting.ts'

const server = await startAppManagers()
const receiver = await startReceiver()

const list = async ({ id: appId }: HookedApp) => {
  const { deliveries } = await server.platform('admin')
  return (await deliveries.list({ params: { appId }, query: {} })).deliveries
}
/** Waits for the first attempt of the only delivery of an app. */
const attempted = (app: HookedApp) =>
  eventually(async () => {
    const [delivery, ...others] = await list(app)
    expect([delivery?.attempts.length, others]).toEqual([1, []])
    return delivery
  })

const lists = ['apps', 'apps/{id}/deliveries', 'approvals']
test.each(lists)('a page token that /%s did not return is refused with 300', async (list) => {
  const { id } = await server.register('admin')
  const path = `/${list.replace('{id}', id)}?next_page_token=x`
  expect(refused(await server.call('admin', 'GET', path))).toBe('400 300 next_page_token')
})

test('an endpoint is valid once it proves that it has the secret token, until its address changes', async () => {
  const { id, secret_token } = await server.register('member', {
    deauthorization_url: receiver.url('/own'),
  })
  const validate = () => server.call('member', 'POST', `/apps/${id}/validate_endpoint`)
  const isValid = async () =>
    (await server.call('member', 'GET', `/apps/${id}`)).body.deauthorization_url_validated
  const early = await validate()
  expect(refused(early)).toBe('400 300 deauthorization_url')
  expect(early.text).toContain('The endpoint returned 404 to its validation instead of 200.')
  expect(await isValid()).toBe(false)

  receiver.trust('/own', secret_token)
  const answer = await validate()
  expect([answer.status, answer.body]).toEqual([200, { status: 'valid' }])
  expect(await isValid()).toBe(true)
  const move = (path: string) =>
    server.call('member', 'PATCH', `/apps/${id}`, { deauthorization_url: receiver.url(path) })
  expect((await move('/moved')).body.deauthorization_url_validated).toBe(false)
  expect((await move('/own')).body.deauthorization_url_validated).toBe(true)
  for (const { text } of [early, answer]) expect(text).not.toContain(secret_token)
})

test('an app gets ten validations a minute, and more are refused with 300 for this app alone', async () => {
  const [app, other] = [await hookApp(server, receiver), await hookApp(server, receiver)]
  const validate = ({ id }: HookedApp) =>
    server.call('admin', 'POST', `/apps/${id}/validate_endpoint`)
  for (let i = 0; i < 10; i++) expect((await validate(app)).status).toBe(200)
  const refusal = await validate(app)
  expect(refused(refusal)).toBe('400 300 deauthorization_url')
  expect(refusal.text).toContain('Try again in a minute')
  expect(receiver.validations(app.path)).toHaveLength(10)
  expect((await validate(other)).status).toBe(200)
  server.clock.advance(60_000)
  expect((await validate(app)).status).toBe(200)
})

test('deliveries are listed with their attempts, and a failed one is sent again on request', async () => {
  const app = await hookApp(server, receiver)
  receiver.answer(app.path, status(500))
  const now = new Date(server.ctx.steadyNow()).toISOString()
  await allowAndRemove(server, app)
  const failing = await attempted(app)
  expect(failing).toEqual({
    id: expect.any(String),
    event: 'app_deauthorized',
    created_at: now,
    status: 'pending',
    next_attempt_at: expect.any(String),
    attempts: [
      { at: now, duration_ms: expect.any(Number), status: 500, error: expect.any(String) },
    ],
  })
  receiver.answer(app.path, status(200))
  const path = `/apps/${app.id}/deliveries/${failing?.id}/redeliver`
  const answer = await server.call('admin', 'POST', path)
  expect([answer.status, answer.body.id, answer.body.status]).toEqual([200, failing?.id, 'pending'])
  await until('the second attempt', async () => {
    const [one] = await list(app)
    return one?.status === 'delivered'
  })
  const [delivered] = await list(app)
  expect(delivered?.attempts.map(({ status }) => status)).toEqual([500, 200])
  expect(receiver.deliveries(app.path).map(({ headers }) => headers['webhook-id'])).toEqual([
    failing?.id,
    failing?.id,
  ])
})

test('a delivery of another app and an unknown delivery are refused with 404', async () => {
  const app = await hookApp(server, receiver)
  await allowAndRemove(server, app)
  const delivery = await attempted(app)
  const other = await server.register('admin')
  for (const id of [delivery?.id ?? '', 'none', 'a%00b']) {
    const path = `/apps/${other.id}/deliveries/${id}/redeliver`
    const answer = await server.call('admin', 'POST', path)
    expect([answer.status, answer.body.message]).toEqual([
      404,
      'The app has no delivery with this id.',
    ])
  }
})
