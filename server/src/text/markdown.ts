import { type CodeLines, fencesIn, type Range, rangesOf } from './fences.ts'
import { escapeEntities, foldText } from './letters.ts'

/** A text as a page shows it. */
export interface Reading {
  readonly text: string
  /** Where `text` differs from the source, in order. */
  readonly changes: readonly Change[]
  /** Offsets in `text` of fenced code blocks. */
  readonly code: readonly Range[]
  /** What a page hides, in order. */
  readonly hidden: readonly Hidden[]
}

/** A text that a page hides, and the offset in the reading where it was left out. */
export interface Hidden {
  readonly kind:
    | 'a comment'
    | 'an attribute'
    | 'a hidden element'
    | 'a link'
    | 'an image'
    | 'a link definition'
  readonly text: string
  readonly at: number
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
/** The lookaheads match a name, and a run without quotes, once, which keeps the time linear. */
const tag = /<[/!]?([a-z][a-z\d-]*)(?![a-z\d-])((?:"[^"]*"|'[^']*'|(?=([^<>"']+))\3)*)>/y
const autolink = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/y
const separating =
  /^(?:br|p|div|li|[uod]l|d[td]|t[dhr]|table|h[1-6r]|section|article|header|footer|main|nav|aside|details|summary|blockquote|pre|figure|option)$/
const footnote = /\[\^[^\][\s]{1,200}\]:?/y
/** Groups: label, target in angle brackets, and the title in one of three forms. */
const definition =
  /\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:\n[ \t]*)?(?:<([^<>\n]*)>|[^\s<]\S*)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(?:"((?:[^"\\]|\\.){0,4000})"|'((?:[^'\\]|\\.){0,4000})'|\(((?:[^()\\]|\\.){0,4000})\)))?[ \t]*(?=\n|$)/y
const label = /\[((?:[^[\]\\]|\\.){0,999})\]/y
/** The groups are titles. No blank fits two places of the pattern, which keeps the time linear. */
const targetEnd =
  /[ \t]*(?:\n[ \t]*)?(?:(?<=[ \t\n])(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\))[ \t]*(?:\n[ \t]*)?)?\)/y
const angled = /[ \t\n]*<([^<>\n]*)>/y
/** Marks of quotes and list items at the start of a line. */
const blockMarks = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*$/
/** An attribute with a value, or at least four words without one. */
const attribute =
  /([^\s"'=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|[^\s"'<>]+)|(?:[^\s"'=<>/]+\s+){3,}[^\s"'=<>/]+(?!\s*=)/g
/** Elements whose content a browser does not show. */
const hidingElement = /^(?:template|script|style|noscript|datalist|title|desc|dialog|metadata)$/
const hidingAttribute =
  /(?:^|\s)hidden(?=[\s=/]|$)|(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*[01](?![\d.]*[2-9%e])|opacity\s*:\s*0(?![.\d])|color\s*[:=]\s*["']?(?:#fff(?:fff)?(?:ff)?\b|white\b|transparent\b|rgba?\(\s*255\D{1,9}255\D{1,9}255)|(?:left|top|text-indent)\s*:\s*-\d{3})/
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
  const hidden: Hidden[] = []
  const brackets: { readonly part: number; readonly from: number; readonly blank: number }[] = []
  const closingTicks = createTickFinder(text)
  const fences = rangesOf(text, codeLines)
  const missing = new Set<string>()
  let [at, nextFence, blank, newline] = [0, 0, -1, -1]

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
  return joined(parts, changes, code, hidden)

  function nextBlankLine(): number {
    if (blank < at) blank = matchAt(blankLine, text, at)?.index ?? text.length
    return blank
  }

  /** Leaves the text up to an offset out, and returns that offset. */
  function skip(end: number): number {
    changes.push({ at: parts.length, lines: text.slice(at, end).split('\n').length - 1 })
    at = end
    return at
  }

  /** Reports a text of several words as hidden. */
  function hide(kind: Hidden['kind'], words: string): void {
    if (/\S\s+\S/.test(words)) hidden.push({ kind, text: words, at: parts.length })
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
        skip(end)
        return put(text.charAt(end), end + 1)
      case '`':
        return readCode(found, end)
      case '*':
      case '~':
      case '_':
        return isEmphasis(found, end) ? skip(end) : put(found, end)
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
    if (newline < at) newline = text.indexOf('\n', at)
    // A span over several lines is read as text, because a block may end in it.
    const limit = Math.min(newline < 0 ? text.length : newline, fences[nextFence]?.[0] ?? Infinity)
    if (close >= limit) return put(ticks, end)
    const to = close + ticks.length
    if (!isLetter(text.charAt(at - 1)) && !isLetter(text.charAt(to)))
      return put(text.slice(at, to), to)
    // A part of a word, as in "ig`no`re".
    skip(end)
    put(text.slice(end, close), close)
    return skip(to)
  }

  function readTag(end: number): number {
    for (const [open, close, from] of hiddenMarkup) {
      if (!text.startsWith(open, at) || missing.has(close)) continue
      const to = text.indexOf(close, at + from)
      if (to >= 0) {
        hide('a comment', text.slice(at + open.length, to))
        return skip(to + close.length)
      }
      // An unclosed comment extends to the end (CommonMark §4.6).
      if (open === '<!--') hide('a comment', text.slice(end))
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
    const [whole, name = '', attributes = ''] = found
    for (const [words, key = '', one, two] of attributes.matchAll(attribute))
      if (!key.startsWith('on')) hide('an attribute', key === '' ? words : (one ?? two ?? ''))
    const close = at + whole.length
    const style = attributes.replace(/\/\*.*?\*\//g, '')
    const isHiding = text[end] !== '/' && (hidingElement.test(name) || hidingAttribute.test(style))
    skip(isHiding ? hideElement(name, close) : close)
    return put(separating.test(name) ? ' ' : '', at)
  }

  /**
   * Reports the content of a hidden element. Returns its end, or its start if it has no end tag.
   */
  function hideElement(name: string, start: number): number {
    const tags = new RegExp(`<(/?)${name}(?![a-z\\d-])`, 'g')
    tags.lastIndex = start
    let depth = 1
    for (let found = missing.has(name) ? null : tags.exec(text); found; found = tags.exec(text)) {
      depth += found[1] === '' ? 1 : -1
      if (depth > 0) continue
      hide('a hidden element', text.slice(start, found.index))
      return found.index
    }
    missing.add(name)
    const next = text.indexOf('<', start)
    const isPlaceholder = /^(?:title|desc|dialog|metadata)$/.test(name)
    if (!isPlaceholder) hide('a hidden element', text.slice(start, next < 0 ? text.length : next))
    return start
  }

  function openBracket(found: string, end: number): number {
    const start = end - 1
    const note = matchAt(footnote, text, start)
    if (note && found === '[') return skip(start + note[0].length)
    const before = text.slice(Math.max(0, at - 40), at)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const defined = line.length < 40 && blockMarks.test(line) && matchAt(definition, text, start)
    if (defined) {
      for (const words of defined.slice(1)) hide('a link definition', words ?? '')
      return skip(start + defined[0].length)
    }
    brackets.push({ part: parts.length, from: end, blank: nextBlankLine() })
    return put(found, end)
  }

  function closeBracket(end: number): number {
    const open = brackets.pop()
    const linkEnd = open && at < open.blank ? findLinkEnd(open.from, end) : undefined
    if (!open || linkEnd === undefined) return put(']', end)
    if (parts[open.part] === '![') hide('an image', text.slice(open.from, at))
    parts[open.part] = ''
    changes.push({ at: open.part, lines: 0 })
    return skip(linkEnd)
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
    if (!found) return undefined
    for (const words of [quoted?.[1], ...found.slice(1)]) hide('a link', words ?? '')
    return to + found[0].length
  }
}

const isLetter = (sign: string): boolean =>
  sign < '\u0080'
    ? (sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9') || (sign >= 'A' && sign <= 'Z')
    : /[\p{L}\p{N}]/u.test(sign)

const labelOf = (text: string) => text.replace(/\s+/g, ' ').trim()

const labelLine =
  /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,20}\[(?!\^)((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:\n[ \t]*)?\S/gm

/** Most link definitions of a text. Links to others are read as they are written. */
const maxLabels = 5000

/** Returns the labels of a text's link definitions, in folded letters. */
export function labelsIn(text: string): ReadonlySet<string> {
  const labels = new Set<string>()
  if (!text.includes(']:')) return labels
  let count = 0
  for (const [, name = ''] of text.matchAll(labelLine)) {
    labels.add(labelOf(foldText(escapeEntities(name))))
    if (++count === maxLabels) break
  }
  return labels
}

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

/** Joins parts, and replaces their numbers by offsets. */
function joined(
  parts: readonly string[],
  changes: readonly Change[],
  code: readonly number[],
  hidden: readonly Hidden[],
): Reading {
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
    hidden: hidden.map((each) => ({ ...each, at: offsetOf(each.at) })),
  }
}
