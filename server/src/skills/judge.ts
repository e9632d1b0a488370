import type { Catalogue, RegistryContext } from '../catalogue/catalogue.ts'
import { createContents, isShort } from '../copies/fingerprint.ts'
import { findJudgedMatches } from '../copies/judged-texts.ts'
import { judgementOf } from '../lint/findings.ts'
import type { LintSkill } from '../lint/types.ts'
import { runSteps } from '../runtime/run-step.ts'
import type { FileRecord } from '../store/registry/files.ts'
import { hasJudgedTexts } from '../store/registry/judged-texts.ts'
import { passageKey } from '../store/registry/revision.ts'
import { lintWithFiles } from './bundles/release.ts'

/**
 * Lints a version of an agent's skill and finds judged texts in it. With `keepsFiles`, only the
 * readme and the description are compared: a skill may keep its files.
 */
export async function judgeVersion(
  ctx: Pick<RegistryContext, 'db' | 'objects' | 'signal'> & { catalogue?: Catalogue },
  agentId: string,
  skill: LintSkill,
  files: readonly FileRecord[],
  { keepsFiles = false } = {},
) {
  // Reading texts to compare them takes longer than the lint.
  if (!(await hasJudgedTexts(ctx.db.read))) {
    const warnings = await lintWithFiles(ctx, skill, files)
    return { warnings, judgement: judgementOf(warnings), matches: [] }
  }
  const { readme, name } = skill
  const description = skill.description || name
  const contents = createContents(ctx.catalogue?.passageKey ?? (await passageKey(ctx.db.read)))
  // A short text may be split into description and readme. Longer ones are found by their passages.
  const both = `${description}\n\n${readme}`
  for (const text of isShort(both) ? [both, description] : [description]) {
    await runSteps(contents.add(text))
  }
  const readers = { readme: contents, files: keepsFiles ? undefined : contents }
  const warnings = await lintWithFiles(ctx, skill, files, readers)
  const text = { readme, description }
  const matches = await findJudgedMatches(ctx.db.read, agentId, text, { ...ctx, contents })
  return { warnings, judgement: judgementOf(warnings), matches }
}
