/** A fenced code block. `info` is the text after the opening fence, such as `bash`. */
export interface Fence {
  readonly start: number
  readonly end: number
  readonly info: string
  /** Numbers of its first and last line, from 1. */
  readonly lines: readonly [first: number, last: number]
}

/** Whether a character may start the mark of a list item: `*`, `+`, `-` or a digit. */
const isMark = (code: number) =>
  code === 0x2a || code === 0x2b || code === 0x2d || (code >= 0x30 && code <= 0x39)

/** A block that is open at a line, and the quotes and the indentation that it is in. */
interface Open {
  readonly quotes: number
  readonly indent: number
  /** Indentation of the quotes themselves. */
  readonly lead: number
}
interface OpenFence extends Open {
  readonly mark: string
  readonly start: number
  readonly info: string
  readonly line: number
}
interface OpenHtml extends Open {
  /** Undefined for a blank line. */
  readonly end: RegExp | undefined
}

const listMark = /(?:[-*+]|\d{1,9}[.)])(?!\S)/y
const fence = /(`{3,}|~{3,})([^\n]*)/y
const names =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
/** Starts and ends of blocks of HTML (CommonMark §4.6), which contain no fences. */
const htmlBlocks = [
  [/<!--/y, /-->/],
  [/<\?/y, /\?>/],
  [/<!\[cdata\[/iy, /\]\]>/],
  [/<![a-z]/iy, />/],
  [/<(?:script|pre|style|textarea)(?=[\s>]|$)/iy, /<\/(?:script|pre|style|textarea)>/i],
  [new RegExp(`</?(?:${names})(?=\\s|/?>|$)`, 'iy'), undefined],
] as const
/** Any other tag starts a block if it is alone in its line, behind a blank line. */
const loneTag = /<\/?[a-z][a-z\d-]*(?:[^<>"'\n]|"[^"\n]*"|'[^'\n]*')*>[ \t\r]*(?=\n|$)/iy

/**
 * Returns the fenced code blocks of a text, in order. A block ends with its quote or list item. An
 * unclosed block extends to the end.
 */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  if (!text.includes('```') && !text.includes('~~~')) return fences
  let open: OpenFence | undefined
  let html: OpenHtml | undefined
  /** Indentation of the contents of the open list items. */
  let items: number[] = []
  let [isStart, isEmptyItem, lastQuotes, line] = [true, false, 0, 0]
  for (let [start, end] = [0, 0]; start <= text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    line++
    const within = open ?? html
    const base = within
      ? within.quotes > 0
        ? within.lead
        : within.indent
      : lastQuotes > 0
        ? 0
        : (items.at(-1) ?? 0)
    let first = prefixAt(start, 0, base, within?.quotes)
    const isBlank = first.at >= end || (text[first.at] === '\r' && first.at + 1 >= end)
    const isOutside =
      within &&
      (first.quotes < within.quotes ||
        (!isBlank && first.indent < within.indent) ||
        (first.lead < within.lead && within.quotes > 0))
    if (isOutside) {
      if (open) close(open, start - 1, line - 1)
      html = undefined
      isStart = true
      first = prefixAt(start, 0, 0)
    }
    const { quotes, indent, at } = first
    // A list item starts with at most one blank line.
    if (isBlank && isEmptyItem) items.pop()
    isEmptyItem = false
    if (open) {
      if (text[at] === open.mark[0] && indent - open.indent < 4) {
        const [, mark = '', info = ''] = matchAt(fence, at) ?? []
        if (mark.startsWith(open.mark) && info.trim() === '') close(open, end, line)
      }
    } else if (html) {
      if (html.end ? html.end.test(text.slice(start, end)) : isBlank) html = undefined
    } else if (!isBlank) {
      if (quotes !== lastQuotes) {
        items = []
        isStart ||= quotes > lastQuotes
      }
      while ((items.at(-1) ?? 0) > indent) items.pop()
      openIn(first, end)
    }
    lastQuotes = quotes
    const isIndented = isStart && indent >= 4 + (items.at(-1) ?? 0)
    isStart = isBlank || isEmptyItem || isIndented || within !== undefined || text[at] === '#'
  }
  if (open) close(open, text.length, line)
  return fences

  function close({ start, info, line: first }: OpenFence, end: number, last: number) {
    fences.push({ start, end, info, lines: [first, last] })
    open = undefined
  }

  function matchAt(pattern: RegExp, at: number) {
    pattern.lastIndex = at
    return pattern.exec(text)
  }

  /** Reads blanks and at most `most` marks of quotes. */
  function prefixAt(from: number, column: number, base: number, most = Infinity) {
    let [at, width, quotes, lead] = [from, 0, 0, 0]
    for (; ; at++) {
      const sign = text.charCodeAt(at)
      if (sign === 0x20) width++
      else if (sign === 0x09) width += 4 - ((column + width) % 4)
      else if (sign === 0x3e && quotes < most && width - (quotes > 0 ? 1 : base) < 4) {
        if (quotes++ === 0) lead = width
        width = column = 0
      } else break
    }
    // The blank behind a `>` belongs to it.
    return { quotes, indent: quotes > 0 ? Math.max(width - 1, 0) : width, lead, at }
  }

  /** Opens the list items of a line, then the block that starts in it. */
  function openIn(first: ReturnType<typeof prefixAt>, end: number) {
    let { quotes, indent: column, at } = first
    let lead = 0
    let item = items.at(-1) ?? 0
    while (column - item < 4) {
      const mark = isMark(text.charCodeAt(at)) ? matchAt(listMark, at)?.[0] : undefined
      if (mark === undefined) return openAt(at, end, { quotes, indent: item, lead })
      column += mark.length
      isStart = true
      const next = prefixAt(at + mark.length, column, column)
      at = next.at
      if (next.quotes > 0) {
        if (quotes === 0) lead = column + next.lead
        quotes += next.quotes
        items = []
        item = 0
        column = next.indent
      } else {
        item = column + (next.indent > 4 ? 1 : next.indent || 1)
        items.push(item)
        isEmptyItem = at >= end
        column += next.indent
      }
    }
  }

  function openAt(at: number, end: number, place: Open) {
    const sign = text[at]
    if (sign === '<') {
      const kind = htmlBlocks.find(([pattern]) => matchAt(pattern, at))
      if (!kind && !(isStart && matchAt(loneTag, at))) return
      // A comment may end in its first line, as in `<!-->`.
      if (!kind?.[1]?.test(text.slice(at + 2, end))) html = { ...place, end: kind?.[1] }
    } else if (sign === '`' || sign === '~') {
      const [, mark, info = ''] = matchAt(fence, at) ?? []
      if (mark && (sign === '~' || !info.includes('`')))
        open = { ...place, mark, start: at, info: info.trim(), line }
    }
  }
}

/** Finds the block around an offset by bisection. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | undefined {
  let [low, high] = [0, fences.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fences[middle]?.end ?? 0) < at) low = middle + 1
    else high = middle
  }
  const fence = fences[low]
  return fence && fence.start < at ? fence : undefined
}
