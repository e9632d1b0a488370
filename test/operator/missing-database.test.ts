import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { operate } from '../support/commands.ts'
import { createTestDatabase, engines } from '../support/databases.ts'

const reason = ['--reason', 'none']
const commands: [string, ...string[]][] = [
  ['backup', 'copy.db'],
  ['stats'],
  ['agent', 'list'],
  ['agent', 'block', 'acme', ...reason],
  ['agent', 'unblock', 'acme', ...reason],
  ['agent', 'reset-signing-key', 'acme', ...reason],
  ['user', 'list'],
  ['user', 'add', 'ada@acme.test', '--account', 'Acme'],
  ['user', 'disable', 'ada@acme.test', ...reason],
  ['user', 'enable', 'ada@acme.test', ...reason],
  ['app', 'list'],
  ['app', 'show', 'Planner'],
  ['app', 'disable', 'Planner', ...reason],
  ['app', 'enable', 'Planner', ...reason],
  ['app', 'delete', 'Planner', '--yes', ...reason],
  ['skill', 'quarantine'],
  ['skill', 'hide', 'acme/tools/melter', ...reason],
  ['skill', 'unhide', 'acme/tools/melter', ...reason],
  ['skill', 'delete', 'acme/tools/melter', '--yes', ...reason],
  ['skill', 'original', 'acme/tools/melter', '--none', ...reason],
  ['skill', 'release', 'acme/tools/melter', ...reason],
  ['skill', 'hold', 'acme/tools/melter', ...reason],
  ['feedback', 'remove', 'acme/tools/pdf', '--agent', 'acme', ...reason],
  ['reports', 'list'],
  ['reports', 'resolve', '8f14e45f-ceea-467f-a8d2-0f1e5c6b7a90'],
  ['verdicts'],
  ['audit'],
  ['key', 'revoke', '--agent', 'acme', '--yes'],
  ['token', 'revoke', '--app', 'Planner', '--yes'],
  ['rotate-secret', 'Planner'],
  ['encryption', 'rotate'],
  ['encryption', 'undo', '--yes'],
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

/** Commands that make a database, or need none. */
const others = ['serve', 'import', 'apply', 'restore', 'config']

/** The commands that the help lists, with those below them. */
async function commandsBelow(...path: string[]): Promise<string[]> {
  const { out } = await operate({ url: 'file:none.db' }, ...path, '--help')
  const listed = out.split('\nCommands:\n')[1] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z-]+)(?: |$)/gm)].map(([, name = '']) => name)
  const own = names.filter((name) => name !== 'help' && name !== 'skillpass-server')
  const below = await Promise.all(own.map((name) => commandsBelow(...path, name)))
  return below.length === 0 ? [path.join(' ')] : below.flat()
}

test('every command that makes no database is tried without one', async () => {
  const tried = commands.map((args) => args.join(' '))
  const listed = await commandsBelow()
  expect(listed).toContain('skill unhide')
  const untried = listed.filter((command) => !tried.some((line) => line.startsWith(command)))
  expect(untried.sort()).toEqual(others.sort())
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
