import { readFrontmatter, splitFrontmatter } from '../../skills/frontmatter/frontmatter.ts'
import { type LintSkill, quote, type Report } from './types.ts'

const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const limits = { name: 64, description: 1024, compatibility: 500 } as const

/**
 * Checks the frontmatter against the public Agent Skills format. A readme without any is fine: the
 * name and the description are in the skill's record.
 */
export function checkFrontmatter({ slug, readme }: LintSkill, report: Report): void {
  const block = splitFrontmatter(readme)
  if (!block) return
  const { entries, issue } = readFrontmatter(block.yaml)
  if (!block.closed) {
    report('frontmatter-broken', 'readme', 'the frontmatter has no closing ---', 0)
  }
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
    if (name !== slug) {
      say('name-mismatch', 'name', `the name ${quote(name)} is not the slug ${quote(slug)}`)
    }
  }
  const checkText = (key: string, rule: string, most: number) => {
    const value = read(key) ?? ''
    if (typeof value !== 'string') say(rule, key, `the ${key} is not text`)
    else if (value.trim() === '')
      say(rule, key, `the ${key} is ${entries.has(key) ? 'empty' : 'missing'}`)
    else if (value.length > most)
      say(rule, key, `the ${key} has ${value.length} characters, over ${most}`)
  }
  checkText('description', 'description', limits.description)
  if (entries.has('license')) checkText('license', 'field', Number.POSITIVE_INFINITY)
  if (entries.has('compatibility')) checkText('compatibility', 'field', limits.compatibility)
  if (entries.has('metadata')) {
    const value = read('metadata')
    if (typeof value !== 'object' || Array.isArray(value)) {
      say('field', 'metadata', 'metadata is not a map')
    } else {
      const bad = Object.entries(value).find(([, inner]) => typeof inner !== 'string')
      if (bad) say('field', 'metadata', `metadata ${quote(bad[0])} is not text`)
    }
  }
  if (entries.has('allowed-tools')) {
    // The format says text; many authors write a list, which agents take as well.
    const isText = (tool: unknown) => typeof tool === 'string' && tool.trim() !== ''
    if (![read('allowed-tools')].flat().every(isText)) {
      say('field', 'allowed-tools', 'the allowed tools are not text')
    }
  }
  for (const key of entries.keys()) {
    if (!known.includes(key)) say('unknown-key', key, `the format has no key ${quote(key)}`)
  }
}
