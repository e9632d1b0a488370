import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { operateJson } from '../support/commands.ts'
import { serverCommand } from '../support/processes.ts'
import { recordsOf } from '../support/registry-calls.ts'
import { roundsOf } from '../support/rounds.ts'
import { startTestServer } from '../support/server.ts'
import { encryptionKey } from '../support/settings.ts'
import { unique, writeJsonl } from '../support/skills.ts'
import { until } from '../support/waiting.ts'

const count = 2000
const rounds = roundsOf(1)

test(`an import that was killed imports each remaining skill once when it is repeated, ${rounds} times`, async () => {
  const server = await startTestServer()
  const { PATH } = process.env
  const env = { PATH, DATABASE_URL: server.database.url, ENCRYPTION_KEY: encryptionKey }
  for (let round = 0; round < rounds; round++) {
    const owner = unique('killed')
    const file = await writeJsonl(recordsOf(owner, count))
    const total = async () =>
      (await server.client.registry.skills.search({ query: { owner } })).total
    const slugs = async () => {
      const rows = await server.ctx.db.read
        .selectFrom('skills')
        .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
        .innerJoin('skill_versions', 'skill_versions.skill_id', 'skills.id')
        .select('skills.slug')
        .where('repositories.owner', '=', owner)
        .execute()
      return rows.map(({ slug }) => slug)
    }
    const child = execFile(process.execPath, [serverCommand, 'import', file], { env })
    await until('some skills are imported', async () => (await total()) > 0)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    const before = (await slugs()).length
    expect(before % 100).toBe(0)
    const report = await operateJson(server.database, 'import', file)
    expect(report).toMatchObject({ imported: count - before, unchanged: before })
    expect(new Set(await slugs()).size).toBe(count)
    expect(await slugs()).toHaveLength(count)
    await until('all skills are shown', async () => (await total()) === count)
  }
})
