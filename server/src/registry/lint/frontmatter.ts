import { installableMarkdown } from '../frontmatter/complete.ts'
import { readFrontmatter, splitFrontmatter } from '../frontmatter/frontmatter.ts'
import type { FrontmatterEntry } from '../frontmatter/frontmatter-lines.ts'
import { type LintSkill, quote, type Report, rulesOf } from './report/types.ts'

const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
const limits = { name: 64, description: 1024, compatibility: 500 } as const

export const frontmatterRules = rulesOf('advice', {
  'frontmatter-unclosed': 'Without a closing --- the whole file is frontmatter.',
  'frontmatter-broken': 'Agents skip a skill whose frontmatter is no valid YAML.',
  'frontmatter-replaced':
    'Agents read the fields of valid YAML alone, so installers get a name and a description that say the same.',
  'frontmatter-too-large': 'Every skill’s frontmatter is in the context at all times.',
  'frontmatter-duplicate-key': 'YAML allows a key once; readers differ on which counts.',
  'frontmatter-unknown-key': `The format knows ${known.join(', ')}; anything else belongs under metadata.`,
  'frontmatter-name': `The format requires a name of 1 to ${limits.name} of a-z, 0-9 and single inner hyphens.`,
  'frontmatter-name-mismatch':
    'The format requires the name to be that of the folder, which is the slug.',
  'frontmatter-description': `The format requires a description of 1 to ${limits.description} characters.`,
  'frontmatter-license': 'The license is text: its name or that of a file.',
  'frontmatter-compatibility': `Compatibility is text of 1 to ${limits.compatibility} characters.`,
  'frontmatter-metadata': 'Metadata maps text to text; quote numbers and versions.',
  'frontmatter-allowed-tools': 'The allowed tools are text, separated by spaces.',
})

/**
 * Checks the frontmatter against the public Agent Skills format. A readme without any is fine: the
 * name and the description stand in the skill's record.
 */
export function checkFrontmatter(skill: LintSkill, report: Report): void {
  const { slug, readme } = skill
  const block = splitFrontmatter(readme)
  if (!block) return
  if (!block.closed) {
    report('frontmatter-unclosed', 'readme', 'the frontmatter has no closing ---', 0)
  }
  const { entries, issues } = readFrontmatter(block.yaml)
  for (const { kind, message, offset } of issues) {
    const rule = kind === 'duplicate' ? 'frontmatter-duplicate-key' : `frontmatter-${kind}`
    const text = kind === 'duplicate' ? `the key ${quote(message)} stands twice` : message
    report(rule, 'readme', text, block.yamlOffset + offset)
  }
  // What was read from broken YAML is a guess, not to be judged further.
  if (issues.some(({ kind }) => kind !== 'duplicate')) {
    if (installableMarkdown(skill).endsWith(readme.replace(/^\ufeff+/, ''))) {
      const message =
        'the frontmatter cannot be repaired: installers get the name and the description alone'
      report('frontmatter-replaced', 'readme', message, 0)
    }
    return
  }
  const field: FieldReport = (key, rule, message) => {
    const offset = block.yamlOffset + (entries.get(key)?.offset ?? 0)
    report(rule, 'readme', message, entries.has(key) ? offset : 0)
  }
  checkName(entries, slug, field)
  checkText(entries, 'description', true, field)
  checkText(entries, 'license', false, field)
  checkText(entries, 'compatibility', false, field)
  checkMetadata(entries, field)
  checkAllowedTools(entries, field)
  for (const key of entries.keys()) {
    if (known.includes(key)) continue
    field(key, 'frontmatter-unknown-key', `the format has no key ${quote(key)}`)
  }
}

type Entries = Map<string, FrontmatterEntry>
type FieldReport = (key: string, rule: string, message: string) => void

function checkName(entries: Entries, slug: string, report: FieldReport): void {
  const name = entries.get('name')?.value
  if (typeof name !== 'string' || name === '') {
    const what = name === undefined || name === null || name === '' ? 'missing' : 'not text'
    report('name', 'frontmatter-name', `the name is ${what}`)
    return
  }
  if (name.length > limits.name || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const form = `1 to ${limits.name} of a-z, 0-9 and single inner hyphens`
    report('name', 'frontmatter-name', `the name ${quote(name)} is not ${form}`)
  }
  if (name !== slug) {
    const message = `the name ${quote(name)} is not the slug ${quote(slug)}`
    report('name', 'frontmatter-name-mismatch', message)
  }
}

function checkText(
  entries: Entries,
  key: 'description' | 'license' | 'compatibility',
  required: boolean,
  report: FieldReport,
): void {
  if (!required && !entries.has(key)) return
  const value = entries.get(key)?.value ?? ''
  const max = key === 'license' ? Number.POSITIVE_INFINITY : limits[key]
  const rule = `frontmatter-${key}`
  if (typeof value !== 'string') report(key, rule, `the ${key} is not text`)
  else if (value.trim() === '') report(key, rule, `the ${key} is ${required ? 'missing' : 'empty'}`)
  else if (value.length > max) {
    report(key, rule, `the ${key} has ${value.length} characters, over ${max}`)
  }
}

function checkMetadata(entries: Entries, report: FieldReport): void {
  if (!entries.has('metadata')) return
  const value = entries.get('metadata')?.value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('metadata', 'frontmatter-metadata', 'metadata is not a map')
    return
  }
  const bad = Object.entries(value).find(([, inner]) => typeof inner !== 'string')
  if (bad) report('metadata', 'frontmatter-metadata', `metadata ${quote(bad[0])} is not text`)
}

/** The format says text; many authors write a list, which agents take as well. */
function checkAllowedTools(entries: Entries, report: FieldReport): void {
  if (!entries.has('allowed-tools')) return
  const value = entries.get('allowed-tools')?.value
  const list = Array.isArray(value) ? value : [value]
  if (list.every((tool) => typeof tool === 'string' && tool.trim() !== '')) return
  report('allowed-tools', 'frontmatter-allowed-tools', 'the allowed tools are not text')
}
