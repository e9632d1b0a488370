import { access, open, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@skillpass/server/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { file, publishBundle, sha256 } from '../support/bundles.ts'
import { operate, operateJson } from '../support/commands.ts'
import { createServerDatabase, engines, type TestDatabase } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const Checks = z.array(z.object({ name: z.string(), passed: z.boolean(), message: z.string() }))
const checksOf = async ({ url }: TestDatabase, env: Record<string, string> = {}) =>
  Checks.parse((await operateJson({ url, env }, 'check')).checks)

describe.each(engines)('skillpass-server check on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const { ctx, database } = server
  const problems = async () =>
    (await checksOf(database)).filter(({ passed }) => !passed).map(({ message }) => message)
  const run = (statement: string) => ctx.db.write((trx) => sql.raw(statement).execute(trx))

  test('check passes while a server runs', async () => {
    const owner = await server.agent('owner')
    await publish(owner)
    await publishBundle(owner, [file('a.bin', new Uint8Array(300_000))])
    const names = ['integrity', 'schema', 'contents', 'keys']
    expect(await checksOf(database)).toMatchObject(names.map((name) => ({ name, passed: true })))
  })

  test('check reports changed texts, and a missing key with the remedy', async () => {
    const other = await publish(await server.agent('victim'))
    for (const [damage, repair, found] of [
      [
        `insert into encryption_keys (id, created_at) values ('0123456789ab', 1)`,
        `delete from encryption_keys where id = '0123456789ab'`,
        'secrets are encrypted with the key 0123456789ab, which is missing. Set ENCRYPTION_KEY to it',
      ],
      [
        `update skill_versions set readme = 'other' where skill_id = '${other.id}'`,
        'select 1',
        `1 texts or files do not match their digests: ${other.id} version 1`,
      ],
    ] as const) {
      await run(damage)
      expect(await problems()).toEqual([expect.stringContaining(found)])
      await run(repair)
    }
    const { code, out } = await operate(database, 'check')
    expect(code).toBe(1)
    expect(out).toMatch(/^contents failed: .+: 1 texts or files do not match/m)
    expect(out).toMatch(/\nTo repair damage, restore the last backup\.\n$/)
  })

  test('check reports files with missing bytes', async () => {
    const one = file('one.bin', new Uint8Array(300_000).fill(7))
    await publishBundle(await server.agent('victim'), [one])
    const digest = `sha256:${sha256(one.bytes)}`
    await run(`delete from blob_chunks where digest = '${digest}' and number = 1`)
    expect(await problems()).toEqual([expect.stringContaining(digest)])
  })
})

test('check reports a damaged database file', async () => {
  const database = await createServerDatabase('sqlite')
  const file = fileURLToPath(database.url)
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(8192, 7), 0, 8192, 4096 * 3)
  await handle.close()
  const [integrity] = await checksOf(database)
  expect(integrity).toMatchObject({ name: 'integrity', passed: false })
  expect(integrity?.message).toContain(file)
  await writeFile(file, 'x'.repeat(8192))
  const [none] = await checksOf(database)
  expect(none?.message).toBe(`${file}: file is not a database`)
  await database.remove()
})

// `missing-database.test.ts` tests that no command creates a database.
test('check creates no encryption key', async () => {
  const database = await createServerDatabase('sqlite')
  const checks = await checksOf(database, { ENCRYPTION_KEY: '' })
  expect(checks.find(({ name }) => name === 'keys')).toMatchObject({ passed: true })
  await expect(access(`${fileURLToPath(database.url)}-key`)).rejects.toThrow()
  await database.remove()
})

test('check reports a schema of a newer version', async () => {
  const database = await createServerDatabase('sqlite')
  const db = await openDatabase(database.url)
  await db.write((trx) =>
    trx.insertInto('schema_migrations').values({ name: '9999-later', applied_at: 1 }).execute(),
  )
  await db.close()
  expect(await checksOf(database)).toMatchObject([
    { name: 'integrity', passed: true },
    { name: 'schema', message: expect.stringContaining('newer version of Skillpass') },
  ])
  await database.remove()
})
