import { LRUCache } from 'lru-cache'
import { runStep } from '../../runtime/run-step.ts'
import { digestOf } from '../catalogue/readmes.ts'
import { lintFileOf } from '../lint/files/read-file.ts'
import {
  type KnownFindings,
  type LintEntry,
  type LintSkill,
  type LintWarning,
  lintInSteps,
} from '../lint/index.ts'
import type { FoundInText } from '../lint/report/collector.ts'
import type { FileRecord } from '../store/files.ts'
import { openBlob } from './blob.ts'
import type { BundleContext } from './context.ts'
import { readBytes } from './read-bytes.ts'

/** A file beside the readme whose bytes can be read. */
export interface ReadableFile extends LintEntry {
  readonly digest: string
  open(): AsyncIterable<Uint8Array>
}

/** The files of a version, ready to be read. */
export const readableFiles = (
  ctx: Pick<BundleContext, 'db' | 'objects'>,
  files: readonly FileRecord[],
): ReadableFile[] =>
  files.map(({ path, executable, ...blob }) => ({
    path,
    executable,
    size: blob.size,
    digest: blob.digest,
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
  for (const step of lint.readme(findingsOf(digestOf(skill.readme)))) await run(step)
  for (const file of files) {
    const bytes = await readBytes(file)
    const known = findingsOf(file.digest)
    for (const step of lint.file(lintFileOf(file, bytes), known)) await run(step)
  }
  return run(lint.warnings)
}

/**
 * What was found in files and readmes lately, by digest. 16 MiB of text take seconds to check: without this an agent that
 * publishes them again and again would hold a core, for the quota of bytes counts new ones alone.
 */
const findings = new LRUCache<string, FoundInText>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: ({ warnings }) => 256 + 256 * warnings.length,
})

const findingsOf = (digest: string): KnownFindings => {
  const key = (isCode: boolean) => `${digest} ${isCode}`
  return {
    get: (isCode) => findings.get(key(isCode)),
    set: (isCode, found) => void findings.set(key(isCode), found),
  }
}
