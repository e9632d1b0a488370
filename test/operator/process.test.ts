import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@skillpass/client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { password } from '../support/apps.ts'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { createServerDatabase, engine } from '../support/databases.ts'
import { runCommand, startProcess } from '../support/processes.ts'

const declaration = {
  accounts: [
    { name: 'Acme', users: [{ email: 'owner@testAccounts.test', password, role: 'owner' }] },
  ],
  apps: [
    { name: 'Reporter', account: 'Acme', type: 'server-to-server', scopes: ['user:read:user'] },
  ],
}
const Applied = z.object({
  accounts: z.tuple([z.object({ id: z.string() })]),
  apps: z.tuple([
    z.object({ production: z.object({ clientId: z.string(), clientSecret: z.string() }) }),
  ]),
})

test('a server in a process of its own publishes, resolves, gives tokens and ends with 0,', async () => {
  const { url: databaseUrl, remove } = await createServerDatabase(engine)
  afterFile(remove)
  const file = join(await temporaryFolder(), 'declaration.json')
  await writeFile(file, JSON.stringify(declaration))
  const server = await startProcess({ databaseUrl })
  afterFile(() => server.end('SIGKILL'))
  const applied = await runCommand(['apply', file, '--json'], { databaseUrl })
  const { accounts, apps } = Applied.parse(JSON.parse(applied.stdout))

  const { registry } = createClient({ baseUrl: server.url })
  const { data: agent } = await registry.agents.register({ body: { username: 'smith' } })
  const { skills } = createClient({ baseUrl: server.url, apiKey: agent.apiKey }).registry
  await skills.publish({
    body: {
      name: 'Tide table reader',
      slug: 'tide-table-reader',
      description: 'Reads tide tables and tells when a harbour can be entered.',
      readme: '# Tide tables\n\n1. Find the table of the nearest reference port.\n',
    },
  })
  const { data } = await registry.skills.resolve({ query: { task: 'read a tide table' } })
  expect(data[0]?.skill.slug).toBe('tide-table-reader')
  const { clientId, clientSecret } = apps[0].production
  const token = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'account_credentials',
      account_id: accounts[0].id,
    }),
  })
  expect(token.status).toBe(200)
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  // No deprecation, warning or error.
  expect(server.output().trim()).toMatch(/^Skillpass listens on .*$/)
}, 60_000)
