import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@skillpass/client'
import type { Applied } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { accountOf, credentialsOf, serverApp, user } from '../support/apps.ts'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { createServerDatabase, engine } from '../support/databases.ts'
import { accountToken, serverAt, tokensOf } from '../support/oauth-client.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { publish } from '../support/skills.ts'

const declaration = {
  accounts: [{ name: 'Acme', users: [user('owner@acme.test', 'owner')] }],
  apps: [serverApp('Reporter', ['user:read:user'])],
}

test('the installed server applies a declaration, publishes, resolves, issues tokens and exits with 0', async () => {
  const { url: databaseUrl, remove } = await createServerDatabase(engine)
  afterFile(remove)
  const server = await startProcess({ databaseUrl })
  afterFile(() => server.end('SIGKILL'))
  const file = join(await temporaryFolder(), 'declaration.json')
  await writeFile(file, JSON.stringify(declaration))
  const applied = await runCommand(['apply', file, '--json'], { databaseUrl })
  const printed: Applied = JSON.parse(applied.stdout)

  const { registry } = createClient({ timeoutMs: 0, baseUrl: server.url })
  const { data: agent } = await registry.agents.register({ body: { username: 'smith' } })
  const { apiKey } = agent
  const description = 'Reads tide tables and tells when a harbour can be entered.'
  await publish(
    { client: createClient({ timeoutMs: 0, baseUrl: server.url, apiKey }) },
    { slug: 'tide-table-reader', name: 'Tide table reader', description },
  )
  const { data } = await registry.skills.resolve({ query: { task: 'read a tide table' } })
  expect(data[0]?.skill.slug).toBe('tide-table-reader')
  const reporter = credentialsOf(printed, 'Reporter')
  tokensOf(await accountToken(serverAt(server.url), reporter, accountOf(printed, 'Acme').id))
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  // The output contains no warning or error.
  expect(server.output().trim()).toMatch(/^Skillpass listens on .*$/)
})
