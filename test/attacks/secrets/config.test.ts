import { describeConfig } from '@skillpass/server/config/describe'
import { expect, test } from 'vitest'
import { runCommand } from '../../support/processes.ts'

const database = 'postgres://127.0.0.1/db'

const given = [
  ['DATABASE_URL', 'postgres://skillpass:SEKRIT@db/skillpass', '://skillpass:********@db/'],
  ['DATABASE_URL', `${database}?user=x&password=SEKRIT`, 'user=x&password=********'],
  ['DATABASE_URL', `${database}?sslmode=require&sslpassword=SEKRIT`, 'sslmode=require'],
  ['DATABASE_URL', `${database}?PASSWORD=SEKRIT&pass%77ord=SEKRIT`, 'PASSWORD=********'],
  ['DATABASE_URL', `${database}?password=SEKRIT&password=SEKRIT`, 'password=********'],
  ['DATABASE_URL', 'postgres://db/skillpass#SEKRIT', '#********'],
  ['REDIS_URL', 'redis://cache:6379/1?password=SEKRIT', '//cache:6379/1?password=********'],
  ['REDIS_URL', 'SEKRIT', '********'],
  ['EMBEDDINGS_URL', 'https://models.example/v1?api_key=SEKRIT&v=2', 'v=2'],
  ['EMBEDDINGS_URL', 'https://models.example/v1?access_token=SEKRIT', 'https://models.example/v1'],
  ['METRICS_TOKEN', 'SEKRIT', '********'],
] as const

test.each(given)('config shows no secret of %s=%s', (name, value, shown) => {
  const row = describeConfig({ [name]: value }).find((one) => one.name === name)
  expect(row?.value).not.toContain('SEKRIT')
  expect(row?.value).toContain(shown)
})

test('config shows what opens nothing as it was given', () => {
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://db/skillpass?sslmode=require'],
    ['DATABASE_URL', 'file:./data/skillpass.db'],
    ['BASE_URL', 'https://skills.example.com'],
    ['VERIFICATION_FILE_URL', 'https://raw.example/{owner}/{repo}/skillpass.txt'],
  ]) {
    const rows = describeConfig({ [name ?? '']: value })
    expect(rows.find((one) => one.name === name)?.value).toBe(value)
  }
})

test.each([[], ['--json']])('the command prints none, with the options %j', async (...options) => {
  const databaseUrl = `${database}?user=x&password=SEKRIT`
  const env = { REDIS_URL: 'redis://127.0.0.1/1?password=SEKRIT' }
  const { stdout, stderr } = await runCommand(['config', ...options], { databaseUrl, env })
  expect(stdout).toContain('password=********')
  expect(stdout + stderr).not.toContain('SEKRIT')
})
