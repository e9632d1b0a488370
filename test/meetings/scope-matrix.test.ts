import {
  listRoutes,
  openingScopes,
  platformContract,
  type RouteMetadata,
  scopeCatalogue,
} from '@skillpass/contract'
import { expect, test } from 'vitest'
import { makeApp } from '../support/apps.ts'
import { nameOf } from '../support/contract.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { type PlatformCall, platformCalls } from '../support/platform-calls.ts'
import { countFigure } from '../support/rounds.ts'
import { words } from '../support/words.ts'

/** The MCP server has its own tokens, so the matrix does not include it. */
const { mcp: _, ...withoutMcp } = platformContract
const routes = listRoutes(withoutMcp)

/** Calls on the token's account. Master scopes give access to sub-accounts. */
const ofOwnAccount = [
  ...['GET /v2/users', 'POST /v2/users'],
  ...['GET /v2/marketplace/approvals', 'PUT /v2/marketplace/approvals/:appId'],
  ...['GET /v2/marketplace/settings', 'PATCH /v2/marketplace/settings'],
]

/** Every sufficient scope of each route. */
const opening: Record<string, readonly string[]> = Object.fromEntries(
  routes.map((route) => {
    const { scopes } = route.metadata as RouteMetadata
    const all = scopes ? openingScopes(scopes) : []
    const isOwn = ofOwnAccount.includes(nameOf(route))
    return [nameOf(route), all.filter((scope) => !isOwn || !scope.endsWith(':master'))]
  }),
)

test('the matrix has a call for every route of the resource API and no other', () => {
  expect(Object.keys(platformCalls).sort()).toEqual(routes.map(nameOf).sort())
})

const reads = 'user:read user:read:admin user:write user:write:admin'
test.each([
  [
    'GET /v2/users/:userId/settings',
    'user:read:settings',
    `user:read:user user:read:user:admin user:read:user:master ${reads} user:master`,
  ],
  ['GET /v2/users/:userId', 'user:read:user', `${reads} user_info:read user_profile user:master`],
  ['PATCH /v2/users/:userId', 'user:update:user', 'user:write user:write:admin user:master'],
  ['GET /v2/users/:userId/token', 'user:read:token', `${reads} user_profile user:master`],
  [
    'GET /v2/users/:userId/meetings',
    'meeting:read:list_meetings',
    'meeting:read meeting:read:admin meeting:master',
  ],
  [
    'POST /v2/users/:userId/meetings',
    'meeting:write:meeting',
    'meeting:write meeting:write:admin meeting:master',
  ],
])('%s opens to %s of any level and to %s', (name, granular, classic) => {
  const levels = [granular, `${granular}:admin`, `${granular}:master`]
  expect(opening[name]).toEqual([...levels, ...words(classic)])
})

/** Every scope except imchat:bot, which users cannot grant. */
const scopes = scopeCatalogue.map(({ scope }) => scope).filter((scope) => scope !== 'imchat:bot')

const answered = countFigure('calls with scopes that open them or not, answered as declared')

const server = await startOAuthServer()
const everything = await makeApp(server, 'Everything', scopes, { level: 'account' })
const tokens = new Map([['imchat:bot', await server.botTokenOf('Helper bot')]])
/** A token with exactly these scopes. */
const tokenWith = async (scope: string) => {
  const known = tokens.get(scope)
  if (known !== undefined) return known
  const grant = await server.grantOf(everything, { email: 'owner@acme.test', scope })
  expect(grant.scope.split(' ').sort()).toEqual(scope.split(' ').sort())
  tokens.set(scope, grant.access_token)
  return grant.access_token
}
let count = 0
const send = (name: string, call: PlatformCall, accessToken: string) => {
  const [method = ''] = name.split(' ')
  const body = call.body?.(`unique-${++count}`)
  return server.callWith(accessToken, call.path(ids), { method, body })
}
const ids = { appId: everything.id, meetingId: 0 }
const create = platformCalls['POST /v2/users/:userId/meetings']
if (!create) throw new Error('There is no call that makes a meeting.')
const writer = await tokenWith('meeting:write:meeting')
ids.meetingId = Number((await send('POST', create, writer)).body.id)

test.each(Object.entries(platformCalls))('%s accepts exactly its scopes', async (name, call) => {
  const opens = opening[name] ?? []
  for (const scope of opens) {
    const { status } = await send(name, call, await tokenWith(scope))
    expect([scope, status]).toEqual([scope, call.status])
  }
  answered(opens.length)
  const others = scopes.filter((scope) => !opens.includes(scope)).join(' ')
  for (const scope of [others, 'imchat:bot']) {
    if (opens.includes(scope)) continue
    const { status, body, headers } = await send(name, call, await tokenWith(scope))
    expect([status, body.code]).toEqual([403, 4711])
    expect(String(body.message)).toContain(scope.split(' ')[0])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="insufficient_scope"/)
    answered()
  }
  for (const accessToken of ['', 'garbage']) {
    const { status, headers } = await send(name, call, accessToken)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="skillpass"/)
  }
})

const withBody = new Set(routes.filter(({ responses }) => 413 in responses).map(nameOf))
const calls = Object.entries(platformCalls).filter(([name]) => withBody.has(name))
test.each(calls)('%s returns 413 for a body of 1.2 MB', async (name, { path }) => {
  const [method = ''] = name.split(' ')
  const accessToken = await tokenWith(opening[name]?.[0] ?? '')
  const body = { dept: 'x'.repeat(1_200_000) }
  const answer = await server.callWith(accessToken, path(ids), { method, body })
  expect(answer.status).toBe(413)
  expect(answer.body).toEqual({ code: 413, message: 'The request body is larger than 1 MiB.' })
})
