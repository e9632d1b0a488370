/** What stands in brackets by name (wildmatch of git, POSIX), ASCII alone. */
const named = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['blank', ' \\t'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['space', '\\s'],
  ['upper', 'A-Z'],
  ['xdigit', '0-9A-Fa-f'],
])

/**
 * A pattern of a `.gitignore` as an expression for a whole path, as git's wildmatch reads it: `*` and `?`
 * stop at a slash, `**` between slashes does not. Undefined where the pattern can match nothing.
 */
export function globExpression(pattern: string): RegExp | undefined {
  let source = ''
  for (let at = 0; at < pattern.length; ) {
    const character = pattern.charAt(at)
    if (character === '*') {
      const [stars] = /^\*+/.exec(pattern.slice(at)) ?? ['*']
      const end = at + stars.length
      const isAlone = (at === 0 || pattern[at - 1] === '/') && /^(\/|$)/.test(pattern.slice(end))
      const spans = stars.length > 1 && isAlone
      source += !spans ? '[^/]*' : end === pattern.length ? '.*' : '(?:.*/)?'
      at = spans ? end + 1 : end
    } else if (character === '?') {
      source += '[^/]'
      at++
    } else if (character === '[') {
      const brackets = bracketsAt(pattern, at)
      if (!brackets) return undefined
      source += brackets.source
      at = brackets.end
    } else {
      if (character === '\\') at++
      const literal = pattern.codePointAt(at)
      if (literal === undefined) return undefined
      source += escaped(literal)
      at += String.fromCodePoint(literal).length
    }
  }
  return new RegExp(`^${source}$`, 'su')
}

const escaped = (point: number) => `\\u{${point.toString(16)}}`

/** `[a-z]`, `[!x]`, `[[:digit:]]`: the expression, and where the pattern goes on. */
function bracketsAt(pattern: string, start: number): { source: string; end: number } | undefined {
  const isNegated = /^[!^]/.test(pattern.slice(start + 1))
  const first = start + (isNegated ? 2 : 1)
  let inside = ''
  let at = first
  /** The character here, or the one behind a backslash. */
  const take = () => {
    if (pattern[at] === '\\') at++
    const point = pattern.codePointAt(at)
    if (point !== undefined) at += String.fromCodePoint(point).length
    return point
  }
  while (at === first || pattern[at] !== ']') {
    const [name, word = ''] = /^\[:([^\]]*):\]/.exec(pattern.slice(at)) ?? []
    if (name !== undefined) {
      const range = named.get(word)
      if (range === undefined) return undefined
      inside += range
      at += name.length
      continue
    }
    const from = take()
    if (from === undefined) return undefined
    if (pattern[at] !== '-' || pattern[at + 1] === ']' || at + 1 >= pattern.length) {
      inside += escaped(from)
      continue
    }
    at++
    const to = take()
    if (to === undefined) return undefined
    if (from <= to) inside += `${escaped(from)}-${escaped(to)}`
  }
  return { source: `(?!/)[${isNegated ? '^' : ''}${inside}]`, end: at + 1 }
}
