import type { Config } from '../config/config.ts'
import type { DatabaseToRead } from '../db/read-only.ts'
import { findEncryption } from '../encryption/key.ts'
import { listKeyIds } from '../encryption/store/keys.ts'
import {
  listTexts,
  type ProtectedText,
  sealedColumns,
} from '../encryption/store/protected-columns.ts'
import { systemRandom } from '../runtime/time.ts'
import type { Encryption, Sealed } from '../secrets/encryption.ts'
import { fine, type Outcome, some, wrong } from './finding.ts'

const batch = 500

const remedy =
  'Set the key that they were sealed with as ENCRYPTION_KEY, or in ENCRYPTION_KEY_PREVIOUS'

/** Whether the keys that are there open everything that the database holds sealed. */
export async function checkKeys(
  db: DatabaseToRead,
  config: Pick<Config, 'databaseUrl' | 'encryption'>,
): Promise<Outcome> {
  const encryption = await findEncryption(config, systemRandom)
  const held = await listKeyIds(db.read)
  const missing = held.filter((id) => !encryption?.keyIds.includes(id))
  if (missing.length > 0) {
    return wrong(`the key ${missing.join(', ')} is missing, which secrets are sealed with`, remedy)
  }
  let count = 0
  const closed: string[] = []
  for (const column of sealedColumns) {
    const places = await listClosed(db, column, encryption)
    count += places.count
    if (places.closed > 0) closed.push(`${places.closed} of ${column.table}.${column.column}`)
  }
  if (closed.length > 0) return wrong(`the keys do not open ${some(closed)}`, remedy)
  return fine(`the keys open all ${count} sealed secrets`)
}

async function listClosed(
  { read }: DatabaseToRead,
  column: (typeof sealedColumns)[number],
  encryption: Encryption | undefined,
) {
  const found = { count: 0, closed: 0 }
  let after: ProtectedText['key'] | undefined
  for (;;) {
    const choice = { after, limit: batch }
    const texts = await listTexts(read, column, choice)
    for (const { row, text } of texts) {
      try {
        encryption?.open(column.purpose, row, text as Sealed)
        found.closed += encryption ? 0 : 1
      } catch {
        found.closed += 1
      }
    }
    found.count += texts.length
    after = texts.at(-1)?.key
    if (texts.length < batch) return found
  }
}
