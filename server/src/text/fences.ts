import MarkdownIt from 'markdown-it'

/** The first and the last line of a fenced code block, from 0. */
export type CodeLines = readonly [first: number, last: number]

/** Start and end of a part of a text. */
export type Range = readonly [start: number, end: number]

/** A fenced code block. `info` is the text after the opening fence, such as `bash`. */
export interface Fence {
  readonly lines: CodeLines
  readonly info: string
}

/** The preset nests at most 20 blocks and has no tables, whose cells take quadratic time. */
const markdown = new MarkdownIt('commonmark').disable(['normalize', 'inline', 'text_join'])

/** The text behind these is read as prose. The time grows with lines times nesting. */
const [maxLines, maxLength] = [5000, 256 * 1024]

/** Returns the fenced code blocks of a text, in order. An unclosed block extends to the end. */
export function fencesIn(text: string): Fence[] {
  if (!text.includes('```') && !text.includes('~~~')) return []
  let end = 0
  for (let line = 0; line < maxLines && end >= 0; line++) end = text.indexOf('\n', end + 1)
  const start = text.slice(0, end < 0 ? maxLength : Math.min(end, maxLength))
  return markdown
    .parse(start.replaceAll('\r', ' '), {})
    .flatMap(({ type, map, info }) =>
      type === 'fence' && map ? [{ lines: [map[0], map[1] - 1], info: info.trim() }] : [],
    )
}

/** Returns the offsets of ranges of lines, which are in order. */
export function rangesOf(text: string, ranges: readonly CodeLines[]): Range[] {
  let [line, start] = [0, 0]
  const startOf = (wanted: number): number => {
    for (; line < wanted && start < text.length; line++) {
      const newline = text.indexOf('\n', start)
      start = newline < 0 ? text.length : newline + 1
    }
    return start
  }
  return ranges.map(([first, last]) => {
    const from = startOf(first)
    const to = startOf(last + 1)
    return [from, text[to - 1] === '\n' ? to - 1 : to]
  })
}

/** Returns whether an offset is within a range. */
export const isWithin = ([start, end]: Range, at: number): boolean => start <= at && at <= end
