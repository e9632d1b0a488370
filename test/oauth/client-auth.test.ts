import { beforeEach, expect, test } from 'vitest'
import {
  type Answer,
  basic,
  refusal,
  startOAuthServer,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { exchange as exchangeRaw } from '../support/raw-http.ts'

const wrong = '401 invalid_client 4702'
const mismatch = '401 invalid_client 4704'
const missing = '401 invalid_client 4706'

const encoded = (text: string) => Buffer.from(text).toString('base64')
const percentAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

const server = await startOAuthServer()
const bot = server.app('Helper bot')
const reporter = server.app('Reporter')
const pocket = server.app('Pocket')
const request = { grant_type: 'client_credentials' }
const send = (Authorization: string, more: Record<string, string> = {}) =>
  server.post('/oauth/token', { ...request, ...more }, { headers: { Authorization } })
const form = (more: Record<string, string>) =>
  server.post('/oauth/token', { ...request, ...more }, { place: 'form' })

// Failures count against later attempts for a minute.
beforeEach(() => server.clock.advance(60_001))

const { clientId: id, clientSecret: secret } = bot
const good: Record<string, string> = {
  'as they are': basic(bot),
  'fully percent-encoded': `Basic ${encoded(`${percentAll(id)}:${percentAll(secret)}`)}`,
  'under a scheme in lower case': basic(bot).replace('Basic', 'basic'),
  'in base64 without padding': basic(bot).replace(/=+$/, ''),
}
test.each(Object.entries(good))('Basic credentials %s are accepted', async (_, header) => {
  tokensOf(await send(header))
})

test('client_id may repeat the authenticated client, but not name another', async () => {
  tokensOf(await send(basic(bot), { client_id: id }))
  expect(refusal(await send(basic(bot), { client_id: reporter.clientId }))).toBe(mismatch)
  expect(refusal(await send(basic(bot), { client_id: `${id}x` }))).toBe(mismatch)
})

const bad: Record<string, [string, string]> = {
  'only a scheme': ['Basic', missing],
  'another scheme': [`Bearer ${secret}`, missing],
  'bytes that are not UTF-8': [
    `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xfd]).toString('base64')}`,
    wrong,
  ],
  'a percent-encoded NUL': [`Basic ${encoded(`${id}%00:${secret}`)}`, wrong],
  '60 KB': [`Basic ${encoded(`${id}:${'x'.repeat(45_000)}`)}`, wrong],
  'an unknown id': [`Basic ${encoded(`${'A'.repeat(22)}:${secret}`)}`, wrong],
  'a wrong secret': [`Basic ${encoded(`${id}:wrong`)}`, wrong],
  'no secret': [`Basic ${encoded(`${id}:`)}`, missing],
  'the secret of another app': [basic({ ...bot, clientSecret: reporter.clientSecret }), wrong],
}
test.each(Object.entries(bad))('an Authorization with %s is refused', async (_, [header, as]) => {
  const answer = await send(header)
  expect(refusal(answer)).toBe(as)
  const challenge = /^basic/i.test(header) ? 'Basic realm="skillpass"' : null
  expect(answer.headers.get('www-authenticate')).toBe(challenge)
  expect(answer.text).not.toContain(secret)
})

test('an unknown client id and a wrong secret get the same error', async () => {
  const { text } = await send(`Basic ${encoded(`${'A'.repeat(22)}:wrong`)}`)
  expect((await send(`Basic ${encoded(`${id}:wrong`)}`)).text).toBe(text)
})

test('two Authorization headers are refused', async () => {
  const header = `Authorization: ${basic(bot)}\r\n`
  for (const second of [header, `Authorization: ${basic(reporter)}\r\n`]) {
    const head = 'POST /oauth/token?grant_type=client_credentials HTTP/1.1\r\nHost: x\r\n'
    const { first } = await exchangeRaw(server.url, [`${head}${header}${second}\r\n`])
    expect(first.status).toBe(401)
    expect(JSON.parse(first.body)).toMatchObject({ error: 'invalid_client', code: 4702 })
  }
})

test('a refusal without an Authorization header has no challenge', async () => {
  for (const [more, as] of [
    [{}, missing],
    [{ client_id: '' }, missing],
    [{ client_id: id }, missing],
    [{ client_id: id, client_secret: '' }, missing],
    [{ client_secret: secret }, missing],
    [{ client_id: id, client_secret: 'wrong' }, wrong],
    [{ client_id: 'unknown', client_secret: secret }, wrong],
  ] as const) {
    const answer = await form(more)
    expect(refusal(answer)).toBe(as)
    expect(answer.headers.get('www-authenticate')).toBeNull()
  }
})

test('a secret in the query is refused with 4706 and a remedy, also if it is sent in two places', async () => {
  const both = { client_id: id, client_secret: secret }
  const inQuery = await server.token(undefined, { ...request, ...both })
  expect(refusal(inQuery)).toBe(missing)
  expect(inQuery.body.error_description).toMatch(/Authorization: Basic header or in the form body/)
  expect(inQuery.headers.get('www-authenticate')).toBeNull()
  const besideBasic = await server.token(bot, { ...request, client_secret: secret })
  expect(refusal(besideBasic)).toBe(missing)
  expect(besideBasic.headers.get('www-authenticate')).toBe('Basic realm="skillpass"')
  const inBoth = { app: bot, place: 'form' } as const
  const twice = await server.post('/oauth/token', { ...request, client_secret: secret }, inBoth)
  expect(refusal(twice)).toBe('400 invalid_request 300')
  for (const { text } of [inQuery, besideBasic, twice]) expect(text).not.toContain(secret)
})

test('a public client authenticates with its id only, in the query or the body', async () => {
  const only = { client_id: pocket.clientId }
  for (const place of ['query', 'form'] as const) {
    const answer = await server.post('/oauth/devicecode', only, { place })
    expect(answer.status).toBe(200)
  }
  const withSecret = (clientSecret: string) =>
    server.post('/oauth/devicecode', only, { app: { ...pocket, clientSecret } })
  expect((await withSecret('')).status).toBe(200)
  expect(refusal(await withSecret('guessed'))).toBe(wrong)
})

test('after ten failures in a minute further failures get 429, but the right secret works', async () => {
  const guess = (app = bot) => send(basic({ ...app, clientSecret: 'wrong' }))
  const answers: Answer[] = []
  for (let i = 0; i < 12; i++) answers.push(await guess())
  expect(tally(answers.map(refusal))).toEqual({ [wrong]: 10, '429 temporarily_unavailable 429': 2 })
  tokensOf(await send(basic(bot)))
  // Other apps at the same address are not affected.
  expect(refusal(await guess(reporter))).toBe(wrong)
  const wait = Number((await guess()).headers.get('retry-after'))
  server.clock.advance((wait - 1) * 1000)
  expect((await guess()).status).toBe(429)
  server.clock.advance(1000)
  expect(refusal(await guess())).toBe(wrong)
})

test('failures under unknown ids are counted together', async () => {
  const answers: Answer[] = []
  for (let i = 0; i < 102; i++) {
    answers.push(await send(`Basic ${encoded(`${'A'.repeat(19)}${i + 100}:wrong`)}`))
  }
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  expect(refusal(await send(basic({ ...bot, clientSecret: 'wrong' })))).toBe(wrong)
})
