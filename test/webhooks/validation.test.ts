import { developerOf } from '@skillpass/server/internal/oauth/apps/developer'
import { rotateSecretToken } from '@skillpass/server/internal/oauth/apps/secrets'
import { validateEndpoint } from '@skillpass/server/internal/webhooks/validate'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { allowAndRemove, type HookedApp, hookApp, userOf } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { type Answerer, signatureProblems, status, validating } from '../support/receiver.ts'
import { attempted, passMinutes, receiverForFile } from './fixture.ts'

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
    event_ts: server.ctx.steadyNow(),
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
  expect(attempts).toMatchObject([{ number: 1, status: 200, error: wrongSecret }])
  expect(receiver.deliveries(app.path)).toEqual([])
  receiver.trust(app.path, app.secret)
  passMinutes(server, 5)
  expect(await attempted(server, app, 2)).toMatchObject({ state: 'delivered' })
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
  expect(await validateEndpoint(server.ctx, app.id)).toBe(problem)
  receiver.trust(app.path, app.secret)
  expect(await validateEndpoint(server.ctx, app.id)).toBeUndefined()
})

test('validations and deliveries use both secrets for 24 hours after a rotation, then only the new one', async () => {
  const app = await hookApp(server, receiver)
  const owner = developerOf(await userOf(server, 'owner@acme.test'))
  const operator = { ...server.ctx, network: null }
  const { secret: current } = await rotateSecretToken(operator, owner, app.id, false)
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
  expect(await validateEndpoint(server.ctx, app.id)).toBe(wrongSecret)
  await allowAndRemove(server, app, 'owner@acme.test')
  await expect.poll(() => receiver.deliveries(app.path).length).toBe(2)
  const last = receiver.deliveries(app.path)[1]
  expect(String(last?.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

const tooMany = 'Too many validations. Try again in a minute.'
const ask = (app: HookedApp) => validateEndpoint(server.ctx, app.id)

test('an app has at most one validation in progress', async () => {
  const app = await hookApp(server, receiver)
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(app)))
  expect(answers.filter((problem) => problem === undefined)).toHaveLength(1)
  expect(new Set(answers)).toEqual(new Set([undefined, tooMany]))
  expect(receiver.validations(app.path)).toHaveLength(1)
  expect(await ask(app)).toBeUndefined()
})

test('at most 16 validations are in progress', async () => {
  const apps = await Promise.all(Array.from({ length: 30 }, () => hookApp(server, receiver)))
  const answers = await Promise.all(apps.map(ask))
  expect(answers.filter((problem) => problem === undefined)).toHaveLength(16)
  expect(answers.filter((problem) => problem === tooMany)).toHaveLength(14)
  for (const app of apps.slice(16)) expect(await ask(app)).toBeUndefined()
})
