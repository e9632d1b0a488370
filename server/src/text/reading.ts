import { type Fence, fencesIn } from './fences.ts'
import { escapeEntities, foldText } from './letters.ts'
import { type CodeLines, labelsIn, type Reading, readMarkdown } from './markdown.ts'

/** A part of a text, as it is written and as people see it. */
export interface TextPart {
  /** The source, with the escapes of front matter decoded. */
  readonly text: string
  readonly firstLine: number
  /** The source in folded letters. */
  readonly plain: string
  /** What a page shows. Undefined for code, which a page shows as it is. */
  readonly reading: Reading | undefined
}

/**
 * Reads a text in parts that take a few milliseconds each. Lint, removed texts and near-copies all
 * compare what this returns.
 */
export function* readParts(text: string, isCode = false): Generator<TextPart> {
  const decoded = isCode ? text : decodeFrontMatter(text)
  const labels = isCode ? undefined : labelsIn(decoded)
  const fences = isCode ? [] : fencesIn(decoded)
  let next = 0
  for (const part of partsOf(decoded)) {
    const plain = foldText(part.text)
    while ((fences[next]?.lines[1] ?? Infinity) < part.firstLine) next++
    const lines = linesFrom(fences, next, part)
    const escaped = isCode ? part.text : escapeEntities(part.text)
    const source = escaped === part.text ? plain : foldText(escaped)
    const reading = isCode ? undefined : readMarkdown(source, labels, lines)
    yield { ...part, plain, reading }
  }
}

/** Returns the lines of a part, from 0, that are in fences. */
function linesFrom(
  fences: readonly Fence[],
  from: number,
  { text, firstLine }: Pick<TextPart, 'text' | 'firstLine'>,
): CodeLines[] {
  const lastLine = firstLine + text.split('\n').length - 1
  const found: CodeLines[] = []
  for (let at = from; ; at++) {
    const lines = fences[at]?.lines
    if (!lines || lines[0] > lastLine) return found
    found.push([Math.max(lines[0] - firstLine, 0), lines[1] - firstLine])
  }
}

/** Characters per part. A part takes a few milliseconds to check. */
const partLength = 32 * 1024
/** Overlap of two parts, in characters, so that no match is split. */
const overlap = 2048

/** Splits a text into overlapping parts, at line ends if possible. */
function* partsOf(text: string): Generator<{ text: string; firstLine: number }> {
  let firstLine = 1
  let start = 0
  for (let end = partLength; end < text.length; end = start + partLength) {
    yield { text: text.slice(start, end), firstLine }
    const newline = text.lastIndexOf('\n', end - overlap)
    const next = newline > start ? newline + 1 : end - overlap
    firstLine += text.slice(start, next).split('\n').length - 1
    start = next
  }
  yield { text: text.slice(start), firstLine }
}

const frontMatter = /^\ufeff?---[ \t\r]*\n(?:[^\n]*\n)*?---[ \t\r]*(?:\n|$)/
/**
 * A double-quoted scalar of YAML, behind an indicator. The lookbehind comes after the quote, so that
 * blanks are read once.
 */
const scalar = /"(?<=(?:^|[-:?,[{]|[&!]\S{1,80}(?=\s))[ \t]*")(?:[^"\\]|\\[\s\S])*"/gm
const escaped =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|\r?\n[ \t]*(\S*)|([\s\S]))/g

/** Decodes the escapes of YAML front matter. The number of lines stays the same. */
const decodeFrontMatter = (text: string): string =>
  text.replace(frontMatter, (block) =>
    block.includes('\\') ? block.replace(scalar, decodeScalar) : block,
  )

const decodeScalar = (quoted: string): string =>
  quoted.replace(
    escaped,
    (_, two?: string, four?: string, eight?: string, next?: string, sign?: string) => {
      // The first word of a continuation line belongs to the line above.
      if (next !== undefined) return `${decodeScalar(next)}\n`
      if (sign !== undefined) return /[\s\w]/.test(sign) ? ' ' : sign
      const point = Number.parseInt(two ?? four ?? eight ?? '', 16)
      return point > 0x10ffff || point === 10 || point === 13 ? ' ' : String.fromCodePoint(point)
    },
  )
