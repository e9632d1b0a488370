import { describe, expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  apiUrl,
  atOnce,
  pkce,
  refusal,
  startOAuthServer,
  startSecondNode,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { countFigure, roundsOf } from '../support/rounds.ts'

const invalid = '400 invalid_grant 4734'

const replayed = countFigure('codes that came again: refused, and the grant ended')

describe.each(engines)('authorization codes on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const stranger = server.app('Stranger')

  test('a code is exchanged for a token response with the fields of the spec', async () => {
    const answer = await server.exchange(scheduler, await server.codeOf(scheduler))
    const { access_token, refresh_token } = tokensOf(answer)
    expect(answer.body).toEqual({
      access_token,
      token_type: 'bearer',
      refresh_token,
      expires_in: 3600,
      scope: 'user:read:user meeting:read:list_meetings',
      api_url: apiUrl,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('pragma')).toBe('no-cache')
    expect((await server.me(access_token)).body).toMatchObject({ email: 'member@acme.test' })
  })

  test('only one of 20 concurrent exchanges of a code succeeds, and its grant ends', async () => {
    const node = await startSecondNode(server)
    for (let round = 0; round < roundsOf(1); round++) {
      const code = await server.codeOf(scheduler)
      const answers = await atOnce(20, (i) => (i % 2 ? node : server).exchange(scheduler, code))
      expect(tally(answers.map(refusal))).toEqual({ '200 none': 1, [invalid]: 19 })
      replayed(19)
      const [tokens] = answers.filter(({ status }) => status === 200).map(tokensOf)
      expect((await server.me(tokens?.access_token)).body.code).toBe(4741)
      const again = await server.refresh(scheduler, tokens?.refresh_token)
      expect(refusal(again)).toBe('400 invalid_grant 4741')
    }
  })

  test('a code of another app is refused like an unknown one, and stays valid for its own app', async () => {
    const code = await server.codeOf(scheduler)
    const foreign = await server.exchange(stranger, code)
    expect(refusal(foreign)).toBe(invalid)
    const made = await server.exchange(stranger, `${code.slice(0, -1)}x`)
    expect(foreign.text).toBe(made.text)
    const development = server.app('Scheduler', 'development')
    expect(refusal(await server.exchange(development, code))).toBe(invalid)
    tokensOf(await server.exchange(scheduler, code))
  })

  test('a code is valid for 300 seconds and then refused as expired', async () => {
    const [early, late] = [await server.codeOf(scheduler), await server.codeOf(scheduler)]
    server.clock.advance(299_000)
    tokensOf(await server.exchange(scheduler, early))
    server.clock.advance(2_000)
    expect(refusal(await server.exchange(scheduler, late))).toBe('400 invalid_grant 4733')
    server.clock.advance(3_600_000)
    expect(refusal(await server.exchange(scheduler, late))).toBe('400 invalid_grant 4733')
  })
})

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const stranger = server.app('Stranger')
const strict = server.app('Strict')
const pocket = server.app('Pocket')

test('a wrong client secret does not consume a code', async () => {
  const code = await server.codeOf(scheduler)
  for (const clientSecret of ['wrong', stranger.clientSecret]) {
    const answer = await server.exchange({ ...scheduler, clientSecret }, code)
    expect(refusal(answer)).toBe('401 invalid_client 4702')
  }
  tokensOf(await server.exchange(scheduler, code))
})

test('a code requires exactly the redirect_uri of its authorization request', async () => {
  const code = await server.codeOf(scheduler)
  const wrong = [`${callback}/`, callback.toUpperCase(), callback.slice(0, -1), 'x', '']
  for (const redirect_uri of wrong) {
    const answer = await server.exchange(scheduler, code, { redirect_uri })
    expect(refusal(answer)).toBe('400 invalid_grant 4709')
  }
  const missing = await server.token(scheduler, { grant_type: 'authorization_code', code })
  expect(refusal(missing)).toBe('400 invalid_grant 4709')
  tokensOf(await server.exchange(scheduler, code))
})

describe.each([
  ['S256', (verifier: string) => pkce(verifier).challenge],
  ['plain', (verifier: string) => verifier],
])('a code with a challenge of method %s', (method, challengeOf) => {
  const { verifier } = pkce()
  const asked = { code_challenge: challengeOf(verifier), code_challenge_method: method }

  const wrong: Record<string, Record<string, string>> = {
    'no verifier': {},
    'another verifier': { code_verifier: pkce().verifier },
    'its own challenge': { code_verifier: pkce(verifier).challenge },
    'a verifier that is too long': { code_verifier: verifier.repeat(10) },
  }
  test.each(Object.entries(wrong))(`a code with ${method} is consumed by %s`, async (_, more) => {
    const code = await server.codeOf(scheduler, asked)
    expect(refusal(await server.exchange(scheduler, code, more))).toBe(invalid)
    const right = await server.exchange(scheduler, code, { code_verifier: verifier })
    expect(refusal(right)).toBe(invalid)
  })
})

test('a code without a challenge is consumed by a verifier, because the challenge may have been removed', async () => {
  const code = await server.codeOf(scheduler)
  const answer = await server.exchange(scheduler, code, { code_verifier: pkce().verifier })
  expect(refusal(answer)).toBe(invalid)
  expect(refusal(await server.exchange(scheduler, code))).toBe(invalid)
})

test('a verifier may contain characters that RFC 7636 does not allow', async () => {
  const { verifier, asked } = pkce('a verifier with spaces, + and ü')
  const code = await server.codeOf(strict, asked)
  tokensOf(await server.exchange(strict, code, { code_verifier: verifier }))
})

test('a public client exchanges a code with its id and verifier, and only its verifier replays the code', async () => {
  const { verifier, asked } = pkce()
  const code = await server.codeOf(pocket, asked)
  const exchange = (proof: { code_verifier?: string }) =>
    server.token(undefined, {
      grant_type: 'authorization_code',
      client_id: pocket.clientId,
      code,
      redirect_uri: callback,
      ...proof,
    })
  const { access_token, refresh_token } = tokensOf(await exchange({ code_verifier: verifier }))
  const renewed = await server.token(undefined, {
    grant_type: 'refresh_token',
    client_id: pocket.clientId,
    refresh_token,
  })
  tokensOf(renewed)
  // Someone who saw the code in an address has no verifier and cannot end the grant.
  for (const proof of [{}, { code_verifier: pkce().verifier }]) {
    expect(refusal(await exchange(proof))).toBe(invalid)
  }
  expect((await server.me(access_token)).status).toBe(200)
  expect(refusal(await exchange({ code_verifier: verifier }))).toBe(invalid)
  expect((await server.me(access_token)).status).toBe(401)
})
