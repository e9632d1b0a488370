import type { RegistryContext } from '../../discovery/context.ts'
import { lintFileOf } from '../../moderation/lint/files.ts'
import { lintInSteps } from '../../moderation/lint/index.ts'
import type { LintEntry, LintSkill, LintWarning } from '../../moderation/lint/types.ts'
import { runStep } from '../../runtime/run-step.ts'
import type { FileRecord } from '../store/files.ts'
import { openBlob } from './blob.ts'
import { readBytes } from './read-bytes.ts'

/** A file beside the readme whose bytes can be read. */
export interface ReadableFile extends LintEntry {
  open(): AsyncIterable<Uint8Array>
}

/** The files of a version, ready to be read. */
export const readableFiles = (
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  files: readonly FileRecord[],
): ReadableFile[] =>
  files.map(({ path, executable, ...blob }) => ({
    path,
    executable,
    size: blob.size,
    open: () => openBlob(ctx, blob),
  }))

/**
 * Lints a skill with all its files: one of them is in memory at a time, and others work between two
 * steps.
 */
export async function lintWithFiles(
  skill: LintSkill,
  files: readonly ReadableFile[],
  signal?: AbortSignal,
): Promise<LintWarning[]> {
  const run = <T>(step: () => T) => runStep(step, signal)
  const lint = lintInSteps(skill, files)
  for (const step of lint.readme()) await run(step)
  for (const file of files) {
    for (const step of lint.file(lintFileOf(file, await readBytes(file)))) await run(step)
  }
  return run(lint.warnings)
}
