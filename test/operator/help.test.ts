import { expect, test } from 'vitest'
import { operate } from '../support/commands.ts'

const narrow = { url: 'file::memory:', env: { COLUMNS: '' } }

/** Returns the lines of an output that are too wide although they could be broken. */
const wideLines = ({ out, err }: { out: string; err: string }) =>
  `${out}${err}`.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '))

/** Reads the help of a command and of its subcommands. */
async function readHelp(...path: string[]): Promise<void> {
  const printed = await operate(narrow, ...path, '--help')
  expect({ path, code: printed.code, wide: wideLines(printed) }).toEqual({
    path,
    code: 0,
    wide: [],
  })
  const [, list = ''] = /^Commands:\n((?: .*\n)*)/m.exec(printed.out) ?? []
  for (const [, name = ''] of list.matchAll(/^ {2}([a-z-]+)/gm)) {
    if (name !== 'help') await readHelp(...path, name)
  }
}

test('no line of the help of skillpass-server and its commands is wider than 80 columns', async () => {
  await readHelp()
})

test.each([
  'agnet list',
  'user add',
  'user add ada@globex.test',
  'user list --limit many',
  'audit --action user.creatd',
  'audit --since yesterday',
  'migrate sideways',
  'key revoke',
  'token revoke',
  'apply /a/very/long/path/to/nowhere/at/all/which/does/not/exist/on/this/machine',
  'stats',
  'config',
])('no line that skillpass-server %s prints is wider than 80 columns', async (line) => {
  const env = { ...narrow.env, DATABSE_URL: 'file:/tmp/x' }
  const printed = await operate(
    { url: 'file:/nowhere/at/all/skillpass.db', env },
    ...line.split(' '),
  )
  expect({ code: printed.code > 0, wide: wideLines(printed) }).toEqual({ code: true, wide: [] })
  expect(printed.err).not.toBe('')
})

test('with --json anywhere, stderr of a failure is one JSON object, which contains the warnings', async () => {
  const env = { DATABSE_URL: 'file:/tmp/x' }
  for (const args of [
    ['--json', 'user', 'list'],
    ['user', 'list', '--json'],
  ]) {
    const { code, out, err } = await operate({ url: 'file:/nowhere/x.db', env }, ...args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(JSON.parse(err)).toMatchObject({
      error: { code: 'failed', notes: [expect.stringContaining('DATABSE_URL')] },
    })
  }
})

test('a misspelled command or option of skillpass-server gets the nearest one, and no help', async () => {
  for (const [args, near] of [
    [['agnet', 'list'], 'agent'],
    [['user', 'lst'], 'list'],
    [['user', 'list', '--jsn'], '--json'],
  ] as const) {
    const { code, out, err } = await operate({ url: 'file::memory:' }, ...args)
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(near) })
    expect(err).toMatch(/^error: unknown .*\n\(Did you mean .*\?\)\n$/)
  }
})
