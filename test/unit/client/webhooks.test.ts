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
import { parted } from '../../support/words.ts'

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

/** The headers of the platform, made without the code under test. */
const ownHeaders = (text = body, secret = secretToken, time = timestamp) => ({
  [webhookHeaders.timestamp]: time,
  [webhookHeaders.signature]: `v0=${macOf(secret, `v0:${time}:${text}`).digest('hex')}`,
})

/** The headers of Standard Webhooks, as the reference implementation signs. */
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

const refused = (reason: string) => expect.objectContaining({ reason })

/** The reason why a delivery is refused; undefined if it is accepted. */
async function reasonFor(delivery: Partial<WebhookDelivery>): Promise<string | undefined> {
  try {
    await verify(delivery)
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason
    throw error
  }
}

describe('a genuine delivery', () => {
  test.each([
    ['the platform', ownHeaders(), undefined],
    ['Standard Webhooks', standardHeaders(), id],
    ['both families', bothHeaders(), id],
  ])(
    'verifyWebhook returns the event with its signed id for the headers of %s',
    async (_, headers, id) => {
      expect(await verify({ headers })).toEqual({ ...content, id, known: true })
    },
  )

  test('verifyWebhook accepts a body as text, bytes, a Buffer or an ArrayBuffer', async () => {
    const text = JSON.stringify({ event: 'grüße.sent', payload: '💡' })
    const headers = { ...ownHeaders(text), ...standardHeaders(text) }
    const bytes = new TextEncoder().encode(text)
    for (const body of [text, bytes, Buffer.from(text), bytes.buffer]) {
      expect(await verify({ headers, body })).toMatchObject({ event: 'grüße.sent', payload: '💡' })
    }
  })

  test('verifyWebhook accepts Headers, a record in any case, and lists of one value', async () => {
    const headers = bothHeaders()
    const entries = Object.entries(headers)
    const upper = Object.fromEntries(entries.map(([key, value]) => [key.toUpperCase(), value]))
    const lists = Object.fromEntries(entries.map(([key, value]) => [key, [value]]))
    for (const form of [new Headers(headers), upper, lists, { ...headers, get: 'of a proxy' }]) {
      expect(await verify({ headers: form })).toMatchObject({ id, known: true })
    }
  })

  test('verifyWebhook accepts every signature made by the documented formula', async () => {
    const texts = fc.json().map((payload) => `{"event":"x","payload":${payload}}`)
    const secrets = fc.string({ minLength: 1, unit: 'binary' })
    await fc.assert(
      fc.asyncProperty(texts, secrets, async (text, secret) => {
        const headers = ownHeaders(text, secret)
        const { payload } = JSON.parse(text)
        const webhook = await verify({ headers, body: text, secretToken: secret })
        expect(webhook.payload).toEqual(payload)
      }),
      { numRuns: 30 },
    )
  })

  test('verifyWebhook returns an unknown event with known: false', async () => {
    const text = JSON.stringify({ event: 'user.renamed', event_ts: 1, payload: { name: 'Olga' } })
    const webhook = await verify({ headers: standardHeaders(text), body: text })
    expect(webhook).toEqual({ id, known: false, event: 'user.renamed', payload: { name: 'Olga' } })
  })

  test('the type of a webhook follows its event', async () => {
    const webhook = await verify()
    expectTypeOf(webhook.id).toEqualTypeOf<string | undefined>()
    if (webhook.known && webhook.event === 'app_deauthorized') {
      expectTypeOf(webhook.payload.user_id).toEqualTypeOf<string>()
    } else if (webhook.known) {
      expectTypeOf(webhook.payload.plainToken).toEqualTypeOf<string>()
    } else {
      expectTypeOf(webhook.payload).toEqualTypeOf<unknown>()
    }
    expect(webhook.known).toBe(true)
  })
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

/** A text with one character replaced by another that a header may hold. */
const oneChanged = (text: string) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 0x21, max: 0x7e }))
    .map(([at, code]) => text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1))
    .filter((changed) => changed !== text)

describe.each(families)('a signature of %s', (family, headersOf, timeHeader, signatureHeader) => {
  test(`a signature of ${family} does not fit a body with one bit changed`, async () => {
    const bytes = new TextEncoder().encode(body)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (at, bit) => {
        const changed = bytes.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))
        expect(await reasonFor({ headers: headersOf(), body: changed })).toBe('signature')
      }),
    )
  })

  test(`a signature of ${family} does not fit a body that is cut, longer or reformatted`, async () => {
    const anew = JSON.stringify(content, null, 1)
    for (const changed of [body.slice(1), body.slice(0, -1), `${body}\n`, '', anew]) {
      expect(await reasonFor({ headers: headersOf(), body: changed })).toBe('signature')
    }
  })

  test(`headers of ${family} with one character changed are refused`, async () => {
    for (const [name, value] of Object.entries(headersOf())) {
      await fc.assert(
        fc.asyncProperty(oneChanged(value), async (changed) => {
          const headers = { ...headersOf(), [name]: changed }
          expect(await reasonFor({ headers })).toMatch(/^(signature|stale|malformed)$/)
        }),
      )
    }
  })

  test(`a signature of ${family} does not fit another time, even a fresh one`, async () => {
    const times = fc.integer({ min: -300, max: 300 }).filter((seconds) => seconds !== 0)
    await fc.assert(
      fc.asyncProperty(times, async (seconds) => {
        const headers = { ...headersOf(), [timeHeader]: String(signedAt / 1000 + seconds) }
        expect(await reasonFor({ headers })).toBe('signature')
      }),
    )
  })

  test(`a signature of ${family} is stale beyond the tolerance before or after now`, async () => {
    const at = (seconds: number, tolerance?: number) =>
      reasonFor({ headers: headersOf(), now: signedAt + seconds * 1000, tolerance })
    expect([await at(300), await at(-300)]).toEqual([undefined, undefined])
    expect([await at(301), await at(-301)]).toEqual(['stale', 'stale'])
    expect([await at(60, 60), await at(61, 60)]).toEqual([undefined, 'stale'])
    expect([await at(0, Number.NaN), await at(-1e12)]).toEqual(['stale', 'stale'])
  })

  test(`a signature of ${family} is compared with the time of the machine by default`, async () => {
    expect(await reasonFor({ headers: headersOf(), now: undefined })).toBe('stale')
    const text = '{"event":"x"}'
    const time = String(Math.floor(Date.now() / 1000))
    const headers = {
      ...ownHeaders(text, secretToken, time),
      ...standardHeaders(text, [secretToken], time),
    }
    expect(await reasonFor({ headers, body: text, now: undefined })).toBeUndefined()
  })

  test.each(['', '0x5f', '1e9', '-1', ' 1', '1.5', '99999999999999', 'now'])(
    `the time %j in headers of ${family} is refused`,
    async (time) => {
      const headers = { ...headersOf(), [timeHeader]: time }
      expect(await reasonFor({ headers })).toBe(time === '' ? 'missing-headers' : 'malformed')
    },
  )

  test(`a signature of ${family} without its version, in upper case, cut or empty is refused`, async () => {
    const signature = new Headers(headersOf()).get(signatureHeader) ?? ''
    const cut = signature.slice(0, -1)
    for (const other of [signature.slice(3), signature.toUpperCase(), cut, 'v0=', 'v1,']) {
      const headers = { ...headersOf(), [signatureHeader]: other }
      expect(await reasonFor({ headers })).toBe('signature')
    }
  })

  test(`headers of ${family} that are missing or come twice are refused`, async () => {
    for (const [name, value] of Object.entries(headersOf())) {
      const without = { ...headersOf(), [name]: undefined }
      expect(await reasonFor({ headers: without })).toBe('missing-headers')
      const twice = { ...headersOf(), [name]: [value, value] }
      expect(await reasonFor({ headers: twice })).toBe('malformed')
      const inTwoCases = { ...headersOf(), [name.toUpperCase()]: value }
      expect(await reasonFor({ headers: inTwoCases })).toBe('malformed')
    }
    expect(await reasonFor({ headers: {} })).toBe('missing-headers')
    expect(await reasonFor({ headers: new Headers() })).toBe('missing-headers')
  })

  test(`a signature of ${family} by another secret token is refused`, async () => {
    expect(await reasonFor({ headers: headersOf(), secretToken: oldToken })).toBe('signature')
    expect(await reasonFor({ headers: headersOf(), secretToken: [oldToken, 'x'] })).toBe(
      'signature',
    )
  })
})

describe('a rotation of the secret token', () => {
  // The platform signs its own header with the new secret token and Standard Webhooks with both.
  const overlap = { ...ownHeaders(), ...standardHeaders(body, [secretToken, oldToken]) }

  test('a receiver with either secret token accepts a delivery during a rotation', async () => {
    for (const secret of [secretToken, oldToken, [oldToken, secretToken]]) {
      expect(await verify({ headers: overlap, secretToken: secret })).toMatchObject({ id })
    }
  })

  test('the old secret token is refused after a rotation, unless the receiver still has it', async () => {
    expect(await reasonFor({ secretToken: oldToken })).toBe('signature')
    const forged = { ...ownHeaders(body, oldToken), ...standardHeaders(body, [oldToken]) }
    expect(await reasonFor({ headers: forged })).toBe('signature')
    expect(await reasonFor({ headers: forged, secretToken: [secretToken, oldToken] })).toBe(
      undefined,
    )
  })
})

describe('headers of two families', () => {
  test('verifyWebhook returns no unsigned id, so that a replay under another id is not taken for new', async () => {
    const headers = { ...bothHeaders(), [webhookHeaders.standardId]: 'evt_forged' }
    expect((await verify({ headers })).id).toBeUndefined()
  })

  test('verifyWebhook refuses an id with a full stop, which would make the signed text ambiguous', async () => {
    const text = `${timestamp}.${body}`
    const headers = { ...standardHeaders(text), [webhookHeaders.standardId]: `${id}.${timestamp}` }
    expect(await reasonFor({ headers })).toBe('malformed')
  })

  test('verifyWebhook reports stale if both families are stale', async () => {
    expect(await reasonFor({ now: signedAt + 301_000 })).toBe('stale')
  })
})

describe('a genuine delivery without an event', () => {
  test.each(
    parted(
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
    await expect(verify({ headers, body: bytes })).rejects.toEqual(refused('malformed'))
  })
})

describe('a mistake of the caller', () => {
  test('an empty secret token and a parsed body throw a TypeError', async () => {
    for (const secret of ['', [], ['x', '']]) {
      await expect(verify({ secretToken: secret })).rejects.toThrow(TypeError)
    }
    const parsed: Record<string, unknown> = { body: content }
    await expect(verify(parsed)).rejects.toThrow('body must be the raw text')
    const unset: Record<string, unknown> = { secretToken: [undefined] }
    await expect(verify(unset)).rejects.toThrow('secretToken must be')
  })
})

describe('answerEndpointValidation', () => {
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
})

describe('isDeauthorizationSigned', () => {
  const text = 'client-1:user-1:account-1:2025-11-21T09:29:59.000Z'
  const signature = macOf(oldToken, text).digest('hex')
  const payload = { ...content.payload, signature }

  test('isDeauthorizationSigned accepts any of the given secret tokens', async () => {
    expect(await isDeauthorizationSigned({ payload }, oldToken)).toBe(true)
    expect(await isDeauthorizationSigned({ payload }, [secretToken, oldToken])).toBe(true)
    expect(await isDeauthorizationSigned({ payload }, secretToken)).toBe(false)
  })

  test('isDeauthorizationSigned refuses a payload with any field changed', async () => {
    for (const [name, value] of Object.entries(payload)) {
      await fc.assert(
        fc.asyncProperty(oneChanged(value), async (changed) => {
          const other = { ...payload, [name]: changed }
          expect(await isDeauthorizationSigned({ payload: other }, oldToken)).toBe(false)
        }),
        { numRuns: 20 },
      )
    }
  })
})
