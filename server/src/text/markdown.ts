import { type CodeLines, fencesIn, type Range, rangesOf } from './fences.ts'
import { escapeEntities, foldText } from './letters.ts'

/** A text as a page shows it. */
export interface Reading {
  readonly text: string
  /** Where `text` differs from the source, in order. */
  readonly changes: readonly Change[]
  /** Offsets in `text` of fenced code blocks. */
  readonly code: readonly Range[]
  /** What a page hides: comments, attributes, titles and definitions. */
  readonly hidden: readonly string[]
}

/** An offset in a reading, and the number of line ends that were left out there. */
interface Change {
  readonly at: number
  readonly lines: number
}

/** Where the text is read in more detail. */
const mark = /[\\<[\]]|!\[|`+|[*~]+|_+|\n[ \t>]+|[ \t]{2,}/g
/** Markup that ends at a fixed text. The end of a comment may overlap its start, as in `<!-->`. */
const hiddenMarkup = [
  ['<!--', '-->', 2],
  ['<![cdata[', ']]>', 9],
  ['<?', '?>', 2],
] as const
const tag = /<[/!]?([a-z][a-z\d-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/y
const autolink = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/y
const separating =
  /^(?:br|p|div|li|[uod]l|d[td]|t[dhr]|table|h[1-6r]|section|article|header|footer|main|nav|aside|details|summary|blockquote|pre|figure|option)$/
const footnote = /\[\^[^\][\s]{1,200}\]:?/y
const definition =
  /\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:\n[ \t]*)?(?:<[^<>\n]*>|[^\s<]\S*)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*(?=\n|$)/y
const label = /\[((?:[^[\]\\]|\\.){0,999})\]/y
/** No blank fits two places of the pattern, which keeps the time linear. */
const targetEnd =
  /[ \t]*(?:\n[ \t]*)?(?:(?<=[ \t\n])(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))[ \t]*(?:\n[ \t]*)?)?\)/y
const angled = /[ \t\n]*<[^<>\n]*>/y
const blanks = /[^ \t\n]/g
const blankLine = /\n[ \t>]*\n/g
const maxLabel = 999
/** Nested parentheses in the target of a link, as in other renderers. */
const maxNested = 32

/** Matches a sticky pattern at an offset. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * Reads a markdown text in lower case as a page shows it. Resolves emphasis, escapes, links,
 * footnote marks, tags and comments within and between words, and removes indentation and marks of
 * quotes. Keeps other block markup and code. The time is linear for every text.
 */
export function readMarkdown(
  source: string,
  labels = labelsIn(source),
  codeLines: readonly CodeLines[] = fencesIn(source).map(({ lines }) => lines),
): Reading {
  const text = source.replace(/^[ \t>]+/, '')
  const parts: string[] = []
  /** Numbers of parts instead of offsets in the text. */
  const [changes, code]: [Change[], number[]] = [[], []]
  const hidden: string[] = []
  const brackets: { readonly part: number; readonly from: number; readonly blank: number }[] = []
  const closingTicks = createTickFinder(text)
  const fences = rangesOf(text, codeLines)
  const missing = new Set<string>()
  let [at, nextFence, blank] = [0, 0, -1]

  while (at < text.length) {
    const found = matchAt(mark, text, at)
    const [start = Infinity, end = 0] = fences[nextFence] ?? []
    const index = found?.index ?? text.length
    if (start <= index) {
      nextFence++
      if (end < at) continue
      code.push(parts.length)
      put(text.slice(at, end), end)
      continue
    }
    if (index > at) parts.push(text.slice(at, index))
    at = index
    if (found) read(found[0])
  }
  return { ...joined(parts, changes, code), hidden }

  function nextBlankLine(): number {
    if (blank < at) blank = matchAt(blankLine, text, at)?.index ?? text.length
    return blank
  }

  /** Leaves the text up to an offset out, and returns it. Reports words in it as hidden. */
  function skip(end: number, isHidden: boolean): number {
    const left = text.slice(at, end)
    changes.push({ at: parts.length, lines: left.split('\n').length - 1 })
    if (isHidden && /\s/.test(left)) hidden.push(left)
    at = end
    return at
  }

  /** Adds a part in place of the text up to an offset, and returns that offset. */
  function put(part: string, end: number): number {
    parts.push(part)
    at = end
    return at
  }

  function read(found: string): number {
    const end = at + found.length
    switch (found[0]) {
      case '\n':
        if (found.includes('>')) changes.push({ at: parts.length, lines: 0 })
        return put('\n', end)
      case '\\':
        if (!/[!-/:-@[-`{-~\n]/.test(text.charAt(end))) return put(found, end)
        skip(end, false)
        return put(text.charAt(end), end + 1)
      case '`':
        return readCode(found, end)
      case '*':
      case '~':
      case '_':
        return isEmphasis(found, end) ? skip(end, false) : put(found, end)
      case '<':
        return readTag(end)
      case ']':
        return closeBracket(end)
      case '[':
      case '!':
        return openBracket(found, end)
      default:
        return put(' ', end)
    }
  }

  function isEmphasis(found: string, end: number): boolean {
    const [before, after] = [text.charAt(at - 1), text.charAt(end)]
    if (before.trim() === '' && after.trim() === '') return false
    return !(found[0] === '_' && isLetter(before) && isLetter(after))
  }

  function readCode(ticks: string, end: number): number {
    const close = closingTicks(ticks.length, end)
    const limit = Math.min(nextBlankLine(), fences[nextFence]?.[0] ?? text.length)
    const to = close < limit ? close + ticks.length : end
    return put(text.slice(at, to), to)
  }

  function readTag(end: number): number {
    for (const [open, close, from] of hiddenMarkup) {
      if (!text.startsWith(open, at) || missing.has(close)) continue
      const to = text.indexOf(close, at + from)
      if (to >= 0) return skip(to + close.length, true)
      // Search for a missing end once per text, which keeps the time linear.
      missing.add(close)
    }
    const link = matchAt(autolink, text, at)
    if (link) {
      changes.push({ at: parts.length, lines: 0 })
      return put(link[1] ?? '', at + link[0].length)
    }
    const found = matchAt(tag, text, at)
    if (!found) return put('<', end)
    const isSeparating = separating.test(found[1] ?? '')
    skip(at + found[0].length, true)
    return put(isSeparating ? ' ' : '', at)
  }

  function openBracket(found: string, end: number): number {
    const start = end - 1
    const note = matchAt(footnote, text, start)
    if (note && found === '[') return skip(start + note[0].length, false)
    const isLineStart = at === 0 || text[at - 1] === '\n' || parts.at(-1) === '\n'
    const defined = isLineStart && matchAt(definition, text, start)
    if (defined) return skip(start + defined[0].length, true)
    brackets.push({ part: parts.length, from: end, blank: nextBlankLine() })
    return put(found, end)
  }

  function closeBracket(end: number): number {
    const open = brackets.pop()
    const linkEnd = open && at < open.blank ? findLinkEnd(open.from, end) : undefined
    if (!open || linkEnd === undefined) return put(']', end)
    parts[open.part] = ''
    changes.push({ at: open.part, lines: 0 })
    return skip(linkEnd, true)
  }

  /** Returns the end of a link whose text ends before `end`, or undefined. */
  function findLinkEnd(from: number, end: number): number | undefined {
    if (text[end] === '(') {
      const to = findTargetEnd(end + 1)
      if (to !== undefined) return to
    }
    const own = end - from > maxLabel ? '' : text.slice(from, end - 1)
    const found = text[end] === '[' ? matchAt(label, text, end) : null
    if (found && labels.has(labelOf(found[1] || own))) return end + found[0].length
    return labels.has(labelOf(own)) ? end : undefined
  }

  function findTargetEnd(start: number): number | undefined {
    const quoted = matchAt(angled, text, start)
    let [to, depth] = [start, 0]
    if (quoted) to += quoted[0].length
    else {
      for (to = matchAt(blanks, text, start)?.index ?? text.length; to < text.length; to++) {
        const sign = text.charCodeAt(to)
        if (sign <= 0x20) break
        if (sign === 0x5c) to++
        else if (sign === 0x28 && ++depth > maxNested) return undefined
        else if (sign === 0x29 && --depth < 0) break
      }
    }
    const found = matchAt(targetEnd, text, to)
    return found ? to + found[0].length : undefined
  }
}

const isLetter = (sign: string): boolean =>
  sign < '\u0080'
    ? (sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9') || (sign >= 'A' && sign <= 'Z')
    : /[\p{L}\p{N}]/u.test(sign)

const labelOf = (text: string) => text.replace(/\s+/g, ' ').trim()

const labelLine = /^[ \t>]*\[(?!\^)((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:\n[ \t]*)?\S/gm

/** Returns the labels of a text's link definitions, in folded letters. */
export const labelsIn = (text: string): ReadonlySet<string> =>
  new Set(
    text.includes(']:')
      ? Array.from(text.matchAll(labelLine), ([, name = '']) =>
          labelOf(foldText(escapeEntities(name))),
        )
      : [],
  )

/** Returns a function that finds the next run of `count` backticks. Call it with rising offsets. */
function createTickFinder(text: string) {
  const runs = new Map<number, number[]>()
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length)
    if (places) places.push(index)
    else runs.set(run.length, [index])
  }
  for (const places of runs.values()) places.reverse()
  return (count: number, from: number): number => {
    const places = runs.get(count) ?? []
    while ((places.at(-1) ?? text.length) < from) places.pop()
    return places.at(-1) ?? text.length
  }
}

function joined(parts: readonly string[], changes: readonly Change[], code: readonly number[]) {
  const offsets: number[] = []
  let length = 0
  for (const part of parts) {
    offsets.push(length)
    length += part.length
  }
  const offsetOf = (part: number) => offsets[part] ?? length
  return {
    text: parts.join(''),
    changes: changes
      .map(({ at, lines }) => ({ at: offsetOf(at), lines }))
      .sort((a, b) => a.at - b.at),
    code: code.map((part): Range => [offsetOf(part), offsetOf(part + 1)]),
  }
}
