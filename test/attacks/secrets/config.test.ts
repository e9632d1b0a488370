import { expect, test } from 'vitest'
import { operate } from '../../support/commands.ts'
import { encryptionKey } from '../../support/settings.ts'

const database = 'postgres://127.0.0.1/db'

const settings = [
  ['DATABASE_URL', 'postgres://skillpass:SEKRIT@db/skillpass', '://skillpass:********@db/'],
  ['DATABASE_URL', `${database}?user=x&password=SEKRIT`, 'user=x&password=********'],
  ['DATABASE_URL', `${database}?PASSWORD=SEKRIT&pass%77ord=SEKRIT`, 'PASSWORD=********'],
  ['DATABASE_URL', 'postgres://db/skillpass#SEKRIT', '#********'],
  ['REDIS_URL', 'redis://cache:6379/1?password=SEKRIT', '//cache:6379/1?password=********'],
  ['REDIS_URL', 'SEKRIT', '********'],
] as const

test.each(settings)(
  'the configuration shows %s=%s without its secret',
  async (name, value, shown) => {
    const { out } = await operate({ url: database, env: { [name]: value } }, 'config')
    expect(out).not.toContain('SEKRIT')
    expect(out.split('\n').find((line) => line.startsWith(`${name}=`))).toContain(shown)
  },
)

test.each(['config', 'config --json'])('skillpass-server %s prints no secret', async (command) => {
  const env = { REDIS_URL: 'redis://127.0.0.1/1?password=SEKRIT' }
  const url = `${database}?user=x&password=SEKRIT`
  const { out, err } = await operate({ url, env }, ...command.split(' '))
  expect(out).toContain('password=********')
  expect(out).toMatch(/ENCRYPTION_KEY\b[^\n]*?\*{8}/)
  for (const secret of ['SEKRIT', encryptionKey]) expect(out + err).not.toContain(secret)
})
