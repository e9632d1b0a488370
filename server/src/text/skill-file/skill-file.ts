import { type Frontmatter, readFrontmatter, splitFrontmatter } from '../frontmatter.ts'
import { isRecord } from './complete.ts'
import { slugOf } from './fields.ts'

/** A change or guess made during the import of a skill. */
export interface ImportWarning {
  rule: string
  message: string
}

/**
 * Parses a SKILL.md. Accepts every file: missing fields are taken from the folder's name and the
 * first paragraph, each with a warning.
 *
 * @param folderName the folder of the file, which the format requires to be the skill's name
 */
export function parseSkillFile(text: string, folderName: string) {
  const block = splitFrontmatter(text)
  const frontmatter = block ? readFrontmatter(block.yaml) : null
  const warnings: ImportWarning[] = []
  if (!frontmatter) {
    warnings.push({ rule: 'no-frontmatter', message: 'the file has no YAML frontmatter' })
  }
  if (frontmatter?.issue) {
    const message = `the frontmatter is broken YAML, read line by line: ${frontmatter.issue.message}`
    warnings.push({ rule: 'frontmatter-broken', message })
  }
  const field = (key: string) => textOf(frontmatter?.entries.get(key)?.value)
  const name = field('name') ?? guessed(warnings, 'name', folderName)
  const description =
    field('description') ??
    guessed(warnings, 'description', firstParagraph(block ? block.body : text))
  return {
    name,
    slug: slugOf(folderName) || slugOf(name),
    description,
    tags: frontmatter ? tagsOf(frontmatter) : [],
    /** The whole file, including frontmatter, as the author wrote it. */
    readme: text,
    warnings,
  }
}

function guessed(warnings: ImportWarning[], field: string, value: string): string {
  const from = field === 'name' ? "the folder's name" : 'the first paragraph'
  warnings.push({ rule: `no-${field}`, message: `the frontmatter has no ${field}; took ${from}` })
  return value
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

/** The format does not define tags: reads `tags` or `keywords`, also in `metadata`. */
function tagsOf({ entries }: Frontmatter): string[] {
  const metadata = entries.get('metadata')?.value
  const inner = isRecord(metadata) ? [metadata.tags, metadata.keywords] : []
  const found = [entries.get('tags')?.value, entries.get('keywords')?.value, ...inner]
  for (const value of found) {
    if (typeof value === 'string') return value.replace(/^\[|\]$/g, '').split(',')
    if (Array.isArray(value)) return value.flatMap((tag) => textOf(tag)?.split(',') ?? [])
  }
  return []
}

/** Returns the first lines of prose, without headings, lists, tables and the like. */
function firstParagraph(body: string): string {
  const lines: string[] = []
  let fenced = false
  for (const raw of body.slice(0, 20_000).split('\n')) {
    const line = raw.trim()
    if (line.startsWith('```') || line.startsWith('~~~')) fenced = !fenced
    else if (!fenced && line !== '' && !/^(?:#|<|>|\||!\[|[-*+=] |---|\d+\. )/.test(line)) {
      lines.push(line.replace(/^\ufeff/, ''))
      continue
    }
    if (lines.length > 0) break
  }
  return lines.join(' ').slice(0, 500)
}
