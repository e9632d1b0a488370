import type { Config } from '../config/config.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { type DatabaseToRead, openToRead } from '../db/read-only.ts'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import { checkIntegrity, checkReferences, checkSchema, nameOf, remedyOf } from './engine.ts'
import { checkFiles } from './files.ts'
import { type Looked, type Outcome, skipped, wrong } from './finding.ts'
import { checkKeys } from './keys.ts'
import { checkCounts, checkTexts } from './rows.ts'
import { checkSnapshot } from './snapshot.ts'

type Place = Pick<Config, 'databaseUrl' | 'encryption' | 'snapshots'>

/** Looks at everything that a database holds and stands on, and changes none of it. Servers may go on. */
export async function checkAll(config: Place): Promise<Looked[]> {
  let db: DatabaseToRead
  try {
    db = await openToRead(config.databaseUrl)
  } catch (error) {
    return [{ name: 'database', ...failed(error, config) }]
  }
  try {
    return await lookAt(db, config)
  } finally {
    await db.close()
  }
}

async function lookAt(db: DatabaseToRead, config: Place): Promise<Looked[]> {
  const looked: Looked[] = []
  const look = async <T extends Outcome>(name: string, work: () => T | Promise<T>) => {
    const outcome = await Promise.resolve()
      .then(work)
      .catch((error: unknown) => failed(error, config))
    const { state, says, remedy } = outcome
    looked.push({ name, state, says, ...(remedy === undefined ? {} : { remedy }) })
    return outcome
  }
  await look('integrity', () => checkIntegrity(db, config))
  const schema = await look('schema', () => checkSchema(db, config))
  const isCurrent = 'isCurrent' in schema && schema.isCurrent
  const remedy = remedyOf(config)
  for (const [name, work] of [
    ['references', () => checkReferences(db, config)],
    ['counts', () => checkCounts(db, remedy)],
    ['texts', () => checkTexts(db, remedy)],
    ['files', () => checkFiles(db, remedy)],
    ['keys', () => checkKeys(db, config)],
    ['snapshot', () => checkSnapshot(db, config)],
  ] as const) {
    await look(name, isCurrent ? work : () => skipped('the schema is another'))
  }
  return looked
}

/** What an error says that stopped a look. */
function failed(error: unknown, config: Place): Outcome {
  // File and remedy are named here already, so the engine's own words are enough.
  const told = error instanceof DatabaseUnavailable ? (error.cause ?? error) : error
  const reason = messageOf(told)
  if (errorCode(error) === 'ENOENT') {
    return wrong(
      `there is no ${nameOf(config)}`,
      'Check DATABASE_URL; skillpass-server migrate up makes it',
    )
  }
  return wrong(`${nameOf(config)}: ${reason}`, remedyOf(config))
}
