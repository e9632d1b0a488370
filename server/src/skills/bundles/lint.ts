import type { RegistryContext } from '../../discovery/context.ts'
import { lintInSteps } from '../../moderation/lint/index.ts'
import type { LintSkill, LintWarning } from '../../moderation/lint/types.ts'
import { runSteps } from '../../runtime/run-step.ts'
import type { FileRecord } from '../store/files.ts'
import { filesOf } from './entries.ts'
import { readBytes } from './read-bytes.ts'

/** Lints a skill with all its files, one in memory at a time. Yields to the event loop. */
export async function lintWithFiles(
  ctx: Pick<RegistryContext, 'db' | 'objects' | 'signal'>,
  skill: LintSkill,
  files: readonly FileRecord[],
): Promise<LintWarning[]> {
  const lint = lintInSteps(skill, files)
  await runSteps(lint.readme(), ctx.signal)
  for (const file of filesOf(ctx, files)) {
    await runSteps(lint.file({ ...file, bytes: await readBytes(file) }), ctx.signal)
  }
  return lint.warnings()
}
