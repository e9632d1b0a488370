/** One line of a `.gitignore`. */
interface Rule {
  readonly isNegated: boolean
  readonly foldersOnly: boolean
  /** Whether it is held against the path below the file's folder, or against the last name alone. */
  readonly isAnchored: boolean
  readonly expression: RegExp
}

/** The rules of one file. They hold below its folder. */
export interface IgnoreRules {
  /** Path of the folder as paths are told, with a slash at its end; empty for the topmost. */
  readonly folder: string
  readonly rules: readonly Rule[]
}

/** Reads a `.gitignore` (gitignore(5)). */
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

/** Spaces at the end go, unless a backslash keeps them. */
function withoutSpaces(line: string): string {
  const [kept = ''] = /^(?:\\.|[^\\ ]|\\$| +(?=[^ ]))*/s.exec(line) ?? []
  return kept
}

/** What a pattern is made of: `\x`, `[a-z]`, `**` between slashes, other stars, `?`, or a character. */
const part =
  /\\(?<kept>.)|\[(?<not>[!^]?)(?<set>\]?(?:\\.|[^\]\\])*)\]|(?<=^|\/)\*{2,}(?<end>\/|$)|(?<stars>\*+)|(?<one>\?)|(?<char>[^\\[])|(?<odd>.)/gsu

/**
 * A pattern as an expression for a whole path: `*` and `?` stop at a slash, `**` between slashes does not.
 * Undefined where the pattern can match nothing. Classes such as `[[:digit:]]` mean nothing here, as in an import.
 */
function globExpression(pattern: string): RegExp | undefined {
  const parts = Array.from(pattern.matchAll(part), ({ groups = {} }) => {
    const { kept, not, set, end, stars, one, char = '', odd } = groups
    if (odd !== undefined) return undefined
    if (set !== undefined) return `(?!/)[${not && '^'}${set.replace(/\\(.)|([^-])/gsu, inSet)}]`
    if (end !== undefined) return end === '' ? '.*' : '(?:.*/)?'
    return stars ? '[^/]*' : one ? '[^/]' : literal(kept ?? char)
  })
  try {
    return parts.includes(undefined) ? undefined : new RegExp(`^${parts.join('')}$`, 'su')
  } catch {
    return undefined
  }
}

const inSet = (_: string, kept: string | undefined, character = '') => literal(kept ?? character)

const literal = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`

/**
 * Whether git would ignore a path whose folders it does not: the last rule that fits decides, and a file
 * further down outweighs those above. `files` stand from the topmost down.
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
