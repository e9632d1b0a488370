import { expect, test } from 'vitest'
import { operate } from '../support/commands.ts'

// Each run starts a process, so this reads only the commands with the longest texts.
test.each(['agent', 'skill', 'feedback', 'token'])(
  'no line of the help of skillpass-server %s is wider than 80 columns',
  async (command) => {
    const { out } = await operate({ url: 'file::memory:' }, command, '--help')
    expect(out).toContain('Examples:')
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  },
)

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
