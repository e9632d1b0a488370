import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { operate } from '../support/commands.ts'
import { createTestDatabase, engines } from '../support/databases.ts'

/** A command of each way to open a database. */
const commands: [string, ...string[]][] = [
  ['backup', 'copy.db'],
  ['stats'],
  ['agent', 'block', 'acme', '--reason', 'none'],
  ['token', 'revoke', '--app', 'Planner', '--yes'],
  ['encryption', 'rotate'],
  ['migrate', 'down', '--yes'],
  ['check'],
]

describe.each(commands)('skillpass-server %s %s', (...args) => {
  test(`skillpass-server ${args.join(' ')} fails on a missing database and makes none`, async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'skillpass.db')
    const { code, out, err } = await operate({ url: `file:${file}` }, ...args)
    expect(code).toBe(1)
    expect(out + err).toMatch(/there is no (database at )?.*skillpass\.db/i)
    expect(await readdir(folder)).toEqual([])
  })

  test(`skillpass-server ${args.join(' ')} fails on a database without tables`, async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'skillpass.db')
    await writeFile(file, '')
    const { code, out, err } = await operate({ url: `file:${file}` }, ...args)
    expect(code).toBe(1)
    expect(out + err).toMatch(/is empty|holds no tables/)
    expect((await stat(file)).size).toBe(0)
  })
})

test('a command says which commands make a database', async () => {
  const url = `file:${join(await temporaryFolder(), 'skillpass.db')}`
  const { err } = await operate({ url }, 'stats')
  expect(err).toContain('Set DATABASE_URL as it is for the server.')
})

test.runIf(engines.includes('postgres'))(
  'a command fails on a Postgres database without tables and makes none',
  async () => {
    const { url, remove } = await createTestDatabase('postgres')
    for (const args of [['stats'], ['agent', 'list']]) {
      const { code, err } = await operate({ url }, ...args)
      expect(code).toBe(1)
      expect(err).toContain('is empty.')
    }
    await remove()
  },
)
