import { isInstallableSlug } from '../../skills/frontmatter/complete.ts'
import { readFrontmatter, splitFrontmatter } from '../../skills/frontmatter/frontmatter.ts'
import { countLines } from './text.ts'
import { type LintSkill, quote, type Report } from './types.ts'

export function checkRecord({ name, slug, description, readme }: LintSkill, report: Report): void {
  // "PDF Forms" is a valid title for pdf-forms.
  if (hyphened(name) !== hyphened(slug)) {
    report('name-slug-mismatch', `the name does not match the slug ${quote(slug)}`)
  }
  if (!isInstallableSlug(slug)) {
    const why =
      slug.length > maxSlug
        ? `has ${slug.length} characters, more than ${maxSlug}`
        : 'has characters outside a-z and 0-9, or a double or edge hyphen'
    report('slug-format', `the slug ${why}; installers skip this skill`)
  }
  checkDescription(description.trim(), report)
  checkSize(readme, report)
}

const maxSlug = 64

/** Compares letters and digits of any script, including Greek or Chinese. */
const hyphened = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Minimum bytes of UTF-8, in which a Chinese character counts three times. */
const minDescription = 20
/** Words that state when to use a skill, in common languages. */
const trigger =
  /\b(?:use[ds]?|using|useful|when(?:ever)?|while|trigger\w*|activate\w*|invoke\w*|apply|applies|if|before|after|during|need\w*|ask\w*|want\w*|mention\w*|request\w*|for|cuando|para|quand|lorsque|pour|wenn|bei|für|quando|per|als|voor|при|когда|если|для)\b|用|当|當|时|時|场景|場合|とき|際|たい|때|경우|위한|khi|เมื่อ|عند|جب|जब/iu

function checkDescription(description: string, report: Report): void {
  const bytes = Buffer.byteLength(description)
  if (description === '') {
    report('description-missing', 'the description is missing')
  } else if (bytes < minDescription) {
    report(
      'description-short',
      `the description has ${bytes} bytes; write at least ${minDescription}`,
    )
  } else if (!trigger.test(description)) {
    report('description-no-trigger', 'the description does not say when to use the skill')
  }
}

/** Limits that the format recommends for a SKILL.md. More belongs in separate files. */
const maxLines = 500
const maxTokens = 5000

function checkSize(readme: string, report: Report): void {
  if (readme.trim() === '') {
    report('readme-empty', 'the readme is empty')
    return
  }
  const lines = countLines(readme) + (readme.endsWith('\n') ? 0 : 1)
  // A token has about four Latin characters. A Chinese character has three bytes and is about one
  // token.
  const tokens = Math.round(Buffer.byteLength(readme) / 4)
  if (lines <= maxLines && tokens <= maxTokens) return
  const size = `${lines} lines and about ${tokens} tokens`
  const advice = `move details into separate files to stay below ${maxLines} lines and ${maxTokens} tokens`
  report('readme-too-long', `the readme has ${size}; ${advice}`)
}

/** Keys of the format, and those from which a publication takes the tags. */
const frontmatterKeys = [
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'tags',
  'keywords',
]
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
    if (!frontmatterKeys.includes(key))
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
