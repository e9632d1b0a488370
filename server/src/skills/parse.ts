import type { SkillMarkdown } from '@skillpass/contract'
import type { z } from 'zod'
import { cutText, normaliseFields } from './frontmatter/fields.ts'
import { parseSkillFile } from './frontmatter/skill-file.ts'
import { slugOf } from './frontmatter/slug.ts'

/** What the skill format allows, in UTF-16 units. */
const mostSearched = 1024

/** Reads a SKILL.md that is to be published, as an import reads it. */
export function parseSkill({ readme, folder }: z.output<typeof SkillMarkdown>) {
  const read = parseSkillFile(readme, folder)
  // The lint says what is wrong with the front matter itself.
  const guesses = read.warnings.filter(
    ({ rule }) => rule === 'no-name' || rule === 'no-description',
  )
  const notes = guesses.map(({ message }) => message)
  const slug = slugOf(read.name.replace(/-{2,}/g, '-')) || slugOf(folder) || null
  const fields = normaliseFields(read, slug ?? '', (_, message) => notes.push(message))
  const { name, description, tags } = fields
  return { data: { name, slug, description, tags }, notes }
}

/**
 * What is searched in place of a description: the whole one of the readme, if the shown one is what an import would cut
 * it to. Null if there is no more than is shown.
 */
export function searchedDescription(readme: string, shown: string): string | null {
  const whole = normaliseFields(parseSkillFile(readme, ''), '', () => {})
  if (whole.description !== shown || whole.indexedDescription === shown) return null
  return cutText(whole.indexedDescription, mostSearched)
}
