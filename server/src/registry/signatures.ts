import { createPublicKey, verify } from 'node:crypto'
import {
  isWeakPublicKey,
  keyStatement,
  type ManifestLine,
  type SignedVersion,
  type SigningKeyRegistration,
  signedStatement,
} from '@skillpass/contract'
import type { z } from 'zod'
import { agentParty, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { Failure, fail } from '../errors/failure.ts'
import { refuseEnded } from './access/key-standing.ts'
import { manifestDigest } from './bundles/entries.ts'
import { signedAddress } from './catalogue/signatures.ts'
import type { RegistryContext } from './context.ts'
import type { AgentRecord } from './store/agents.ts'
import { hasLiveAncestor, type KeyHolder } from './store/api-keys.ts'
import * as store from './store/signatures.ts'
import type { SkillRecord } from './store/skill-record.ts'

/** The DER form of a raw Ed25519 key (RFC 8410 §4) is this prefix and its 32 bytes. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

function verifies(statement: string, publicKey: string, value: string): boolean {
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
    refuse('publicKey', 'is a weak key: anybody can sign for it')
  if (!verifies(keyStatement(agent.username, publicKey), publicKey, proof)) {
    refuse('proof', 'is not a signature of the key statement by this key')
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

/** The key that an agent signs with, or null. */
export const signingKeyOf = async ({ db }: Pick<RegistryContext, 'db'>, agentId: string) =>
  (await store.findSigningKey(db.read, agentId)) ?? null

/**
 * Keeps the publisher's signature of a version, once it verifies. Signatures are public, so one that was
 * published before brings no text back, at no other skill; where it stands already, nothing changes.
 */
export async function signVersion(
  trx: Db,
  agent: AgentRecord,
  skill: SkillRecord,
  files: readonly ManifestLine[],
  value: string,
): Promise<store.SignatureRecord> {
  const publicKey = await store.findSigningKey(trx, agent.id)
  if (!publicKey) refuse('signature', 'register your key first: PUT /api/v1/agents/me/signing-key')
  const signed = signedVersion(skill, files)
  const { filesDigest } = signed
  if (!verifies(signedStatement(signed), publicKey, value)) {
    const digests = [skill.digest, ...(filesDigest === null ? [] : [`files ${filesDigest}`])]
    const what = `version ${skill.version} of ${signedAddress(skill)} with ${digests.join(' and ')}`
    refuse('signature', `is not your key's signature of ${what}`)
  }
  const signature = { address: signedAddress(skill), publicKey, value, filesDigest }
  const standing = (await store.listSignatures(trx, skill.id)).get(skill.version)
  if (standing?.value === value) return signature
  if (!(await store.insertPublishedSignature(trx, value))) {
    refuse('signature', 'was published before. Change the skill and sign what it is then.')
  }
  await store.upsertSignature(trx, skill.id, skill.version, signature)
  return signature
}

const signedVersion = (
  { repository, slug, version, digest }: SkillRecord,
  files: readonly ManifestLine[],
): SignedVersion => ({
  owner: repository.owner,
  repo: repository.name,
  slug,
  version,
  digest,
  filesDigest: files.length === 0 ? null : manifestDigest(files),
})

function refuse(path: string, message: string): never {
  throw new Failure('VALIDATION_ERROR', { details: [{ in: 'body', path, message }] })
}
