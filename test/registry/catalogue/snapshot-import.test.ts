import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { operate } from '../../support/commands.ts'
import { startTestServer } from '../../support/server.ts'
import { serverForTest, writeJsonl } from '../../support/skills.ts'
import { recordsOf } from '../calls.ts'

/** As many as make an import worth a snapshot. */
const records = recordsOf('acme', 500)

const { database } = await startTestServer()

test('an import of 500 skills writes a snapshot that the next start uses', async () => {
  const env = { SNAPSHOT_DIR: join(await temporaryFolder(), 'snapshot') }
  const { code, err } = await operate({ ...database, env }, 'import', await writeJsonl(records))
  expect(code, err).toBe(0)
  const { ctx } = await serverForTest({ database, env })
  expect(ctx.catalogue.size).toBe(records.length)
  const { values } = await ctx.metrics.start.get()
  expect(values.map(({ labels }) => labels.from)).toEqual(['snapshot'])
})

test('an import that cannot write a snapshot keeps the skills, and says so', async () => {
  const env = { SNAPSHOT_DIR: join(await temporaryFolder(), 'taken') }
  await writeFile(env.SNAPSHOT_DIR, 'a file, not a folder')
  const file = await writeJsonl(recordsOf('umbrella', 500))
  const { code, out, err } = await operate({ ...database, env }, 'import', '--json', file)
  expect(code, err).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ imported: 500 })
  expect(err).toContain('No snapshot was written, so the next start takes longer: ')
})
