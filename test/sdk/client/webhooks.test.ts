import { createHmac } from 'node:crypto'
import {
  answerEndpointValidation,
  isDeauthorizationSigned,
  verifyWebhook,
  type WebhookDelivery,
  WebhookVerificationError,
} from '@skillpass/client'
import { webhookHeaders } from '@skillpass/contract'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { splitAtBars } from '../../support/words.ts'

const secretToken = 'the-new-secret-token'
const oldToken = 'the-old-secret-token'
const signedAt = Date.parse('2025-11-21T09:30:00Z')
const timestamp = String(signedAt / 1000)
const id = 'evt_0190a6f2'
const content = {
  event: 'app_deauthorized',
  event_ts: signedAt - 1000,
  payload: {
    account_id: 'account-1',
    user_id: 'user-1',
    signature: '',
    deauthorization_time: '2025-11-21T09:29:59.000Z',
    client_id: 'client-1',
  },
}
const body = JSON.stringify(content)

const macOf = (secret: string, text: string) => createHmac('sha256', secret).update(text)

/** Creates the headers of the platform without the code under test. */
const ownHeaders = (text = body, secret = secretToken, time = timestamp) => ({
  [webhookHeaders.timestamp]: time,
  [webhookHeaders.signature]: `v0=${macOf(secret, `v0:${time}:${text}`).digest('hex')}`,
})

/** Creates the headers of Standard Webhooks with its reference implementation. */
function standardHeaders(text = body, secrets = [secretToken], time = timestamp) {
  const signatures = secrets.map((secret) =>
    new Webhook(secret, { format: 'raw' }).sign(id, new Date(Number(time) * 1000), text),
  )
  return {
    [webhookHeaders.standardId]: id,
    [webhookHeaders.standardTimestamp]: time,
    [webhookHeaders.standardSignature]: signatures.join(' '),
  }
}

const bothHeaders = () => ({ ...ownHeaders(), ...standardHeaders() })

const verify = (delivery: Partial<WebhookDelivery> = {}) =>
  verifyWebhook({ headers: bothHeaders(), body, secretToken, now: signedAt, ...delivery })

/** Returns the reason why a delivery is rejected; undefined if it is accepted. */
async function reasonFor(delivery: Partial<WebhookDelivery>): Promise<string | undefined> {
  try {
    await verify(delivery)
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason
    throw error
  }
}

test.each([
  ['the platform', ownHeaders(), undefined],
  ['Standard Webhooks', standardHeaders(), id],
  ['both families', bothHeaders(), id],
])('verifyWebhook returns event and signed id for the headers of %s', async (_, headers, id) => {
  expect(await verify({ headers })).toEqual({ ...content, id, known: true })
})

test('verifyWebhook accepts a body as text or bytes, and headers as Headers or a record in any case', async () => {
  const text = JSON.stringify({ event: 'grüße.sent', payload: '💡' })
  const headers = { ...ownHeaders(text), ...standardHeaders(text) }
  const bytes = new TextEncoder().encode(text)
  for (const body of [text, bytes, Buffer.from(text), bytes.buffer]) {
    expect(await verify({ headers, body })).toMatchObject({ event: 'grüße.sent', payload: '💡' })
  }
  const entries = Object.entries(bothHeaders())
  const upper = Object.fromEntries(entries.map(([key, value]) => [key.toUpperCase(), value]))
  const lists = Object.fromEntries(entries.map(([key, value]) => [key, [value]]))
  for (const form of [new Headers(bothHeaders()), upper, lists]) {
    expect(await verify({ headers: form })).toMatchObject({ id, known: true })
  }
})

test('verifyWebhook returns an unknown event with known: false, and its type follows the event', async () => {
  const text = JSON.stringify({ event: 'user.renamed', event_ts: 1, payload: { name: 'Olga' } })
  const webhook = await verify({ headers: standardHeaders(text), body: text })
  expect(webhook).toEqual({ id, known: false, event: 'user.renamed', payload: { name: 'Olga' } })
  if (webhook.known && webhook.event === 'app_deauthorized') {
    expectTypeOf(webhook.payload.user_id).toEqualTypeOf<string>()
  } else if (webhook.known && webhook.event === 'endpoint.url_validation') {
    expectTypeOf(webhook.payload.plainToken).toEqualTypeOf<string>()
  } else if (!webhook.known) {
    expectTypeOf(webhook.payload).toEqualTypeOf<unknown>()
  }
})

const families = [
  ['the platform', ownHeaders, webhookHeaders.timestamp, webhookHeaders.signature],
  [
    'Standard Webhooks',
    standardHeaders,
    webhookHeaders.standardTimestamp,
    webhookHeaders.standardSignature,
  ],
] as const

/** Replaces one character by another that is valid in a header. */
const oneChanged = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 0x21, max: 0x7e }))
    .map(([at, code]) => text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1))
    .filter((changed) => changed !== text)

describe.each(families)('a signature of %s', (family, headersOf, timeHeader, signatureHeader) => {
  const withHeaders = (changes: Record<string, string | string[] | undefined>) =>
    reasonFor({ headers: { ...headersOf(), ...changes } })

  test(`a signature of ${family} does not fit a body that is changed, cut, longer or reformatted`, async () => {
    const bytes = new TextEncoder().encode(body)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = bytes.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))
        expect(await reasonFor({ headers: headersOf(), body: changed })).toBe('signature')
      }),
    )
    const reformatted = JSON.stringify(content, null, 1)
    for (const changed of [body.slice(1), body.slice(0, -1), `${body}\n`, '', reformatted]) {
      expect(await reasonFor({ headers: headersOf(), body: changed })).toBe('signature')
    }
  })

  test(`headers of ${family} with one character changed or another time are refused`, async () => {
    for (const [name, value] of Object.entries(headersOf())) {
      await fc.assert(
        fc.asyncProperty(oneChanged(value), async (changed) => {
          expect(await withHeaders({ [name]: changed })).toMatch(/^(signature|stale|malformed)$/)
        }),
      )
    }
    for (const seconds of [-300, -1, 1, 300]) {
      const time = String(signedAt / 1000 + seconds)
      expect(await withHeaders({ [timeHeader]: time })).toBe('signature')
    }
  })

  test(`a signature of ${family} is stale beyond the tolerance before or after now`, async () => {
    const at = (seconds: number, tolerance?: number) =>
      reasonFor({ headers: headersOf(), now: signedAt + seconds * 1000, tolerance })
    expect([await at(300), await at(-300)]).toEqual([undefined, undefined])
    expect([await at(301), await at(-301)]).toEqual(['stale', 'stale'])
    expect([await at(60, 60), await at(61, 60)]).toEqual([undefined, 'stale'])
    expect([await at(0, Number.NaN), await at(-1e12)]).toEqual(['stale', 'stale'])
    expect(await reasonFor({ headers: headersOf(), now: undefined })).toBe('stale')
    const time = String(Math.floor(Date.now() / 1000))
    const headers = {
      ...ownHeaders(body, secretToken, time),
      ...standardHeaders(body, [secretToken], time),
    }
    expect(await reasonFor({ headers, now: undefined })).toBeUndefined()
  })

  test(`headers of ${family} that are malformed, missing or repeated are rejected`, async () => {
    for (const time of ['0x5f', '1e9', '-1', ' 1', '1.5', '99999999999999', 'now']) {
      expect([time, await withHeaders({ [timeHeader]: time })]).toEqual([time, 'malformed'])
    }
    const signature = new Headers(headersOf()).get(signatureHeader) ?? ''
    const cut = signature.slice(0, -1)
    for (const other of [signature.slice(3), signature.toUpperCase(), cut, 'v0=', 'v1,']) {
      expect(await withHeaders({ [signatureHeader]: other })).toBe('signature')
    }
    for (const [name, value] of Object.entries(headersOf())) {
      for (const missing of [undefined, '']) {
        expect(await withHeaders({ [name]: missing })).toBe('missing-headers')
      }
      expect(await withHeaders({ [name]: [value, value] })).toBe('malformed')
      expect(await withHeaders({ [name.toUpperCase()]: value })).toBe('malformed')
    }
    expect(await reasonFor({ headers: {} })).toBe('missing-headers')
    expect(await reasonFor({ headers: new Headers() })).toBe('missing-headers')
  })
})

test('during a rotation, a receiver with the new or the old secret token accepts a delivery', async () => {
  // The platform signs its own header with the new secret token and Standard Webhooks with both.
  const overlap = { ...ownHeaders(), ...standardHeaders(body, [secretToken, oldToken]) }
  for (const secret of [secretToken, oldToken, [oldToken, secretToken]]) {
    expect(await verify({ headers: overlap, secretToken: secret })).toMatchObject({ id })
  }
  const forged = { ...ownHeaders(body, oldToken), ...standardHeaders(body, [oldToken]) }
  for (const secret of [secretToken, [secretToken, 'x']]) {
    expect(await reasonFor({ headers: forged, secretToken: secret })).toBe('signature')
  }
  const both = [secretToken, oldToken]
  expect(await reasonFor({ headers: forged, secretToken: both })).toBeUndefined()
})

test('verifyWebhook returns no unsigned id, so that a replay under another id is not taken for new', async () => {
  const headers = { ...bothHeaders(), [webhookHeaders.standardId]: 'evt_forged' }
  expect((await verify({ headers })).id).toBeUndefined()
})

test('verifyWebhook refuses an id with a full stop, which would make the signed text ambiguous', async () => {
  const text = `${timestamp}.${body}`
  const headers = { ...standardHeaders(text), [webhookHeaders.standardId]: `${id}.${timestamp}` }
  expect(await reasonFor({ headers })).toBe('malformed')
})

test.each(
  splitAtBars(
    '¦null¦[]¦{"payload":{}}¦{"event":1}¦{"event":"app_deauthorized"}',
    '{"event":"endpoint.url_validation","event_ts":1,"payload":{"plainToken":1}}¦{',
  ),
)('the signed body %j is malformed', async (text) => {
  expect(await reasonFor({ headers: ownHeaders(text), body: text })).toBe('malformed')
})

test('a signed body that is not UTF-8 is malformed', async () => {
  const bytes = new Uint8Array([0x22, 0xff, 0x22])
  const mac = createHmac('sha256', secretToken).update(`v0:${timestamp}:`).update(bytes)
  const headers = { ...ownHeaders(), [webhookHeaders.signature]: `v0=${mac.digest('hex')}` }
  expect(await reasonFor({ headers, body: bytes })).toBe('malformed')
})

test('verifyWebhook throws a TypeError for an empty secret token and a parsed body', async () => {
  for (const secret of ['', [], ['x', '']]) {
    await expect(verify({ secretToken: secret })).rejects.toThrow(TypeError)
  }
  const parsed: Record<string, unknown> = { body: content }
  await expect(verify(parsed)).rejects.toThrow('body must be the raw text')
})

test('answerEndpointValidation returns the token and its HMAC in hex', async () => {
  const text = '{"event":"endpoint.url_validation","event_ts":1,"payload":{"plainToken":"q9ib"}}'
  const webhook = await verify({ headers: ownHeaders(text), body: text })
  if (!webhook.known || webhook.event !== 'endpoint.url_validation') throw new Error('not known')
  expect(await answerEndpointValidation(webhook, secretToken)).toEqual({
    plainToken: 'q9ib',
    encryptedToken: macOf(secretToken, 'q9ib').digest('hex'),
  })
  await expect(answerEndpointValidation(webhook, '')).rejects.toThrow('secretToken must be')
})

test('isDeauthorizationSigned accepts any of the given secret tokens, and no payload with a field changed', async () => {
  const text = 'client-1:user-1:account-1:2025-11-21T09:29:59.000Z'
  const payload = { ...content.payload, signature: macOf(oldToken, text).digest('hex') }
  expect(await isDeauthorizationSigned({ payload }, oldToken)).toBe(true)
  expect(await isDeauthorizationSigned({ payload }, [secretToken, oldToken])).toBe(true)
  expect(await isDeauthorizationSigned({ payload }, secretToken)).toBe(false)
  for (const name of Object.keys(payload)) {
    const other = { ...payload, [name]: 'changed' }
    expect(await isDeauthorizationSigned({ payload: other }, oldToken)).toBe(false)
  }
})
