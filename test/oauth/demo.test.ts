import { createDemoPeople } from '@skillpass/server/demo/people'
import { signIn } from '@skillpass/server/platform/sign-in'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../support/server.ts'

const Answer = z.looseObject({
  access_token: z.string().optional(),
  user_code: z.string().optional(),
  error: z.string().optional(),
})

describe('what a development server prints to try', async () => {
  const server = await startTestServer()
  const printed = await createDemoPeople(server.ctx)
  const { authUrl, apiUrl } = server.ctx.config
  const variables = new Map(
    [...printed.matchAll(/^ {2}([A-Z_]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  )
  const fill = (text: string) =>
    text.replace(/\$([A-Z_]+)/g, (_, name) => variables.get(name) ?? '')

  /** Sends what a printed curl command with this text would send. */
  const run = async (text: string) => {
    const line = printed.split('\n').find((candidate) => candidate.includes(text)) ?? ''
    const [, credentials = '', url = '', rest = ''] =
      /curl (?:-X POST )?-u (\S+) (\S+) ?(.*)/.exec(line) ?? []
    const body = new URLSearchParams(rest.replaceAll(/^-d | -d /g, '&').slice(1))
    for (const [name, value] of body) body.set(name, fill(value))
    const authorization = `Basic ${Buffer.from(fill(credentials)).toString('base64')}`
    const answer = await fetch(url.replace(authUrl, server.url), {
      method: 'POST',
      headers: { authorization },
      body,
    })
    return Answer.parse(await answer.json())
  }

  test('gets a token for the account, and one for the chatbot', async () => {
    const { access_token } = await run('account_credentials')
    const headers = { authorization: `Bearer ${access_token}` }
    const me = await server.http('/v2/users/me', { headers })
    expect(await me.json()).toMatchObject({ email: 'owner@acme.test', role_name: 'Owner' })
    expect(await run('client_credentials')).toMatchObject({ scope: 'imchat:bot' })
  })

  /** Sends the printed call of the resource API at this path, as the shell would, with a token. */
  const call = async (path: string, accessToken: string) => {
    const commands = printed.replaceAll('\\\n', '').split('\n')
    const line = commands.find((command) => command.includes(`${apiUrl}${path} `)) ?? ''
    const quoted = [...line.matchAll(/-[Hd] (?:"([^"]*)"|'([^']*)')/g)]
    const [bearer = '', type = '', body = ''] = quoted.map(([, double, single]) => double ?? single)
    const headers = [bearer.replace('$ACCESS_TOKEN', accessToken), type].map(
      (header) => header.split(': ') as [string, string],
    )
    const answer = await server.http(path, { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.json() }
  }

  test('creates a meeting with the token for the account', async () => {
    const { access_token = '' } = await run('account_credentials')
    expect(await call('/v2/users/me/meetings', access_token)).toMatchObject({
      status: 201,
      body: { topic: 'Planning', start_time: '2030-01-01T10:00:00Z' },
    })
  })

  test("sends a message with the chatbot's token", async () => {
    const { access_token = '' } = await run('client_credentials')
    expect(await call('/v2/im/chat/messages', access_token)).toMatchObject({
      status: 201,
      body: { to_jid: 'user@acme', message_id: expect.any(String) },
    })
  })

  test('gets a device code, and knows the client of the other commands', async () => {
    expect(await run('/oauth/devicecode')).toMatchObject({ user_code: expect.any(String) })
    expect(await run('authorization_code')).toMatchObject({
      error: expect.not.stringContaining('client'),
    })
    expect(await run('device_code=$')).toMatchObject({
      error: expect.not.stringContaining('client'),
    })
  })

  test('signs every person in with the printed password', async () => {
    const [, password = ''] = /password (\w+)/.exec(printed) ?? []
    for (const email of ['owner@acme.test', 'admin@acme.test', 'user@acme.test']) {
      expect(await signIn(server.ctx, { email, password }, email)).toHaveProperty('user')
    }
  })

  test('is made once', async () => {
    expect(await createDemoPeople(server.ctx)).toBe('')
  })
})
