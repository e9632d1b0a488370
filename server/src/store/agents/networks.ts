import { createHmac } from 'node:crypto'
import { countRows, type Db } from '../../db/query.ts'

/**
 * Returns the key under which a network is stored: an HMAC with the database's salt, which hides
 * the network. Returns an empty string for an unknown network.
 */
export async function networkKey(db: Db, network: string | undefined): Promise<string> {
  if (network === undefined) return ''
  const { salt } = await db.selectFrom('network_salt').select('salt').executeTakeFirstOrThrow()
  return createHmac('sha256', salt).update(network).digest('base64url').slice(0, 22)
}

/** Returns the network from which an agent registered, null if unknown, and the time in ms. */
export const findAgentNetwork = (db: Db, agentId: string) =>
  db
    .selectFrom('agents')
    .select(['network', 'created_at as createdAt'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()

/** Sets an agent's network unless it is known. */
export const setAgentNetwork = (trx: Db, agentId: string, network: string) =>
  trx
    .updateTable('agents')
    .set({ network })
    .where((eb) => eb.and({ id: agentId, network: null }))
    .execute()

export const countAgentsFrom = (db: Db, network: string, until: number) =>
  countRows(db.selectFrom('agents').where('network', '=', network).where('created_at', '<=', until))

/** Returns the networks from which agents registered, by agent id. Null if unknown. */
export async function findNetworksOf(db: Db, agentIds: readonly string[]) {
  if (agentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'network'])
    .where('id', 'in', [...agentIds])
    .execute()
  return new Map(rows.map(({ id, network }) => [id, network]))
}
