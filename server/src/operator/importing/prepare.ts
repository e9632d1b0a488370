import { createReadStream } from 'node:fs'
import { bounds, manifestText } from '@skillpass/contract'
import type { OperatorContext } from '../../runtime/context.ts'
import { spool } from '../../runtime/spool.ts'
import { storeBlob } from '../../skills/bundles/blobs.ts'
import { findFiles } from '../../skills/bundles/version-files.ts'
import { type PreparingContext, prepareVersion } from '../../skills/version.ts'
import type { AgentRecord } from '../../store/agents/agents.ts'
import { findBlobs } from '../../store/registry/blobs.ts'
import { findVersionFiles } from '../../store/registry/files.ts'
import { findRepositoryAt } from '../../store/registry/repositories.ts'
import type { SkillRecord } from '../../store/registry/skill-record.ts'
import { findSkillBySlug } from '../../store/registry/skills.ts'
import type { DiskFile, ImportedSkill, ImportSkill } from './import-item.ts'

/** A prepared skill: its files are stored and all of it is linted. */
export type PreparedSkill = Awaited<ReturnType<typeof prepareSkill>>

/** Stores a skill's files and compares it with the registry. Throws if a file changes. */
export async function prepareSkill(
  ctx: PreparingContext,
  { id: agentId }: AgentRecord,
  item: ImportedSkill,
) {
  const { slug, name, description, tags, readme } = item.skill
  const base = await findExisting(ctx, item.skill)
  const known = base ? await findVersionFiles(ctx.db.read, base.id, base.version) : []
  const isSame = item.files === undefined || manifestText(item.files) === manifestText(known)
  if (!isSame) await storeFiles(ctx, item.files ?? [])
  const files = isSame ? undefined : await findFiles(ctx, item.files ?? [])
  const fields = { slug, name, description, tags }
  const version = await prepareVersion(ctx, agentId, base, { fields, readme, files })
  return { ...item, version }
}

async function findExisting(
  { db }: OperatorContext,
  { owner, repo, slug }: ImportSkill,
): Promise<SkillRecord | undefined> {
  const repository = await findRepositoryAt(db.read, owner, repo)
  return repository && findSkillBySlug(db.read, repository.id, slug)
}

/** Stores missing blobs, one file at a time. */
async function storeFiles(ctx: OperatorContext, files: readonly DiskFile[]): Promise<void> {
  const digests = [...new Set(files.map(({ digest }) => digest))]
  const known = await findBlobs(ctx.db.read, digests)
  const missing = new Map(files.map((file) => [file.digest, file]))
  for (const digest of known.keys()) missing.delete(digest)
  for (const [digest, { real, path }] of missing) {
    await spool(createReadStream(real), bounds.blobBytes, async (spooled) => {
      if (`sha256:${spooled.sha256}` !== digest)
        throw new Error(`${path} changed during the import`)
      await storeBlob(ctx, digest, spooled, async () => {})
    })
  }
}
