import type { SkillMarkdown } from '@skillpass/contract'
import type { z } from 'zod'
import { lintInSteps } from '../lint/index.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { cutText, normalizeFields, parseSkillFile, slugOf } from '../text/skill-file/fields.ts'

/** Longest description that the Agent Skills format allows, in UTF-16 units. */
const maxSearched = 1024

/** Parses a SKILL.md with the rules of an import, and lints it with its files. */
export async function parseSkill(
  { steps, signal }: OperatorContext,
  { readme, folder, files, ...given }: z.output<typeof SkillMarkdown>,
) {
  const read = parseSkillFile(readme, folder)
  // The lint reports problems of the frontmatter itself.
  const guesses = read.warnings.filter(
    ({ rule }) => rule === 'no-name' || rule === 'no-description',
  )
  const notes = guesses.map(({ message }) => message)
  const derived = slugOf(read.name.replace(/-{2,}/g, '-')) || slugOf(folder) || null
  const fields = normalizeFields(read, derived ?? '', (_, message) => notes.push(message))
  const { name = fields.name, slug = derived } = given
  const { description = fields.description, tags = fields.tags } = given
  const lint = lintInSteps({ name, slug: slug ?? '', description, tags, readme }, files)
  await steps.run(lint.readme(), signal)
  for (const { content, ...file } of files) {
    if (content === undefined) continue
    const bytes = Buffer.from(content, 'base64')
    await steps.run(lint.file({ ...file, bytes }), signal)
  }
  return { data: { name, slug, description, tags }, notes, warnings: lint.findings() }
}

/** Returns the text of a SKILL.md that search would read. */
export function searchedText(readme: string, folder: string) {
  const read = parseSkillFile(readme, folder)
  const slug = slugOf(read.name) || slugOf(folder)
  const { name, tags, indexedDescription } = normalizeFields(read, slug, () => {})
  return { name, slug, tags, readme, description: cutText(indexedDescription, maxSearched) }
}

/**
 * Returns the readme's full description, for search, if `description` is a shortened copy of it.
 * Otherwise returns null.
 */
export function searchedDescription(readme: string, description: string): string | null {
  const whole = normalizeFields(parseSkillFile(readme, ''), '', () => {})
  if (whole.description !== description || whole.indexedDescription === description) return null
  return cutText(whole.indexedDescription, maxSearched)
}
