import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { allowAndRemove, type HookedApp, hookApp } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { type Answerer, signatureProblems, status, validating } from '../support/receiver.ts'
import { attempted, passMinutes, receiverForFile, validate } from './fixture.ts'

const day = 24 * 3_600_000
const wrongSecret =
  'The endpoint returned a wrong encryptedToken. Return the hexadecimal HMAC-SHA256 of plainToken, with the secret token of the app as the key.'
const notJson = 'The endpoint did not return JSON with plainToken and encryptedToken.'

const json =
  (value: unknown): Answerer =>
  (response) =>
    response.writeHead(200).end(JSON.stringify(value))

const { receiver, answers } = await receiverForFile()

const server = await startOAuthServer()

test('an endpoint is validated once, by a signed request before the first delivery', async () => {
  const app = await hookApp(server, receiver)
  await allowAndRemove(server, app)
  const { id } = await attempted(server, app, 1)
  const [validation, ...more] = receiver.validations(app.path)
  if (!validation) throw new Error('Nothing came.')
  expect(more).toEqual([])
  expect(receiver.deliveries(app.path)).toHaveLength(1)
  expect(signatureProblems(validation, app.secret, server.clock.now())).toEqual([])
  expect(validation.headers['webhook-id']).not.toBe(id)
  expect(validation.event).toEqual({
    event: 'endpoint.url_validation',
    event_ts: server.clock.now(),
    payload: { plainToken: expect.stringMatching(/^[0-9A-Za-z]{22}$/) },
  })
  await allowAndRemove(server, app, 'owner@acme.test')
  await expect.poll(() => receiver.deliveries(app.path).length).toBe(2)
  expect(receiver.validations(app.path)).toHaveLength(1)
})

test('a failed validation counts as the attempt of its event, and both are tried again', async () => {
  const app = await hookApp(server, receiver)
  receiver.answerValidation(app.path, validating('another secret'))
  await allowAndRemove(server, app)
  const { attempts } = await attempted(server, app, 1)
  expect(attempts).toMatchObject([{ status: 200, error: wrongSecret }])
  expect(receiver.deliveries(app.path)).toEqual([])
  receiver.trust(app.path, app.secret)
  passMinutes(server, 5)
  expect(await attempted(server, app, 2)).toMatchObject({ status: 'delivered' })
  const tokens = receiver.validations(app.path).map(({ event }) => event.payload.plainToken)
  expect(new Set(tokens).size).toBe(2)
})

test.each<[string, Answerer, string]>([
  ['another status', status(204), 'The endpoint returned 204 to its validation instead of 200.'],
  ['no JSON', (response) => response.writeHead(200).end('ok'), notJson],
  [
    'another plainToken',
    json({ plainToken: 'x', encryptedToken: 'x' }),
    'The endpoint returned a different plainToken.',
  ],
  [
    'a wrong encryptedToken',
    (response, received) =>
      json({ ...received.event.payload, encryptedToken: 'é' })(response, received),
    wrongSecret,
  ],
  ['silence', () => answers.expire(), 'The endpoint did not respond completely within 3 seconds.'],
])('a validation names the problem with %s in a sentence', async (_, answerer, problem) => {
  const app = await hookApp(server, receiver)
  receiver.answerValidation(app.path, answerer)
  expect(await validate(server, app)).toBe(problem)
  receiver.trust(app.path, app.secret)
  expect(await validate(server, app)).toBeUndefined()
})

test('validations and deliveries use both secrets for 24 hours after a rotation, then only the new one', async () => {
  const app = await hookApp(server, receiver)
  const token = await server.ownTokenOf('Manager', 'Acme')
  const path = `/v2/marketplace/apps/${app.id}/rotate_secret_token`
  const rotated = await server.callWith(token, path, { method: 'POST' })
  const current = String(rotated.body.secret_token)
  await allowAndRemove(server, app)
  await attempted(server, app, 1)
  const [first] = receiver.deliveries(app.path)
  if (!first) throw new Error('Nothing came.')
  // Each signature verifies on its own. The new one comes first and is the only one in the other
  // header.
  const headers = { ...first.headers } as Record<string, string>
  for (const secret of [current, app.secret]) {
    new Webhook(secret, { format: 'raw' }).verify(first.body, headers)
  }
  expect(signatureProblems(first, current, server.clock.now())).toEqual([])
  const [newest] = String(first.headers['webhook-signature']).split(' ')
  new Webhook(current, { format: 'raw' }).verify(first.body, {
    ...headers,
    'webhook-signature': String(newest),
  })

  server.clock.advance(day)
  expect(await validate(server, app)).toBe(wrongSecret)
  await allowAndRemove(server, app, 'owner@acme.test')
  await expect.poll(() => receiver.deliveries(app.path).length).toBe(2)
  const last = receiver.deliveries(app.path)[1]
  expect(String(last?.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

const tooMany = 'Too many validations. Try again in a minute.'

/**
 * Holds the validations of apps. Returns those that arrived, and a function that responds to them.
 */
function holdValidations(apps: readonly HookedApp[]) {
  const held: (() => void)[] = []
  for (const { path, secret } of apps) {
    receiver.answerValidation(path, (response, received) =>
      held.push(() => validating(secret)(response, received)),
    )
  }
  const release = () => {
    for (const respond of held.splice(0)) respond()
  }
  return { held, release }
}

test('an app has at most one validation in progress', async () => {
  const app = await hookApp(server, receiver)
  const { held, release } = holdValidations([app])
  const first = validate(server, app)
  await expect.poll(() => held.length).toBe(1)
  expect(await Promise.all(Array.from({ length: 50 }, () => validate(server, app)))).toEqual(
    Array(50).fill(tooMany),
  )
  release()
  expect(await first).toBeUndefined()
  receiver.trust(app.path, app.secret)
  expect(await validate(server, app)).toBeUndefined()
  expect(receiver.validations(app.path)).toHaveLength(2)
})

test('at most 16 validations are in progress', async () => {
  const apps = await Promise.all(Array.from({ length: 20 }, () => hookApp(server, receiver)))
  const { held, release } = holdValidations(apps)
  const first = apps.slice(0, 16).map((app) => validate(server, app))
  await expect.poll(() => held.length).toBe(16)
  const others = apps.slice(16)
  expect(await Promise.all(others.map((app) => validate(server, app)))).toEqual(
    others.map(() => tooMany),
  )
  release()
  expect(await Promise.all(first)).toEqual(first.map(() => undefined))
  for (const app of others) {
    receiver.trust(app.path, app.secret)
    expect(await validate(server, app)).toBeUndefined()
  }
})
