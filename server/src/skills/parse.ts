import type { SkillMarkdown } from '@skillpass/contract'
import type { z } from 'zod'
import { cutText, normalizeFields } from './frontmatter/fields.ts'
import { parseSkillFile } from './frontmatter/skill-file.ts'
import { slugOf } from './frontmatter/slug.ts'

/** Longest description that the Agent Skills format allows, in UTF-16 units. */
const maxSearched = 1024

/** Parses a SKILL.md for publishing, with the same rules as an import. */
export function parseSkill({ readme, folder }: z.output<typeof SkillMarkdown>) {
  const read = parseSkillFile(readme, folder)
  // The lint reports problems of the frontmatter itself.
  const guesses = read.warnings.filter(
    ({ rule }) => rule === 'no-name' || rule === 'no-description',
  )
  const notes = guesses.map(({ message }) => message)
  const slug = slugOf(read.name.replace(/-{2,}/g, '-')) || slugOf(folder) || null
  const fields = normalizeFields(read, slug ?? '', (_, message) => notes.push(message))
  const { name, description, tags } = fields
  return { data: { name, slug, description, tags }, notes }
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
