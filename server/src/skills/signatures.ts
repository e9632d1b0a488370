import { type ManifestLine, signedStatement } from '@skillpass/contract'
import { verifies } from '../agents/signing-keys.ts'
import { signedAddress } from '../catalogue/text-caches.ts'
import type { Db } from '../db/open.ts'
import { refuseField } from '../errors/failure.ts'
import type { AgentRecord } from '../store/agents/agents.ts'
import * as store from '../store/registry/signatures.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { manifestDigest } from './bundles/entries.ts'

/**
 * Verifies and stores the publisher's signature of a version. Signatures are public, so each value
 * is accepted once: nobody can replay an old one to restore an old text. Sending the current
 * signature again has no effect.
 */
export async function signVersion(
  trx: Db,
  agent: AgentRecord,
  skill: SkillRecord,
  { digest, files }: { digest: string; files: readonly ManifestLine[] },
  value: string,
): Promise<void> {
  const publicKey =
    (await store.findSigningKey(trx, agent.id)) ??
    refuse('requires a signing key: register one with PUT /api/v1/agents/me/signing-key')
  const { repository, slug } = skill
  const version = skill.waiting ?? skill.version
  const { owner, name: repo } = repository
  const filesDigest = files.length === 0 ? null : manifestDigest(files)
  const statement = signedStatement({ owner, repo, slug, version, digest, filesDigest })
  if (!verifies(statement, publicKey, value)) {
    const digests = [digest, ...(filesDigest === null ? [] : [`files ${filesDigest}`])]
    const what = `version ${version} of ${signedAddress(skill)} with ${digests.join(' and ')}`
    refuse(`is not a signature by your key of ${what}`)
  }
  const current = (await store.listSignatures(trx, skill.id)).get(version)
  if (current?.value === value) return
  if (!(await store.insertPublishedSignature(trx, value))) {
    refuse('was published before. Change the skill and sign the new version.')
  }
  const signature = { address: signedAddress(skill), publicKey, value, filesDigest }
  await store.upsertSignature(trx, skill.id, version, signature)
}

function refuse(message: string): never {
  refuseField('body', 'signature', message)
}
