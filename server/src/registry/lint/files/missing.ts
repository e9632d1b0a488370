import { quote, type Report, rulesOf } from '../report/types.ts'
import { fenceAt, fencesIn, lineBefore } from '../text/code-in.ts'
import { eachMatch } from '../text/each-match.ts'

export const missingRules = rulesOf('advice', {
  'missing-file':
    'The readme refers to a file that is not part of the skill, so an agent that follows it finds nothing there.',
})

/** `[text](path)`, `![text](path "title")` and `[label]: path`. */
const link =
  /(?:\]\(\s{0,3}<?|^[ >]{0,9}\[[^\]\n^][^\]\n]{0,99}\]:[ \t]{1,4}<?)([^\s()<>"'`]{1,300})(?=>?(?:[ \t]{1,4}["'(][^"'()\n]{0,100}["')])?(?:\)|[ \t]{0,9}$))/gm

/** A path in one of the folders that the format names, in code or prose. */
const own =
  /(?<![\w./~$%{}<>*@:\\#[\]-])(?:\.\/|\{(?:baseDir|skillDir|skill_dir|SKILL_DIR)\}\/|\$\{?(?:SKILL_DIR|CLAUDE_SKILL_DIR|SKILL_ROOT|SKILL_PATH|skill_dir)\}?\/|<(?:skill|this-skill|skill-dir|skill_dir|skill-path|path-to-skill|SKILL_DIR)>\/)?((?:scripts|references|assets)\/(?:[\w.-]{1,80}\/){0,6}[\w.-]{1,100}\.[A-Za-z][A-Za-z0-9]{0,6})(?![\w/*<{}$-]|\.[\w*{<])/g

/** Paths that a skill tells to make, and stand-ins for paths. */
const made =
  /(?:\b(?:creat|generat|writ|sav|output|export|produc|add|scaffold|initiali[sz]|touch|mkdir|stor|emit|renam|mov)(?:e|es|ed|ing|ten|ting|s)?\b[^\n.]{0,60}|>{1,2}\s{0,3}["']?|-o\s{1,3}|--output[= ]|\b(?:cp|mv)\s[^\n]{0,80}\s)$/i
const standIn =
  /(?:^|[/._-])(?:path|foo|bar|baz|example|your|my|some|filename|file_?name|xxx|name|placeholder|image|img|photo|picture|screenshot|logo|template-name|skill-name|topic|domain)(?=[/._-]|$)|\.{3}|…|[*?<>{}[\]$%|]|\b[A-Z]{2,}_[A-Z_]+\b/i

/** "Save it as …", "**Examples**: …": no file that is said to be there. */
const shownAs = /\bas\s[`"']{0,3}$|\bexamples?(?:\*\*)?:|\be\.g\.|\bsuch as\b|\bfor example\b/i

/** Links that are none to a file of the skill. */
const elsewhere =
  /^(?:[a-z][a-z0-9+.-]*:|\/\/|\/|#|\\|@|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co)(?:\/|$)/i
/** A path has an ending, or is that of a folder. */
const pathLike = /\.[A-Za-z][A-Za-z0-9]{0,9}$|[^/]\/$/

/** Names the files that a readme refers to and that are not there; gives those that are. */
export function checkMissing(
  readme: string,
  paths: readonly string[],
  report: Report,
): ReadonlySet<string> {
  const named = new Set<string>()
  const present = new Set(['SKILL.md', ...paths])
  const folders = new Set(paths.flatMap(foldersOf))
  const folded = new Map([...present].map((path) => [path.toLowerCase(), path]))
  const seen = new Set<string>()
  const look = (path: string, index: number) => {
    if (present.has(path)) named.add(path)
    if (seen.has(path) || present.has(path) || folders.has(path)) return
    seen.add(path)
    const other = folded.get(path.toLowerCase())
    const told =
      other === undefined
        ? `${quote(path)} is not there`
        : `${quote(path)} is there as ${quote(other)}`
    report('missing-file', 'readme', told, index)
  }
  references(readme, look)
  return named
}

/** No readme refers to more; what comes after these is not looked at. */
const mostReferences = 2000

/** Calls `found` with each path that a readme takes for one of a file beside it. */
export function references(readme: string, found: (path: string, index: number) => void): void {
  const fenced = fenceAt(fencesIn(readme))
  const lookAtLink = ({ index, 1: target = '' }: RegExpExecArray) => {
    const path = linkedPath(target)
    // In code a link is shown and not made.
    if (path === undefined || fenced(index)) return
    if (lineBefore(readme, index, 400).split('`').length % 2 === 1) found(path, index)
  }
  const lookAtPath = ({ index, 1: path = '' }: RegExpExecArray) => {
    if (standIn.test(path) || documentLanguage.test(fenced(index)?.info ?? '')) return
    const before = lineBefore(readme, index, 300)
    if (/[├└│]/.test(before) || made.test(before) || shownAs.test(before)) return
    found(path, index)
  }
  eachMatch(link, readme, lookAtLink, mostReferences)
  eachMatch(own, readme, lookAtPath, mostReferences)
}

/** A block of markdown shows another document. */
const documentLanguage = /^(?:markdown|md|mdx|ya?ml|json|diff|tree)\b/i

/** The path that a link names within the folder of the skill; undefined for other addresses. */
function linkedPath(target: string): string | undefined {
  if (elsewhere.test(target)) return undefined
  const bare = decoded(target.replace(/[?#].*$/, ''))
  if (bare === undefined || bare === '' || standIn.test(bare)) return undefined
  if (!pathLike.test(bare)) return undefined
  const segments: string[] = []
  for (const segment of bare.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return undefined
  }
  return segments.length === 0 ? undefined : segments.join('/')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC')
  } catch {
    return undefined
  }
}

/** The folders that a path lies in. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
