import { visit } from 'yaml'
import { type Fence, fencesIn, type Range, rangesOf } from './fences.ts'
import { isTooMuchToParse, parseSoundYaml, splitFrontmatter } from './frontmatter.ts'
import { escapeEntities, foldText } from './letters.ts'
import { labelsIn, type Reading, readMarkdown } from './markdown.ts'

/** A part of a text, as it is written and as people see it. */
export interface TextPart {
  /** The source, with the quoted values of front matter decoded. */
  readonly text: string
  readonly firstLine: number
  /** The source in folded letters, with the escapes of code decoded. */
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
export function* readParts(
  text: string,
  isCode = false,
  fences: readonly Fence[] | undefined = isCode ? undefined : fencesIn(text),
): Generator<TextPart> {
  const decoded = isCode ? text : decodeFrontMatter(text)
  const labels = isCode ? undefined : labelsIn(decoded)
  for (const part of partsOf(decoded)) {
    const plain = foldText(fences ? part.text : decodeCode(part.text))
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

/** Decodes the quoted values of YAML front matter. The number of lines stays the same. */
function decodeFrontMatter(text: string): string {
  const block = splitFrontmatter(text)
  if (!block || !/\\|''/.test(block.yaml)) return text
  const { yaml, yamlOffset } = block
  const doc = isTooMuchToParse(yaml) ? undefined : parseSoundYaml(yaml, 'failsafe')
  if (!doc) {
    const start = decodeCode(text.slice(0, partLength)).replace(/\\(?=\r?\n)/g, '')
    return start + text.slice(partLength)
  }
  const parts: string[] = []
  let at = 0
  visit(doc, {
    Scalar(_, { type, range, value }) {
      if (!range || !type?.startsWith('QUOTE')) return
      const [start, end] = range
      const lines = yaml.slice(start, end).split('\n').length - 1
      parts.push(yaml.slice(at, start), `${value}`.replace(/\s+/g, ' '), '\n'.repeat(lines))
      at = end
    },
  })
  return `${text.slice(0, yamlOffset)}${parts.join('')}${text.slice(yamlOffset + at)}`
}

const codeEscape = /\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|[nrt])/gi

/** Decodes the escapes of strings in code and data. The number of lines stays the same. */
const decodeCode = (text: string): string =>
  text.includes('\\')
    ? text.replace(codeEscape, (_, four?: string, braced?: string, two?: string) => {
        const point = Number.parseInt(four ?? braced ?? two ?? '20', 16)
        return point < 32 || point > 0x10ffff ? ' ' : String.fromCodePoint(point)
      })
    : text
