import { currentOperator, type Operating } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import * as store from '../store/api-keys.ts'
import { findNamedAgent } from './agents.ts'

/** What the operator does to API keys. Servers that run follow at once: each use of a key asks. */

/** The keys of an agent that the operator has ended. */
export interface RevokedKeys {
  readonly agent: string
  /** Ids of those that were live. */
  readonly revoked: readonly string[]
}

/**
 * Ends a key, named by its id or by the beginning that lists and logs show of it, and all that it made
 * unless they are kept. Throws NOT_FOUND, and CONFLICT for a beginning that several keys have.
 */
export const revokeKey = (
  ctx: Operating,
  name: string,
  { keepChildren, note }: { keepChildren: boolean; note?: string | undefined },
): Promise<RevokedKeys> =>
  ctx.db.write(async (trx) => {
    const [key, other] = await store.findKeysNamed(trx, name)
    if (!key) fail('NOT_FOUND', `There is no API key ${name}.`)
    if (other) fail('CONFLICT', `Several API keys begin with ${name}. Give the id of one.`)
    await store.holdAgent(trx, key.agentId)
    const tree = keepChildren ? [key.id] : await store.listKeyTree(trx, key.agentId, key.id)
    return { agent: key.username, revoked: await end(ctx, trx, tree, note) }
  })

/** Ends every key of an agent, which then has none to make another with. Throws NOT_FOUND. */
export const revokeKeysOfAgent = (
  ctx: Operating,
  username: string,
  { note }: { note?: string | undefined },
): Promise<RevokedKeys> =>
  ctx.db.write(async (trx) => {
    const agent = await findNamedAgent(trx, username)
    await store.holdAgent(trx, agent.id)
    const live = await store.listLiveKeyIds(trx, agent.id, ctx.clock.now())
    return { agent: agent.username, revoked: await end(ctx, trx, live, note) }
  })

async function end(ctx: Operating, trx: Db, ids: readonly string[], note: string | undefined) {
  const revoked = await store.revokeApiKeys(trx, ids, ctx.clock.now())
  for (const id of revoked) {
    const whom = { kind: 'api-key', id } as const
    await record(ctx, trx, { action: 'api-key.revoked', who: currentOperator(), whom, note })
  }
  return revoked
}
