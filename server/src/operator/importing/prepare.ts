import { createReadStream } from 'node:fs'
import { bounds, manifestText } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { spool } from '../../runtime/spool.ts'
import { storeBlob } from '../../skills/bundles/blobs.ts'
import { findFiles, nextVersion, prepareFiles } from '../../skills/bundles/release.ts'
import { judgeVersion } from '../../skills/judge.ts'
import type { AgentRecord } from '../../store/registry/agents.ts'
import { findBlobs } from '../../store/registry/blobs.ts'
import { listFiles } from '../../store/registry/files.ts'
import { findRepositoryAt } from '../../store/registry/repositories.ts'
import type { SkillRecord } from '../../store/registry/skill-record.ts'
import { findSkillBySlug } from '../../store/registry/skills.ts'
import { digestOf } from '../../text/digest.ts'
import type { DiskFile, ImportedSkill, ImportSkill } from './types.ts'

export type ImportContext = Pick<RegistryContext, 'db' | 'clock' | 'random' | 'objects'>

/** A prepared skill: its files are stored and all of it is linted. */
export type PreparedSkill = Awaited<ReturnType<typeof prepareSkill>>

/** Stores a skill's files and compares it with the registry. Throws if a file changes. */
export async function prepareSkill(
  ctx: ImportContext,
  { id: agentId }: AgentRecord,
  item: ImportedSkill,
) {
  const { skill } = item
  const { readme, slug, description, name } = skill
  const text = { readme, slug, description: description || name }
  const before = await findExisting(ctx, skill)
  const known = before ? await listFiles(ctx.db.read, before.id, before.version) : []
  const isSame = item.files === undefined || manifestText(item.files) === manifestText(known)
  if (!isSame) await storeFiles(ctx, item.files ?? [])
  const files = isSame ? known : await findFiles(ctx, item.files ?? [])
  const judged = await judgeVersion(ctx, agentId, skill, files, { keepsFiles: isSame })
  const isChanged = !before || !isSame || digestOf(readme) !== before.digest
  const next =
    before && isChanged
      ? await nextVersion(ctx.db.read, before, text, files)
      : { text, files, isNew: isChanged }
  const columns = await prepareFiles(ctx, next.text, next.isNew ? next.files : [])
  return {
    ...item,
    judged,
    /** The description is never empty. */
    text,
    /** Whether its readme or a file differs from the registry's. */
    isNewVersion: next.isNew,
    stored: { files: next.files, columns },
    /** The existing version at the time of preparation, or 0. */
    basis: before?.version ?? 0,
  }
}

async function findExisting(
  { db }: ImportContext,
  { owner, repo, slug }: ImportSkill,
): Promise<SkillRecord | undefined> {
  const repository = await findRepositoryAt(db.read, owner, repo)
  return repository && findSkillBySlug(db.read, repository.id, slug)
}

/** Stores missing blobs, one file at a time. */
async function storeFiles(ctx: ImportContext, files: readonly DiskFile[]): Promise<void> {
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
