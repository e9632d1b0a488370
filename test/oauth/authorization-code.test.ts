import { describe, expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  apiUrl,
  atOnce,
  exchange,
  pkce,
  refusal,
  startOAuthServer,
  startSecondNode,
  tally,
  tokensOf,
} from '../support/oauth-server.ts'
import { countFigure, reportFigure } from '../support/rounds.ts'

const invalid = '400 invalid_grant 4734'

const replayed = countFigure('codes that came again: refused, and the grant ended')

describe.each(engines)('authorization codes on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const stranger = server.app('Stranger')
  const strict = server.app('Strict')
  const pocket = server.app('Pocket')

  test('give the token response of the spec, with an api_url and numbers that are numbers', async () => {
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
    expect((await server.me(access_token)).body).toMatchObject({
      email: 'member@testAccounts.test',
    })
  })

  test('used a second time are refused, and what the first use gave is dead', async () => {
    const code = await server.codeOf(scheduler)
    const tokens = tokensOf(await server.exchange(scheduler, code))
    expect(refusal(await server.exchange(scheduler, code))).toBe(invalid)
    const call = await server.me(tokens.access_token)
    expect([call.status, call.body.code]).toEqual([401, 4741])
    const again = await server.refresh(scheduler, tokens.refresh_token)
    expect(refusal(again)).toBe('400 invalid_grant 4741')
    replayed()
  })

  test('of another authorization of the same user stay alive beside it', async () => {
    const first = await server.grantOf(scheduler)
    const second = await server.grantOf(scheduler)
    for (const { access_token } of [first, second]) {
      expect((await server.me(access_token)).status).toBe(200)
    }
  })

  test('used 20 times at once give one response, and the grant ends', async () => {
    const code = await server.codeOf(scheduler)
    const answers = await atOnce(20, () => server.exchange(scheduler, code))
    const good = answers.filter(({ status }) => status === 200)
    expect(good).toHaveLength(1)
    expect(tally(answers.filter((one) => !good.includes(one)).map(refusal))).toEqual({
      [invalid]: 19,
    })
    replayed(19)
    expect((await server.me(good[0]?.body.access_token)).body.code).toBe(4741)
  })

  test('are single-use 100 times of 100, at two servers on one database', async () => {
    const twin = await startSecondNode(server)
    for (let round = 0; round < 100; round++) {
      const code = await server.codeOf(scheduler)
      const answers = await atOnce(4, (i) => exchange(i % 2 ? twin : server, scheduler, code))
      expect(tally(answers.map(({ status }) => String(status)))).toEqual({ 200: 1, 400: 3 })
    }
    await twin.stop()
    reportFigure(`code on ${engine}, at two servers: exactly one winner 100 of 100 times`)
  })

  test('of one app are good for no other, and stay good for their own', async () => {
    const code = await server.codeOf(scheduler)
    const foreign = await server.exchange(stranger, code)
    expect(refusal(foreign)).toBe(invalid)
    const made = await server.exchange(stranger, `${code.slice(0, -1)}x`)
    expect(foreign.text).toBe(made.text)
    const development = server.app('Scheduler', 'development')
    expect(refusal(await server.exchange(development, code))).toBe(invalid)
    tokensOf(await server.exchange(scheduler, code))
  })

  test('are good for 300 seconds, and after that are told from those that never were', async () => {
    const [early, late] = [await server.codeOf(scheduler), await server.codeOf(scheduler)]
    server.clock.advance(299_000)
    tokensOf(await server.exchange(scheduler, early))
    server.clock.advance(2_000)
    expect(refusal(await server.exchange(scheduler, late))).toBe('400 invalid_grant 4733')
    server.clock.advance(3_600_000)
    expect(refusal(await server.exchange(scheduler, late))).toBe('400 invalid_grant 4733')
  })

  test('are not used up by a wrong client secret', async () => {
    const code = await server.codeOf(scheduler)
    for (const clientSecret of ['wrong', stranger.clientSecret]) {
      const answer = await server.exchange({ ...scheduler, clientSecret }, code)
      expect(refusal(answer)).toBe('401 invalid_client 4702')
    }
    tokensOf(await server.exchange(scheduler, code))
  })

  test('need the redirect_uri of their request, to the letter', async () => {
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
  ])('with a challenge of method %s', (method, challengeOf) => {
    const { verifier } = pkce()
    const asked = { code_challenge: challengeOf(verifier), code_challenge_method: method }

    test('are given for the verifier', async () => {
      const code = await server.codeOf(scheduler, asked)
      tokensOf(await server.exchange(scheduler, code, { code_verifier: verifier }))
    })

    const wrong: Record<string, Record<string, string>> = {
      'no verifier': {},
      'an empty one': { code_verifier: '' },
      'another one': { code_verifier: pkce().verifier },
      'one with more behind it': { code_verifier: `${verifier}x` },
      'one in other case': { code_verifier: verifier.toLowerCase() },
      'one that is too long': { code_verifier: verifier.repeat(10) },
    }
    test.each(Object.entries(wrong))('are used up by %s', async (_, more) => {
      const code = await server.codeOf(scheduler, asked)
      expect(refusal(await server.exchange(scheduler, code, more))).toBe(invalid)
      const right = await server.exchange(scheduler, code, { code_verifier: verifier })
      expect(refusal(right)).toBe(invalid)
    })
  })

  test('with an S256 challenge are not given for the challenge itself', async () => {
    const { challenge } = pkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await server.codeOf(scheduler, asked)
    const answer = await server.exchange(scheduler, code, { code_verifier: challenge })
    expect(refusal(answer)).toBe(invalid)
  })

  test('take a challenge without a method for plain', async () => {
    const { verifier } = pkce()
    const code = await server.codeOf(scheduler, { code_challenge: verifier })
    tokensOf(await server.exchange(scheduler, code, { code_verifier: verifier }))
  })

  test('without a challenge refuse a verifier: somebody took the challenge away', async () => {
    const code = await server.codeOf(scheduler)
    const answer = await server.exchange(scheduler, code, { code_verifier: pkce().verifier })
    expect(refusal(answer)).toBe(invalid)
    expect(refusal(await server.exchange(scheduler, code))).toBe(invalid)
  })

  test('take verifiers outside the alphabet of the RFC, which apps are known to send', async () => {
    const { verifier, challenge } = pkce('a verifier with spaces, + and ü')
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await server.codeOf(strict, asked)
    tokensOf(await server.exchange(strict, code, { code_verifier: verifier }))
  })

  test('of a public client are given for its id and the verifier alone', async () => {
    const { verifier, challenge } = pkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await server.codeOf(pocket, asked)
    const answer = await server.token(undefined, {
      grant_type: 'authorization_code',
      client_id: pocket.clientId,
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    })
    const { refresh_token } = tokensOf(answer)
    const renewed = await server.token(undefined, {
      grant_type: 'refresh_token',
      client_id: pocket.clientId,
      refresh_token,
    })
    tokensOf(renewed)
  })
})
