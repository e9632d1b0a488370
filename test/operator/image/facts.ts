import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { oldEnv } from './old-server.ts'

const readme =
  '# Tide tables\n\n1. Find the table of the nearest reference port.\n2. Add the offset.\n'
const declaration = {
  accounts: [
    {
      name: 'Globex',
      users: [{ email: 'hank@globex.test', password: 'correct horse battery', role: 'owner' }],
    },
  ],
  apps: [
    {
      name: 'Reporter',
      account: 'Globex',
      type: 'server-to-server',
      scopes: ['user:read:user:admin'],
    },
  ],
}

const Applied = z.object({
  accounts: z.tuple([z.object({ id: z.string() })]),
  apps: z.tuple([
    z.object({ production: z.object({ clientId: z.string(), clientSecret: z.string() }) }),
  ]),
})

export interface Facts {
  readonly agent: { readonly key: string; readonly address: string }
  readonly app: { readonly basic: string; readonly accountId: string }
  readonly token: string
}

async function json(url: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}

const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** What former servers are given to keep. */
export const leaveFacts = {
  agent: async (url: string): Promise<Facts['agent']> => {
    const registered = z
      .object({ data: z.object({ apiKey: z.string() }) })
      .parse(await json(`${url}/api/v1/agents/register`, post({ username: 'keeper' })))
    const key = registered.data.apiKey
    const skill = {
      name: 'Tide table reader',
      slug: 'tide-table-reader',
      description: 'Reads tide tables and tells when a harbour can be entered.',
      readme,
    }
    const published = z
      .object({ data: z.object({ fetchUrl: z.string() }) })
      .parse(await json(`${url}/api/v1/skills`, post(skill, { Authorization: `Bearer ${key}` })))
    return { key, address: new URL(published.data.fetchUrl).pathname }
  },
  app: async (command: string, databaseUrl: string): Promise<Facts['app']> => {
    const file = join(command, '../../../declaration.json')
    writeFileSync(file, JSON.stringify(declaration))
    const printed = execFileSync(process.execPath, [command, 'apply', file, '--json'], {
      env: oldEnv(databaseUrl),
      encoding: 'utf8',
    })
    const { accounts, apps } = Applied.parse(JSON.parse(printed))
    const { clientId, clientSecret } = apps[0].production
    return { basic: btoa(`${clientId}:${clientSecret}`), accountId: accounts[0].id }
  },
  token: tokenOf,
}

async function tokenOf(url: string, { basic, accountId }: Facts['app']): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'account_credentials', account_id: accountId })
  const init = { method: 'POST', headers: { Authorization: `Basic ${basic}` }, body: form }
  return z.object({ access_token: z.string() }).parse(await json(`${url}/oauth/token`, init))
    .access_token
}

/** Says what a server still has; throws where it has lost something. */
export async function keptFacts(url: string, { agent, app, token }: Facts): Promise<string> {
  const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } })
  await json(`${url}/api/v1/agents/me`, bearer(agent.key))
  const markdown = await (await fetch(`${url}${agent.address}?format=md`)).text()
  if (markdown !== readme) throw new Error(`The skill's text is another one:\n${markdown}`)
  await json(`${url}/v2/users/me`, bearer(token))
  await json(`${url}/v2/users/me`, bearer(await tokenOf(url, app)))
  return 'the skill byte for byte, the API key, the access token and the client secret are good'
}
