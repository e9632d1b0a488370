import { platformContract, scopeCatalogue } from '@skillpass/contract'
import { listRoutes } from '@skillpass/server/http/endpoints'
import { describe, expect, test } from 'vitest'
import { credentialsOf, declare, generalApp } from '../support/apps.ts'
import { nameOf } from '../support/contract.ts'
import { engine } from '../support/databases.ts'
import { startOAuthServer, tokensOf } from '../support/oauth-server.ts'
import { callWith } from '../support/platform.ts'
import { type PlatformCall, platformCalls } from '../support/platform-calls.ts'
import { countFigure } from '../support/rounds.ts'

const routes = listRoutes(platformContract)

test('every route of the resource API has a row in the matrix, and no row is left over', () => {
  expect(Object.keys(platformCalls).sort()).toEqual(routes.map(nameOf).sort())
})

/** Every scope that has a sentence or opens a route, but for the chatbots', which no user can give. */
const scopes = [
  ...new Set([
    ...scopeCatalogue.map(({ scope }) => scope),
    ...Object.values(platformCalls).flatMap(({ opens }) => opens),
    ...['user:read:list_users', 'user:write:user', 'user:delete:user', 'meeting:update:settings'],
  ]),
].filter((scope) => scope !== 'imchat:bot')

const answered = countFigure('calls with one scope each, answered as declared')

describe('scopes', async () => {
  const server = await startOAuthServer()
  const applied = await declare(server, {
    apps: [generalApp('Everything', scopes, { level: 'account' })],
  })
  const everything = credentialsOf(applied, 'Everything')
  const tokenWith = async (scope: string) => {
    const { access_token, ...tokens } = await server.grantOf(everything, {
      email: 'owner@testAccounts.test',
      scope,
    })
    expect(tokens.scope).toBe(scope)
    return access_token
  }
  let count = 0
  const send = (name: string, call: PlatformCall, accessToken: string) => {
    const [method = ''] = name.split(' ')
    const body = call.body?.(`unique-${engine}-${++count}`)
    return callWith(server, accessToken, call.path(ids), { method, body })
  }
  const accessTokens = new Map<string, string>()
  for (const scope of scopes) accessTokens.set(scope, await tokenWith(scope))
  const bot = await server.token(server.app('Helper bot'), { grant_type: 'client_credentials' })
  accessTokens.set('imchat:bot', tokensOf(bot).access_token)
  const ids = { appId: applied.apps[0]?.id ?? '', meetingId: 0 }
  const create = platformCalls['POST /v2/users/:userId/meetings']
  if (!create) throw new Error('There is no call that makes a meeting.')
  const writer = accessTokens.get('meeting:write:meeting') ?? ''
  ids.meetingId = Number((await send('POST', create, writer)).body.id)

  test.each(Object.entries(platformCalls))('%s opens to its scopes alone', async (name, call) => {
    const expected: Record<string, string> = {}
    const found: Record<string, string> = {}
    for (const [scope, accessToken] of accessTokens) {
      const { status, body, headers } = await send(name, call, accessToken)
      found[scope] = status === 403 ? `403 ${body.code}` : `${status}`
      expected[scope] = call.opens.includes(scope) ? `${call.status}` : '403 4711'
      if (status !== 403) continue
      expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="insufficient_scope"/)
      expect(String(body.message)).toContain(scope)
    }
    expect(found).toEqual(expected)
    answered(accessTokens.size)
  })

  const withBody = new Set(routes.filter(({ responses }) => 413 in responses).map(nameOf))
  const calls = Object.entries(platformCalls).filter(([name]) => withBody.has(name))
  test.each(calls)('%s says of 1.2 MB that it is too large', async (name, { path, opens }) => {
    const [method = ''] = name.split(' ')
    const accessToken = accessTokens.get(opens[0] ?? '') ?? ''
    const body = { dept: 'x'.repeat(1_200_000) }
    const answer = await callWith(server, accessToken, path(ids), { method, body })
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual({ code: 413, message: 'The request body is larger than 1 MiB.' })
  })
})
