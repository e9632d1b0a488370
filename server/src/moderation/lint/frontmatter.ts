import { readFrontmatter, splitFrontmatter } from '../../skills/frontmatter/frontmatter.ts'
import { type LintSkill, quote, type Report } from './types.ts'

const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const limits = { name: 64, description: 1024 } as const

/**
 * Checks the frontmatter against the public Agent Skills format. A readme without any is fine: the
 * name and the description are in the skill's record.
 */
export function checkFrontmatter({ readme }: LintSkill, report: Report): void {
  const block = splitFrontmatter(readme)
  if (!block) return
  const { entries, issue } = readFrontmatter(block.yaml)
  // What was read from broken YAML is a guess, not to be judged further.
  if (issue) {
    report('frontmatter-broken', 'readme', issue.message, block.yamlOffset + issue.offset)
    return
  }
  const read = (key: string) => entries.get(key)?.value ?? undefined
  const say = (rule: string, key: string, message: string) =>
    report(
      `frontmatter-${rule}`,
      'readme',
      message,
      (entries.get(key)?.offset ?? -block.yamlOffset) + block.yamlOffset,
    )

  const name = read('name')
  if (typeof name !== 'string' || name === '') {
    say('name', 'name', `the name is ${(name ?? '') === '' ? 'missing' : 'not text'}`)
  } else {
    if (name.length > limits.name || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
      const form = `1 to ${limits.name} of a-z, 0-9 and single inner hyphens`
      say('name', 'name', `the name ${quote(name)} is not ${form}`)
    }
  }
  const description = read('description') ?? ''
  if (typeof description !== 'string')
    say('description', 'description', 'the description is not text')
  else if (description.trim() === '') {
    const how = entries.has('description') ? 'empty' : 'missing'
    say('description', 'description', `the description is ${how}`)
  } else if (description.length > limits.description) {
    const size = `${description.length} characters, over ${limits.description}`
    say('description', 'description', `the description has ${size}`)
  }
  for (const key of entries.keys()) {
    if (!known.includes(key)) say('unknown-key', key, `the format has no key ${quote(key)}`)
  }
}
