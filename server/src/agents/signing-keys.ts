import { createPublicKey, verify } from 'node:crypto'
import { isWeakPublicKey, keyStatement, type SigningKeyRegistration } from '@skillpass/contract'
import type { z } from 'zod'
import { agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { fail, refuseField } from '../errors/failure.ts'
import * as store from '../skills/store/signatures.ts'
import { refuseEnded } from './key-standing.ts'
import { hasLiveAncestor, type KeyHolder } from './store/api-keys.ts'

/** The DER form of a raw Ed25519 key (RFC 8410 §4) is this prefix and its 32 bytes. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether a value, Base64, is the signature of a statement by a key, Base64. */
export function verifies(statement: string, publicKey: string, value: string): boolean {
  const der = Buffer.concat([derPrefix, Buffer.from(publicKey, 'base64')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(statement), key, Buffer.from(value, 'base64'))
}

/**
 * Registers the key that an agent signs with. It has one and keeps it, so an API key that was lent for a
 * while must not choose it: the key of the registration does, or one that outlived all that it comes from.
 * Sending it again changes nothing.
 */
export async function setSigningKey(
  ctx: RegistryContext,
  agent: KeyHolder,
  { publicKey, proof }: z.output<typeof SigningKeyRegistration>,
) {
  if (isWeakPublicKey(Buffer.from(publicKey, 'base64')))
    refuseField('body', 'publicKey', 'is a weak key: anybody can sign for it')
  if (!verifies(keyStatement(agent.username, publicKey), publicKey, proof)) {
    refuseField('body', 'proof', 'is not a signature of the key statement by this key')
  }
  await ctx.db.write(async (trx) => {
    await refuseEnded(ctx, trx, agent)
    const kept = await store.findSigningKey(trx, agent.id)
    if (kept === publicKey) return
    if (kept === undefined && (agent.expiresAt !== null || (await hasLiveAncestor(trx, agent)))) {
      fail('FORBIDDEN', 'Register the signing key with the API key that came with registration.')
    }
    const key = { agentId: agent.id, publicKey, createdAt: ctx.clock.now() }
    if (await store.setSigningKey(trx, key)) {
      const action = 'agent.signing-key-registered'
      return record(ctx, trx, { action, who: agentParty(agent.id), note: publicKey })
    }
    if ((await store.findSigningKey(trx, agent.id)) === publicKey) return
    fail(
      'CONFLICT',
      'You have registered another signing key; an agent keeps its first one. Only the operator can reset it.',
    )
  })
  return { publicKey }
}

export const signingKeyOf = async ({ db }: RegistryContext, agentId: string) =>
  (await store.findSigningKey(db.read, agentId)) ?? null
