import type { RegistryContext } from '../../discovery/context.ts'
import { isProse, textOf } from '../../moderation/lint/files.ts'
import { lintInSteps } from '../../moderation/lint/index.ts'
import type { LintSkill, LintWarning } from '../../moderation/lint/types.ts'
import { runSteps } from '../../runtime/run-step.ts'
import type { FileRecord } from '../store/files.ts'
import { filesOf } from './entries.ts'
import { readBytes } from './read-bytes.ts'

/** Collects the texts of a version. */
interface Texts {
  add(text: string, isCode: boolean): Generator<void, void>
}

/**
 * Lints a skill with all its files, one in memory at a time, and adds the files' texts to
 * `contents`. Yields to the event loop.
 */
export async function lintWithFiles(
  ctx: Pick<RegistryContext, 'db' | 'objects' | 'signal'>,
  skill: LintSkill,
  files: readonly FileRecord[],
  contents?: Texts,
): Promise<LintWarning[]> {
  const lint = lintInSteps(skill, files)
  await runSteps(lint.readme(), ctx.signal)
  for (const file of filesOf(ctx, files)) {
    const bytes = await readBytes(file)
    await runSteps(lint.file({ ...file, bytes }), ctx.signal)
    const text = textOf(bytes)
    if (contents && text !== undefined) {
      await runSteps(contents.add(text, !isProse(file.path, text)), ctx.signal)
    }
  }
  return lint.warnings()
}
