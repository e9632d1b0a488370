import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/databases.ts'
import { runCommand, startProcess } from '../support/processes.ts'
import { seed } from '../support/rounds.ts'
import { checkIntegrity } from './integrity.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'

test('a backup made under load contains every write that was acknowledged before it', async () => {
  const database = await createTestDatabase('sqlite')
  const file = join(await temporaryFolder(), 'copy.db')
  const server = await startProcess({ databaseUrl: database.url })
  try {
    const fixture = await prepareFixture(database.url, server.url)
    const [app, ...apps] = fixture.apps
    if (!app) throw new Error('there is no app')
    const before = await startMixedLoad({ url: server.url, fixture: { ...fixture, apps }, seed })
    await before.untilMore(60)
    await before.stop()
    // Use another app, because removing an app ends its earlier grants.
    const other = { ...fixture, apps: [app] }
    const load = await startMixedLoad({ url: server.url, fixture: other, seed: seed + 1 })
    await load.untilMore(10)
    const backup = await runCommand(['backup', file], { databaseUrl: database.url })
    await load.stop()
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(backup.stdout).toMatch(/^Backup written to /)
    expect(checkIntegrity(`file:${file}`)).toBe('ok')
    const copy = await startProcess({ databaseUrl: `file:${file}` })
    const { checked, lost } = await before.verify(`file:${file}`, copy.url)
    expect(lost).toEqual([])
    expect(checked).toBeGreaterThan(20)
    await copy.end('SIGTERM')
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
})
