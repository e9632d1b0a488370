import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { operate } from '../support/commands.ts'
import { createTestDatabase, engines } from '../support/databases.ts'

// One command for each way to open the database.
test.each([
  [['backup', 'copy.db']],
  [['agent', 'block', 'acme', '--reason', 'none']],
  [['token', 'revoke', '--app', 'Planner', '--yes']],
  [['migrate', 'down', '--yes']],
  [['check']],
])('skillpass-server %j fails without a database or tables, and creates none', async (args) => {
  const folder = await temporaryFolder()
  const file = join(folder, 'skillpass.db')
  const missing = await operate({ url: `file:${file}` }, ...args)
  expect(missing.code).toBe(1)
  expect(missing.out + missing.err).toMatch(/there is no (database|file)/i)
  expect(await readdir(folder)).toEqual([])
  await writeFile(file, '')
  const empty = await operate({ url: `file:${file}` }, ...args)
  expect(empty.code).toBe(1)
  expect(empty.out + empty.err).toMatch(/is empty|no Skillpass tables/)
  expect((await stat(file)).size).toBe(0)
})

test.runIf(engines.includes('postgres'))(
  'a command fails on a Postgres database without tables and creates none',
  async () => {
    const { url, remove } = await createTestDatabase('postgres')
    for (const args of [['stats'], ['agent', 'list']]) {
      const { code, err } = await operate({ url }, ...args)
      expect(code).toBe(1)
      expect(err).toContain('is empty.')
      expect(err).toContain('Set DATABASE_URL to the same value as for the server.')
    }
    await remove()
  },
)
