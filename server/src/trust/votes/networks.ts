import { createHmac } from 'node:crypto'
import { findNetworkSalt } from '../../agents/store/networks.ts'
import type { Database } from '../../db/open.ts'

// A database's salt never changes.
const salts = new WeakMap<Database, string>()

/**
 * Returns the key under which a network is stored: an HMAC with the database's salt, which hides
 * the network. Returns an empty string for an unknown network.
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
