import { isInstallableSlug } from '../../skills/frontmatter/complete.ts'
import { readFrontmatter, splitFrontmatter } from '../../skills/frontmatter/frontmatter.ts'
import { quote, type Report } from './types.ts'

const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const longestDescription = 1024

/**
 * Checks the frontmatter against the public Agent Skills format. A readme without any is fine: the
 * name and the description are in the skill's record.
 */
export function checkFrontmatter(readme: string, report: Report): void {
  const block = splitFrontmatter(readme)
  if (!block) return
  const { entries, issue } = readFrontmatter(block.yaml)
  // What was read from broken YAML is a guess, not to be judged further.
  if (issue) {
    report('frontmatter-broken', issue.message, block.yamlOffset + issue.offset)
    return
  }
  const say = (rule: string, key: string, message: string) => {
    const entry = entries.get(key)
    report(`frontmatter-${rule}`, message, entry ? block.yamlOffset + entry.offset : 0)
  }
  const nameIssue = issueOfName(entries.get('name')?.value ?? '')
  if (nameIssue) say('name', 'name', `the name ${nameIssue}`)
  const how = entries.has('description') ? 'empty' : 'missing'
  const descriptionIssue = issueOfDescription(entries.get('description')?.value ?? '', how)
  if (descriptionIssue) say('description', 'description', `the description ${descriptionIssue}`)
  for (const key of entries.keys()) {
    if (!known.includes(key)) say('unknown-key', key, `the format has no key ${quote(key)}`)
  }
}

function issueOfName(name: unknown): string | undefined {
  if (name === '') return 'is missing'
  if (typeof name !== 'string') return 'is not text'
  if (isInstallableSlug(name)) return undefined
  return `${quote(name)} is not 1 to 64 of a-z, 0-9 and single inner hyphens`
}

function issueOfDescription(description: unknown, how: string): string | undefined {
  if (typeof description !== 'string') return 'is not text'
  if (description.trim() === '') return `is ${how}`
  if (description.length <= longestDescription) return undefined
  return `has ${description.length} characters, over ${longestDescription}`
}
