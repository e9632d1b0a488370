import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createClient } from '@skillpass/client'
import { setPasswordCost } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { runSkillpass } from '../support/commands.ts'
import { createTestDatabase } from '../support/databases.ts'
import { accountToken, serverAt } from '../support/oauth-client.ts'
import { signIn } from '../support/people.ts'
import { readMetrics, startProcess } from '../support/processes.ts'
import { reportFigure, roundsOf } from '../support/rounds.ts'
import { publish } from '../support/skills.ts'
import { prepareFixture } from './load/fixture.ts'

/** Keeps a processor busy, or a disk with writes of 4 MiB, until it is killed. */
const busyThread = `
  const { openSync, writeSync, fsyncSync } = require('node:fs')
  const { workerData: path } = require('node:worker_threads')
  const file = path === null ? null : openSync(path, 'w')
  const bytes = Buffer.alloc(4 * 1024 * 1024, 1)
  for (;;) {
    if (file === null) continue
    writeSync(file, bytes, 0, bytes.length, 0)
    fsyncSync(file)
  }`

const database = await createTestDatabase('sqlite')
afterFile(() => database.remove())
setPasswordCost('production')
const server = await startProcess({ databaseUrl: database.url })
afterFile(() => server.end('SIGTERM'))
const fixture = await prepareFixture(database.url, server.url)
const { agents } = createClient({ baseUrl: server.url }).registry
const { apiKey } = (await agents.register({ body: { username: 'busy' } })).data
const options = { baseUrl: server.url, apiKey, retries: 0, timeoutMs: 600_000 }
const client = createClient(options)
const { skills } = client.registry

const busyFolder = await temporaryFolder()
for (let i = 0; i < 12; i++) {
  const workerData = i < 8 ? null : join(busyFolder, String(i))
  const thread = new Worker(busyThread, { eval: true, workerData })
  afterFile(() => thread.terminate())
}

const at = serverAt(server.url)

const requests = roundsOf(300)

/** Sends all requests, with eight in flight at any time. */
async function sendAll(send: (index: number) => Promise<unknown>): Promise<void> {
  const left = Array.from({ length: requests }, (_, index) => index)
  const sendRest = async () => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) await send(index)
  }
  await Promise.all(Array.from({ length: 8 }, sendRest))
}

const readme = (i: number) =>
  `---\nname: mend-nets-${i}\ndescription: Mends nets of kind ${i}.\n---\n# Nets ${i}\n\nMend them.\n`

const kinds: Record<string, (index: number) => Promise<unknown>> = {
  write: (i) =>
    publish({ client }, { slug: `mend-nets-${i}`, description: 'Mends.', readme: readme(i) }),
  ranking: (i) => skills.resolve({ query: { task: `mend a net of kind ${i}` } }),
  read: (i) => skills.search({ query: { q: `nets ${i}` } }),
  page: async (i) => expect((await at.http(`/busy/skills/mend-nets-${i}`)).status).toBe(200),
  token: async () =>
    expect((await accountToken(at, fixture.reporter, fixture.accountId)).status).toBe(200),
  password: () => signIn(at, { email: 'ann@load.test', password }),
}

test.each(Object.entries(kinds))(
  'one caller with eight "%s" requests in flight is never refused on a busy machine',
  async (kind, send) => {
    await sendAll(send)
    reportFigure(`${requests} "${kind}" requests on a busy machine: none refused`)
    expect(await refusals()).toEqual([])
  },
)

test.each([
  ['300 files', Array.from({ length: 300 }, () => 12 * 1024)],
  ['15 MiB', Array.from({ length: 4 }, () => (15 * 1024 * 1024) / 4)],
])('skillpass publish of %s is not refused under the same load', async (what, sizes) => {
  const slug = what.toLowerCase().replace(' ', '-')
  const folder = join(await temporaryFolder(), slug)
  await mkdir(folder)
  await writeFile(
    join(folder, 'SKILL.md'),
    `---\nname: ${slug}\ndescription: Has ${what}.\n---\n# Files\n`,
  )
  for (const [i, size] of sizes.entries()) {
    await writeFile(join(folder, `${i}.txt`), randomBytes(size / 2).toString('hex'))
  }
  const env = { SKILLPASS_URL: server.url, SKILLPASS_API_KEY: apiKey }
  const { code, err } = await runSkillpass(['publish', folder], { env })
  expect(code, err).toBe(0)
  expect(err).not.toContain('waiting')
  reportFigure(`published a folder of ${what} on a busy machine: no request refused`)
  expect(await refusals()).toEqual([])
})

/** Returns the metrics of requests that the server refused because of load. */
const refusals = async () =>
  (await readMetrics(server.url))
    .split('\n')
    .filter((line) => /^skillpass_(refused|unavailable)_total.* [1-9]/.test(line))
