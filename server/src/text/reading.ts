import { fencesIn, type Range, rangesOf } from './fences.ts'
import { escapeEntities, foldText } from './letters.ts'
import { labelsIn, type Reading, readMarkdown } from './markdown.ts'

/** A part of a text, as it is written and as people see it. */
export interface TextPart {
  /** The source, with the escapes of front matter decoded. */
  readonly text: string
  readonly firstLine: number
  /** The source in folded letters. */
  readonly plain: string
  /** Offsets in `plain` of code, which a page shows as it is. */
  readonly code: readonly Range[]
  /** What a page shows. Undefined for code. */
  readonly reading: Reading | undefined
}

/**
 * Reads a text in parts that take a few milliseconds each. Lint, removed texts and near-copies all
 * compare what this returns.
 */
export function* readParts(text: string, isCode = false): Generator<TextPart> {
  const decoded = isCode ? text : decodeFrontMatter(text)
  const [labels, fences] = isCode ? [] : [labelsIn(decoded), fencesIn(decoded)]
  for (const part of partsOf(decoded)) {
    const plain = foldText(part.text)
    if (!fences) {
      yield { ...part, plain, code: [[0, plain.length]], reading: undefined }
      continue
    }
    const line = part.firstLine - 1
    const lines = fences
      .filter((fence) => fence.lines[1] >= line)
      .map(({ lines: [first, last] }) => [Math.max(first - line, 0), last - line] as const)
    const escaped = escapeEntities(part.text)
    const source = escaped === part.text ? plain : foldText(escaped)
    const reading = readMarkdown(source, labels, lines)
    yield { ...part, plain, code: rangesOf(plain, lines), reading }
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
