import { defaultIgnores } from '../../contract/registry/default-ignores.ts'

/** One line of a `.gitignore`. */
interface Rule {
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /**
   * Whether the pattern applies to the path relative to its `.gitignore`, or only to the file name.
   */
  readonly isAnchored: boolean
  readonly expression: RegExp
}

/** Rules of one `.gitignore`, which apply to its folder. */
export interface IgnoreRules {
  /** Path of the folder with a trailing slash; empty for the top folder. */
  readonly folder: string
  readonly rules: readonly Rule[]
}

/** Parses a `.gitignore` (see gitignore(5)). */
export function ignoreRules(folder: string, text: string): IgnoreRules {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n|\r$/)
  return { folder, rules: lines.flatMap((line) => ruleOf(line) ?? []) }
}

function ruleOf(line: string): Rule | undefined {
  if (line.startsWith('#')) return undefined
  const trimmed = withoutSpaces(line)
  const isNegated = trimmed.startsWith('!')
  const whole = isNegated ? trimmed.slice(1) : trimmed
  const foldersOnly = whole.endsWith('/')
  const pattern = foldersOnly ? whole.slice(0, -1) : whole
  const expression = pattern === '' ? undefined : globExpression(pattern.replace(/^\//, ''))
  return expression && { isNegated, foldersOnly, isAnchored: pattern.includes('/'), expression }
}

/** Removes trailing spaces that are not escaped. */
function withoutSpaces(line: string): string {
  const [escaped = ''] = /^(?:\\.|[^\\ ]|\\$| +(?=[^ ]))*/s.exec(line) ?? []
  return escaped
}

/** Token of a pattern: `\x`, `[a-z]`, `**` between slashes, other stars, `?`, or a character. */
const part =
  /\\(?<escaped>.)|\[(?<not>[!^]?)(?<set>\]?(?:\\.|[^\]\\])*)\]|(?<=^|\/)\*{2,}(?<end>\/|$)|(?<stars>\*+)|(?<one>\?)|(?<char>[^\\[])|(?<odd>.)/gsu

/**
 * Compiles a pattern for a whole path. `*` and `?` do not match a slash; `**` between slashes does.
 * Returns undefined if the pattern cannot match anything. Named classes such as `[[:digit:]]` are
 * not supported.
 */
function globExpression(pattern: string): RegExp | undefined {
  const parts = Array.from(pattern.matchAll(part), ({ groups = {} }) => {
    const { escaped, not, set, end, stars, one, char = '', odd } = groups
    if (odd !== undefined) return undefined
    if (set !== undefined)
      return `(?!/)[${not && '^'}${set.replace(/\\(.)|([^-])/gsu, escapedInSet)}]`
    if (end !== undefined) return end === '' ? '.*' : '(?:.*/)?'
    return stars ? '[^/]*' : one ? '[^/]' : literal(escaped ?? char)
  })
  try {
    return parts.includes(undefined) ? undefined : new RegExp(`^${parts.join('')}$`, 'su')
  } catch {
    return undefined
  }
}

const escapedInSet = (_: string, escaped: string | undefined, character = '') =>
  literal(escaped ?? character)

const literal = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`

/**
 * Returns whether git ignores a path whose parent folders it does not ignore. The last matching
 * rule of the deepest `.gitignore` decides. `files` are ordered from the top folder down.
 */
export function isIgnored(files: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules } of files.toReversed()) {
    if (!path.startsWith(folder)) continue
    const below = path.slice(folder.length)
    const name = below.slice(below.lastIndexOf('/') + 1)
    const rule = rules.findLast(
      ({ foldersOnly, isAnchored, expression }) =>
        (isFolder || !foldersOnly) && expression.test(isAnchored ? below : name),
    )
    if (rule) return !rule.isNegated
  }
  return false
}

/** Files that operating systems, editors and tools generate. */
export const generatedFiles = ignoreRules('', defaultIgnores)
