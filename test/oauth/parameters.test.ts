import { describe, expect, test } from 'vitest'
import { basic, read, refusal, startOAuthServer, tokensOf } from '../support/oauth-server.ts'

const invalid = '400 invalid_request 300'
const formType = 'application/x-www-form-urlencoded'

const server = await startOAuthServer()
const reporter = server.app('Reporter')
const Authorization = basic(reporter)
const id = server.accountId('Acme')
const good = { grant_type: 'account_credentials', account_id: id }
const query = new URLSearchParams(good).toString()
const send = (path: string, headers: Record<string, string> = {}, body?: string) =>
  read(
    server.http(path, {
      method: 'POST',
      headers: { Authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  )

test.each(['query', 'form'] as const)('parameters are read from the %s', async (place) => {
  tokensOf(await server.post('/oauth/token', good, { app: reporter, place }))
})

const bodies: Record<string, [Record<string, string>, string | undefined]> = {
  'no body and no type': [{}, undefined],
  'JSON {}': [{ 'Content-Type': 'application/json' }, '{}'],
  'a multipart form': [{ 'Content-Type': 'multipart/form-data; boundary=x' }, '--x--'],
}
test.each(Object.entries(bodies))('the query is read with %s', async (_, [headers, body]) => {
  tokensOf(await send(`/oauth/token?${query}`, headers, body))
})

const doubled: Record<string, [string, string | undefined]> = {
  'twice in the query': [`${query}&account_id=${id}`, undefined],
  'twice in the body': ['', `${query}&account_id=${id}`],
  'in both places': [query, `account_id=${id}`],
  'in array notation': [`grant_type=account_credentials&account_id[]=${id}`, undefined],
  'twice under an unknown name': [`${query}&x=1&x=2`, undefined],
}
test.each(Object.entries(doubled))('a parameter %s is refused', async (_, [inQuery, inBody]) => {
  const type: Record<string, string> = inBody === undefined ? {} : { 'Content-Type': formType }
  const answer = await send(`/oauth/token?${inQuery}`, type, inBody)
  expect(refusal(answer)).toBe(invalid)
  expect(answer.text).not.toContain(id)
})

test('empty parameters count as absent, and unknown ones are ignored', async () => {
  tokensOf(await send(`/oauth/token?${query}&scope=&code=&client_id=&x=1&__proto__=1`))
  const empty = await send(`/oauth/token?grant_type=account_credentials&account_id=`)
  expect(refusal(empty)).toBe(invalid)
  expect(empty.body.error_description).toMatch(/account_id is required/)
  const none = await send(`/oauth/token?grant_type=&account_id=${id}`)
  expect(refusal(none)).toBe(invalid)
  expect(none.body.error_description).toMatch(/grant_type is required/)
  expect(refusal(await send('/oauth/token?'))).toBe(invalid)
})

test('every endpoint names a missing parameter', async () => {
  for (const [path, name] of [
    ['/oauth/token?grant_type=authorization_code', 'code'],
    ['/oauth/token?grant_type=refresh_token', 'refresh_token'],
    ['/oauth/token?grant_type=urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
    ['/oauth/revoke', 'token'],
    ['/oauth/introspect', 'token'],
  ] as const) {
    const answer = await send(path)
    expect(refusal(answer)).toBe(invalid)
    expect(answer.body.error_description).toBe(`${name} is required`)
  }
})

const otherBodies: Record<string, [type: string, body: string | Uint8Array<ArrayBuffer>]> = {
  'JSON as a form': [formType, JSON.stringify({ ...good, redirect_uri: 'https://a.test/?b=c&d' })],
  JSON: ['application/json', JSON.stringify({ ...good, token: 'x' })],
  'a multipart form': [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="grant_type"\r\n\r\nrefresh_token\r\n--x--\r\n',
  ],
  text: ['text/plain;charset=UTF-8', query],
  'no content type': ['', new TextEncoder().encode(query)],
}
describe.each(Object.entries(otherBodies))('a request with %s', (_, [type, body]) => {
  const sendIt = (path: string, authorization: string | undefined, sent = body) => {
    const headers = {
      ...(type && { 'Content-Type': type }),
      ...(authorization && { authorization }),
    }
    return read(server.http(path, { method: 'POST', headers, body: sent }))
  }
  const wanted = 'application/x-www-form-urlencoded'

  const withParameters = ['/oauth/token', '/oauth/revoke', '/oauth/introspect']
  test.each(withParameters)(
    'names the content type for the missing parameter of %s',
    async (path) => {
      const answer = await sendIt(path, Authorization)
      expect(refusal(answer)).toBe(invalid)
      expect(answer.body.error_description).toMatch(/^\w+ is required\. /)
      expect(answer.body.error_description).toContain(wanted)
      const partly = await sendIt('/oauth/token?grant_type=refresh_token', Authorization)
      expect(partly.body.error_description).toMatch(/^refresh_token is required\. .*x-www-form/)
      const code = await sendIt('/oauth/token?grant_type=authorization_code&code=x', Authorization)
      expect(refusal(code)).toBe('400 invalid_grant 4709')
      expect(code.body.error_description).toMatch(/^redirect_uri is required\. .*x-www-form/)
    },
  )

  const withClient = ['/oauth/token', '/oauth/devicecode', '/oauth/revoke', '/oauth/introspect']
  test.each(withClient)('names the content type for the missing client of %s', async (path) => {
    const answer = await sendIt(path, undefined)
    expect(refusal(answer)).toBe('401 invalid_client 4706')
    expect(answer.body.error_description).toContain(wanted)
  })

  test('gets every other error as without the body', async () => {
    const wrong = basic({ ...reporter, clientSecret: 'wrong' })
    for (const [path, authorization] of [
      [`/oauth/token?${query}`, wrong],
      ['/oauth/token?grant_type=password', Authorization],
      [`/oauth/token?${query}&scope=nope`, Authorization],
    ] as const) {
      const answer = await sendIt(path, authorization)
      expect(answer.body).toEqual((await sendIt(path, authorization, '')).body)
      expect(answer.text).not.toContain(wanted)
    }
    tokensOf(await sendIt(`/oauth/token?${query}`, Authorization))
  })
})

test('too many or too long parameters are refused', async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `p${i}=1`).join('&')
  const scopes = Array.from({ length: 5000 }, (_, i) => `meeting:read:s${i}`).join('+')
  const type = { 'Content-Type': formType }
  for (const body of [many, `${query}&scope=${scopes}`, `x=${'y'.repeat(1024 * 1024)}`]) {
    expect(refusal(await send('/oauth/token', type, body))).toBe(invalid)
  }
  expect(refusal(await send(`/oauth/token?${query}&x=${'y'.repeat(16_000)}`))).toBe(invalid)
  const few = `${query}&scope=${scopes.slice(0, 15_000)}`
  expect(refusal(await send(`/oauth/token?${few}`))).toBe('400 invalid_scope')
})
