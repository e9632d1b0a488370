import { posix } from 'node:path'
import { fencesIn, isWithin, rangesOf } from '../../text/fences.ts'
import { inBackticks, lineBefore } from './text.ts'
import { quote, type Report } from './types.ts'

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

export function checkMissingFiles(readme: string, paths: readonly string[], report: Report): void {
  const present = ['SKILL.md', ...paths]
  const folders = paths.flatMap((path) =>
    Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index)),
  )
  const seen = new Set([...present, ...folders])
  const inLowerCase = new Map(present.map((path) => [path.toLowerCase(), path]))
  for (const { index, path } of referencesIn(readme)) {
    if (seen.has(path)) continue
    seen.add(path)
    const other = inLowerCase.get(path.toLowerCase())
    const where = other === undefined ? 'is missing' : `is published as ${quote(other)}`
    report('missing-file', `${quote(path)} ${where}`, index)
  }
}

function* referencesIn(readme: string) {
  const fences = fencesIn(readme)
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
