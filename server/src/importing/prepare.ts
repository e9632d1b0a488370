import { createReadStream } from 'node:fs'
import { bounds, manifestText } from '@skillpass/contract'
import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import type { Contents } from '../moderation/fingerprint.ts'
import { readContents } from '../moderation/judged-texts.ts'
import { judgementOf } from '../moderation/lint/findings.ts'
import type { Judgement, LintWarning } from '../moderation/lint/types.ts'
import { storeBlob } from '../skills/bundles/blobs.ts'
import {
  type FileColumns,
  findFiles,
  lintWithFiles,
  nextVersion,
  prepareFiles,
} from '../skills/bundles/prepare.ts'
import { spool } from '../skills/objects/spool.ts'
import { findBlobs } from '../skills/store/blobs.ts'
import { type FileRecord, listFiles } from '../skills/store/files.ts'
import { findRepositoryAt } from '../skills/store/repositories.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { findSkillBySlug } from '../skills/store/skills.ts'
import type { DiskFile, ImportedSkill, ImportSkill } from './types.ts'

export type ImportContext = Pick<RegistryContext, 'db' | 'clock' | 'random' | 'objects'>

/** A prepared skill: its files are stored and all of it is linted. */
export interface PreparedSkill extends ImportedSkill {
  /** The description is never empty. */
  readonly text: { readonly readme: string; readonly slug: string; readonly description: string }
  readonly found: readonly LintWarning[]
  readonly judgement: Judgement
  /** Its texts, if any texts were judged. */
  readonly contents: Contents | undefined
  /** Whether its readme or a file differs from the registry's. */
  readonly isNewVersion: boolean
  readonly stored: { readonly files: readonly FileRecord[]; readonly columns: FileColumns }
  /** The existing version at the time of preparation, or 0. */
  readonly basis: number
}

/**
 * Stores a skill's files and compares it with the registry. Throws if a file changes. `key` hashes
 * its passages if any texts were judged.
 */
export async function prepareSkill(
  ctx: ImportContext,
  item: ImportedSkill,
  key?: number,
): Promise<PreparedSkill> {
  const { skill } = item
  const { readme, slug, description, name } = skill
  const text = { readme, slug, description: description || name }
  const before = await findExisting(ctx, skill)
  const known = before ? await listFiles(ctx.db.read, before.id, before.version) : []
  const isSame = item.files === undefined || manifestText(item.files) === manifestText(known)
  if (!isSame) await storeFiles(ctx, item.files ?? [])
  const files = isSame ? known : await findFiles(ctx, item.files ?? [])
  const contents = key === undefined ? undefined : await readContents(key, text)
  const found = await lintWithFiles(ctx, skill, files, isSame ? undefined : contents)
  const isChanged = !before || !isSame || digestOf(readme) !== before.digest
  const next =
    before && isChanged
      ? await nextVersion(ctx.db.read, before, text, files)
      : { text, files, isNew: isChanged }
  const columns = await prepareFiles(ctx, next.text, next.isNew ? next.files : [])
  return {
    ...item,
    text,
    found,
    judgement: judgementOf(found),
    contents,
    isNewVersion: next.isNew,
    stored: { files: next.files, columns },
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
