import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { afterFile, temporaryFolder } from '../../support/cleanup.ts'
import { operate } from '../../support/commands.ts'
import { createServerDatabase, engine } from '../../support/databases.ts'
import { serverForTest, writeJsonl } from '../../support/skills.ts'

/** As many as make an import worth a snapshot. */
const skills = Array.from({ length: 500 }, (_, i) => ({
  owner: 'acme',
  repo: 'tools',
  slug: `walrus-${i}`,
  name: `Walrus ${i}`,
  description: `Counts walrus colony ${i}.`,
}))

describe('an import of many skills,', () => {
  test('leaves a snapshot that the next start uses', async () => {
    const database = await createServerDatabase(engine)
    afterFile(database.remove)
    const SNAPSHOT_DIR = join(await temporaryFolder(), 'snapshot')
    const file = await writeJsonl(skills)
    const { code, err } = await operate({ ...database, env: { SNAPSHOT_DIR } }, 'import', file)
    expect(code, err).toBe(0)
    const { ctx } = await serverForTest({ database, env: { SNAPSHOT_DIR } })
    expect(ctx.catalogue.size).toBe(skills.length)
    const { values } = await ctx.metrics.start.get()
    expect(values.map(({ labels }) => labels.from)).toEqual(['snapshot'])
  })

  test('keeps the skills where no snapshot can be written, and says so', async () => {
    const database = await createServerDatabase(engine)
    afterFile(database.remove)
    const SNAPSHOT_DIR = join(await temporaryFolder(), 'taken')
    await writeFile(SNAPSHOT_DIR, 'a file, not a folder')
    const file = await writeJsonl(skills)
    const { code, out, err } = await operate(
      { ...database, env: { SNAPSHOT_DIR } },
      'import',
      '--json',
      file,
    )
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ imported: skills.length })
    expect(err).toContain('No snapshot was written, so the next start takes longer: ')
  })
})
