import { createHmac } from 'node:crypto'
import { findNetworkSalt } from '../../agents/store/networks.ts'
import type { Database } from '../../db/open.ts'

/** Salts never change, so one look for each database is enough. */
const salts = new WeakMap<Database, string>()

/**
 * The key that a network is kept by: tells networks apart and, without the database's salt, does not
 * say which they are. Empty for an unknown one.
 */
export async function networkKey(db: Database, network: string | undefined): Promise<string> {
  if (network === undefined) return ''
  let salt = salts.get(db)
  if (salt === undefined) {
    salt = await findNetworkSalt(db.read)
    salts.set(db, salt)
  }
  return createHmac('sha256', salt).update(network).digest('base64url').slice(0, 22)
}
