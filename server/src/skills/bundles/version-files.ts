import type { NewFiles } from '@skillpass/contract'
import type { z } from 'zod'
import { Failure } from '../../errors/failure.ts'
import type { LintSkill } from '../../lint/findings.ts'
import { lintInSteps, type TextReader } from '../../lint/index.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import { findBlobs } from '../../store/registry/blobs.ts'
import type { FileRecord } from '../../store/registry/files.ts'
import type { Finding } from '../../store/registry/skill-record.ts'
import type { VersionText } from '../../text/skill-file/complete.ts'
import { digestArchive } from './archive.ts'
import { entriesOf, filesOf, manifestDigest, readBytes } from './entries.ts'

export type NewFile = z.output<typeof NewFiles>[number]

/**
 * Throws VALIDATION_ERROR with each file whose blob is missing or has another size. Blobs that
 * `agentId` may not use count as missing.
 */
export async function findFiles(
  { db }: OperatorContext,
  files: readonly NewFile[],
  agentId?: string,
): Promise<FileRecord[]> {
  const digests = files.map(({ digest }) => digest)
  const blobs = await findBlobs(db.read, digests, agentId)
  const details = files.flatMap(({ path, digest, size }, index) => {
    const blob = blobs.get(digest)
    if (!blob) return [missing(path, digest, index)]
    if (blob.size === size) return []
    const message = `${JSON.stringify(path)} has ${blob.size} bytes, not ${size}`
    return [{ in: 'body' as const, path: `files.${index}.size`, message }]
  })
  if (details.length > 0) throw new Failure(400, { details })
  return files.flatMap(({ path, executable, digest }) => {
    const blob = blobs.get(digest)
    return blob ? [{ ...blob, path, executable }] : []
  })
}

/** Throws VALIDATION_ERROR if blobs were removed while the version was prepared. */
export function refuseMissing(files: readonly FileRecord[], digests: readonly string[]): void {
  if (digests.length === 0) return
  const details = files.flatMap(({ path, digest }, index) =>
    digests.includes(digest) ? [missing(path, digest, index)] : [],
  )
  throw new Failure(400, { details })
}

const missing = (path: string, digest: string, index: number) => ({
  in: 'body' as const,
  path: `files.${index}.digest`,
  message: `${JSON.stringify(path)} has not been uploaded: send its bytes with PUT /api/v1/blobs/${digest.slice('sha256:'.length)}`,
})

/**
 * Computes the file columns of a version, null if the readme is the only file. Reads all files to
 * compute the archive digests.
 */
export async function prepareArchives(
  ctx: OperatorContext,
  text: VersionText,
  files: readonly FileRecord[],
) {
  // Without files, archive digests are computed on request: few skills are ever installed.
  const entries = files.length === 0 ? undefined : entriesOf(ctx, text, files)
  const tar = entries && (await digestArchive('tarGz', entries))
  const zip = entries && (await digestArchive('zip', entries))
  return {
    fileCount: files.length,
    manifestDigest: entries ? manifestDigest(entries) : null,
    tarDigest: tar?.digest ?? null,
    tarSize: tar?.size ?? null,
    zipDigest: zip?.digest ?? null,
    zipSize: zip?.size ?? null,
  }
}

/**
 * Lints a skill with all its files, one in memory at a time, and hands the texts of the readme and
 * of the files to the readers. Yields to the event loop.
 */
export async function lintWithFiles(
  ctx: OperatorContext,
  skill: LintSkill,
  files: readonly FileRecord[],
  readers: {
    readonly readme: readonly TextReader[]
    readonly files: readonly TextReader[]
  } = noReaders,
): Promise<Finding[]> {
  const lint = lintInSteps(skill, files)
  await ctx.steps.run(lint.readme(readers.readme), ctx.signal)
  for (const file of filesOf(ctx, files)) {
    const bytes = await readBytes(file)
    await ctx.steps.run(lint.file({ ...file, bytes }, readers.files), ctx.signal)
  }
  return lint.findings()
}

const noReaders = { readme: [], files: [] }
