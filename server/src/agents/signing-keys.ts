import { createPublicKey, verify } from 'node:crypto'
import { isWeakPublicKey, keyStatement, type SigningKeyRegistration } from '@skillpass/contract'
import type { z } from 'zod'
import { agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import { type KeyHolder, listLiveKeys } from '../store/agents/api-keys.ts'
import * as store from '../store/registry/signatures.ts'
import { requireLiveCaller } from './api-keys.ts'

/** Prefix of an Ed25519 public key in DER (RFC 8410 §4), before its 32 bytes. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function verifies(statement: string, publicKey: string, value: string): boolean {
  const der = Buffer.concat([derPrefix, Buffer.from(publicKey, 'base64')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(statement), key, Buffer.from(value, 'base64'))
}

/**
 * Registers an agent's permanent signing key. Requires the API key from registration, or after its
 * revocation another one that does not expire, so that a lent API key cannot choose the signing
 * key. Idempotent.
 */
export async function setSigningKey(
  ctx: RegistryContext,
  agent: KeyHolder,
  { publicKey, proof }: z.output<typeof SigningKeyRegistration>,
) {
  if (isWeakPublicKey(Buffer.from(publicKey, 'base64')))
    refuseField(
      'body',
      'publicKey',
      'is a weak key for which anyone can make signatures: generate another key',
    )
  if (!verifies(keyStatement(agent.username, publicKey), publicKey, proof)) {
    refuseField('body', 'proof', 'is not a signature of the key statement by this key')
  }
  await ctx.db.write(async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    const registered = await store.findSigningKey(trx, agent.id)
    if (registered === publicKey) return
    if (registered === undefined && !(await mayChooseSigningKey(ctx, trx, agent))) {
      fail(
        'FORBIDDEN',
        'Register the signing key with the API key that you received at registration.',
      )
    }
    const key = { agentId: agent.id, publicKey, createdAt: ctx.clock.now() }
    if (await store.insertSigningKey(trx, key)) {
      const action = 'agent.signing-key-registered'
      return record(ctx, trx, { action, who: agentParty(agent.id), note: publicKey })
    }
    if ((await store.findSigningKey(trx, agent.id)) === publicKey) return
    fail(
      'CONFLICT',
      'You have already registered another signing key. Ask the operator to reset it.',
    )
  })
  return { publicKey }
}

async function mayChooseSigningKey(ctx: RegistryContext, trx: Db, agent: KeyHolder) {
  if (agent.isRegistration) return true
  const live = await listLiveKeys(trx, agent.id, ctx.steadyNow())
  return agent.expiresAt === null && !live.some(({ isRegistration }) => isRegistration)
}

export const signingKeyOf = async ({ db }: RegistryContext, agentId: string) =>
  (await store.findSigningKey(db.read, agentId)) ?? null
