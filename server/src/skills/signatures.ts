import { type ManifestLine, type SignedVersion, signedStatement } from '@skillpass/contract'
import { verifies } from '../agents/signing-keys.ts'
import type { AgentRecord } from '../agents/store/agents.ts'
import type { Db } from '../db/open.ts'
import { signedAddress } from '../discovery/signatures.ts'
import { refuseField } from '../errors/failure.ts'
import { manifestDigest } from './bundles/entries.ts'
import * as store from './store/signatures.ts'
import type { SkillRecord } from './store/skill-record.ts'

/**
 * Verifies and stores the publisher's signature of a version. Signatures are public, so each value
 * is accepted once: nobody can replay an old one to restore an old text. Sending the current
 * signature again has no effect.
 */
export async function signVersion(
  trx: Db,
  agent: AgentRecord,
  skill: SkillRecord,
  files: readonly ManifestLine[],
  value: string,
): Promise<store.SignatureRecord> {
  const publicKey = await store.findSigningKey(trx, agent.id)
  if (!publicKey) {
    refuseField(
      'body',
      'signature',
      'requires a signing key: register one with PUT /api/v1/agents/me/signing-key',
    )
  }
  const signed = signedVersion(skill, files)
  const { filesDigest } = signed
  if (!verifies(signedStatement(signed), publicKey, value)) {
    const digests = [skill.digest, ...(filesDigest === null ? [] : [`files ${filesDigest}`])]
    const what = `version ${skill.version} of ${signedAddress(skill)} with ${digests.join(' and ')}`
    refuseField('body', 'signature', `is not a signature by your key of ${what}`)
  }
  const signature = { address: signedAddress(skill), publicKey, value, filesDigest }
  const current = (await store.listSignatures(trx, skill.id)).get(skill.version)
  if (current?.value === value) return signature
  if (!(await store.insertPublishedSignature(trx, value))) {
    refuseField(
      'body',
      'signature',
      'was published before. Change the skill and sign the new version.',
    )
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
