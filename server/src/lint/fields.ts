import { posix } from 'node:path'
import { type Fence, isWithin, rangesOf } from '../text/fences.ts'
import { readFrontmatter, splitFrontmatter } from '../text/frontmatter.ts'
import { foldText } from '../text/letters.ts'
import { isInstallableSlug } from '../text/skill-file/complete.ts'
import { type LintSkill, quote, type Report } from './findings.ts'
import { findHiddenPassages } from './hidden.ts'
import { countLines, inBackticks, lineBefore } from './text.ts'

export function checkFields({ name, slug, description, readme }: LintSkill, report: Report): void {
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
  const comments = block.yaml.matchAll(/(?<=^|\s)#[ \t]*(\S.*)/gm)
  findHiddenPassages(
    Array.from(comments, ({ index, 1: text = '' }) => ({
      kind: 'a comment',
      text: foldText(text),
      at: block.yamlOffset + index,
    })),
    report,
  )
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

/** `[text](path)`, `![text](path "title")` and `[label]: path`. */
const link =
  /\](?:\(\s{0,3}<?|(?<=^[ >]{0,9}\[[^\]\n^][^\]\n]{0,99}\]):[ \t]{1,4}<?)([^\s()<>"'`]{1,300})(?=>?(?:[ \t]{1,4}["'(][^"'()\n]{0,100}["')])?(?:\)|[ \t]{0,9}$))/gm

/** A path in a folder of the format, in code or prose. */
const bundledPath =
  /(?:scripts|references|assets)\/(?:[\w.-]{1,80}\/){0,6}[\w.-]{1,100}\.[A-Za-z][A-Za-z0-9]{0,6}(?![\w/*<{}$-]|\.[\w*{<])/g
/** Allowed text before the path: a boundary, or a placeholder for the skill's folder. */
const atFolder =
  /(?:^|[^\w./~$%{}<>*@:\\#[\]-])(?:\.\/|\{(?:baseDir|skillDir|skill_dir|SKILL_DIR)\}\/|\$\{?(?:SKILL_DIR|CLAUDE_SKILL_DIR|SKILL_ROOT|SKILL_PATH|skill_dir)\}?\/|<(?:skill|this-skill|skill-dir|skill_dir|skill-path|path-to-skill|SKILL_DIR)>\/)?$/

/** Text before a path that the reader is asked to create. */
const createdBefore =
  /(?:\b(?:creat|generat|writ|sav|output|export|produc|add|scaffold|initiali[sz]|touch|mkdir|stor|emit|renam|mov)(?:e|es|ed|ing|ten|ting|s)?\b[^\n.]{0,60}|>{1,2}\s{0,3}["']?|-o\s{1,3}|--output[= ]|\b(?:cp|mv)\s[^\n]{0,80}\s)$/i
const placeholder =
  /(?:^|[/._-])(?:path|foo|bar|baz|example|your|my|some|filename|file_?name|xxx|name|placeholder|image|img|photo|picture|screenshot|logo|template-name|skill-name|topic|domain)(?=[/._-]|$)|\.{3}|…|[*?<>{}[\]$%|]|\b[A-Z]{2,}_[A-Z_]+\b/i
/** Text before a path that need not exist: "Save it as …", "e.g. …" and lines of a tree. */
const exampleBefore =
  /[├└│]|\bas\s[`"']{0,3}$|\bexamples?(?:\*\*)?:|\be\.g\.|\bsuch as\b|\bfor example\b/i

/** Links to places outside the skill. */
const elsewhere =
  /^(?:[a-z][a-z0-9+.-]*:|\/\/|\/|#|\\|@|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co)(?:\/|$)/i
/** A path with an extension or a trailing slash. */
const pathLike = /\.[A-Za-z][A-Za-z0-9]{0,9}$|[^/]\/$/
/** Languages of code blocks that show another document. */
const documentLanguage = /^(?:markdown|md|mdx|ya?ml|json|diff|tree)\b/i
/** Maximum number of checked references. */
const maxReferences = 2000

export function checkMissingFiles(
  readme: string,
  fences: readonly Fence[],
  paths: readonly string[],
  report: Report,
): void {
  const present = ['SKILL.md', ...paths]
  const folders = paths.flatMap((path) =>
    Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index)),
  )
  const seen = new Set([...present, ...folders])
  const inLowerCase = new Map(present.map((path) => [path.toLowerCase(), path]))
  for (const { index, path } of referencesIn(readme, fences)) {
    if (seen.has(path)) continue
    seen.add(path)
    const other = inLowerCase.get(path.toLowerCase())
    const where = other === undefined ? 'is missing' : `is published as ${quote(other)}`
    report('missing-file', `${quote(path)} ${where}`, index)
  }
}

function* referencesIn(readme: string, fences: readonly Fence[]) {
  const ranges = rangesOf(
    readme,
    fences.map(({ lines }) => lines),
  )
  const fenceAt = (at: number) => fences[ranges.findIndex((range) => isWithin(range, at))]
  let count = 0
  for (const { index, 1: target = '' } of readme.matchAll(link)) {
    if (count++ === maxReferences) break
    const path = linkedPath(target)
    // Links in code are not rendered.
    const isShown = path === undefined || inBackticks(readme, index) || fenceAt(index)
    if (!isShown) yield { index, path }
  }
  count = 0
  for (const { index, 0: path } of readme.matchAll(bundledPath)) {
    if (count++ === maxReferences) break
    const before = lineBefore(readme, index, 300)
    if (placeholder.test(path) || !atFolder.test(before)) continue
    if (
      createdBefore.test(before.replace(/\S*$/, '')) ||
      createdBefore.test(before) ||
      exampleBefore.test(before)
    )
      continue
    if (!documentLanguage.test(fenceAt(index)?.info ?? '')) yield { index, path }
  }
}

/** Returns the path of a link within the skill's folder, or undefined. */
function linkedPath(target: string): string | undefined {
  if (elsewhere.test(target)) return undefined
  const path = decoded(target.replace(/[?#].*$/, ''))
  if (path === undefined || path === '' || placeholder.test(path) || !pathLike.test(path))
    return undefined
  const within = posix.normalize(path).replace(/\/$/, '')
  return within === '.' || /^\.\.(?:\/|$)/.test(within) ? undefined : within
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return undefined
  }
}
