import { setTimeout as pause } from 'node:timers/promises'
import { migrateUp } from '@skillpass/server/db/migrations/migrate'
import { expect, test } from 'vitest'
import { createTestDatabase, engines } from '../../support/databases.ts'
import { seededRandom } from '../../support/random.ts'
import { reportFigure, roundsOf, seed } from '../../support/rounds.ts'
import { startMigration } from './migration-process.ts'
import { openPatiently } from './open-patiently.ts'
import { schemaOf } from './schema.ts'

const rounds = roundsOf(5)

test.each(engines)(
  'migrations on %s that are killed at any moment are completed by the next start, to the same schema',
  async (engine) => {
    const random = seededRandom(seed)
    const whole = await createTestDatabase(engine)
    const started = performance.now()
    expect(await startMigration(whole.url).ended).toBe(0)
    const ms = performance.now() - started
    const reference = await openPatiently(whole.url)
    const expected = await schemaOf(reference)
    await reference.close()
    await whole.remove()
    let undone = 0
    for (let round = 0; round < rounds; round++) {
      const database = await createTestDatabase(engine)
      const migration = startMigration(database.url)
      await pause(ms * (0.4 + 0.6 * random()))
      migration.kill()
      await migration.ended
      const db = await openPatiently(database.url)
      if ((await migrateUp(db)).length > 0) undone++
      expect(await schemaOf(db)).toEqual(expected)
      await db.close()
      await database.remove()
    }
    reportFigure(
      `killed ${rounds} times on ${engine}, ${undone} of them before the end: completed to the same schema`,
    )
  },
)
