import { isInstallableSlug } from '../../skills/frontmatter/complete.ts'
import { readFrontmatter, splitFrontmatter } from '../../skills/frontmatter/frontmatter.ts'
import { quote, type Report } from './types.ts'

const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const maxDescription = 1024

/** Checks the frontmatter, if any, against the Agent Skills format. */
export function checkFrontmatter(readme: string, report: Report): void {
  const block = splitFrontmatter(readme)
  if (!block) return
  const { entries, issue } = readFrontmatter(block.yaml)
  // Values read from broken YAML are guesses, so they are not checked.
  if (issue) {
    report('frontmatter-broken', issue.message, block.yamlOffset + issue.offset)
    return
  }
  const reportKey = (rule: string, key: string, message: string) => {
    const entry = entries.get(key)
    report(`frontmatter-${rule}`, message, entry ? block.yamlOffset + entry.offset : 0)
  }
  const nameIssue = issueOfName(entries.get('name')?.value ?? '')
  if (nameIssue) reportKey('name', 'name', `the name ${nameIssue}`)
  const how = entries.has('description') ? 'empty' : 'missing'
  const descriptionIssue = issueOfDescription(entries.get('description')?.value ?? '', how)
  if (descriptionIssue)
    reportKey('description', 'description', `the description ${descriptionIssue}`)
  for (const key of entries.keys()) {
    if (!known.includes(key))
      reportKey('unknown-key', key, `${quote(key)} is not a key of the format`)
  }
}

function issueOfName(name: unknown): string | undefined {
  if (name === '') return 'is missing'
  if (typeof name !== 'string') return 'is not text'
  if (isInstallableSlug(name)) return undefined
  return `${quote(name)} must be 1 to 64 characters of a-z, 0-9 and single inner hyphens`
}

function issueOfDescription(description: unknown, how: string): string | undefined {
  if (typeof description !== 'string') return 'is not text'
  if (description.trim() === '') return `is ${how}`
  if (description.length <= maxDescription) return undefined
  return `has ${description.length} characters; the limit is ${maxDescription}`
}
