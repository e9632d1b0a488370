import { visibleJson, visibleLine, visibleText, wrapped } from '@skillpass/contract'
import { isoTime } from '../../../runtime/time.ts'
import { currentRun } from './terminal.ts'

/** Escapes control characters if the stream is a terminal, which would obey them. */
const escapeFor = (stream: { isTTY?: boolean }, text: string): string =>
  stream.isTTY && !currentRun().isRaw ? visibleText(text) : text

const wrapFor = (stream: { isTTY?: boolean }, text: string): string =>
  wrapped(escapeFor(stream, text), currentRun().env.COLUMNS)

/**
 * Escapes control characters and line breaks of a part of a line, such as a file name, on a
 * terminal.
 */
export function escapeLine(text: string): string {
  const { stdout, isRaw } = currentRun()
  return stdout.isTTY && !isRaw ? visibleLine(text) : text
}

export function printResult(result: object, ...lines: readonly string[]): void {
  const { isJson, stdout, notes } = currentRun()
  if (isJson) stdout.write(`${visibleJson(result)}\n`)
  else for (const line of lines) stdout.write(`${wrapFor(stdout, line)}\n`)
  for (const note of notes.splice(0)) printError(note)
}

export function printError(text: string): void {
  const { stderr } = currentRun()
  stderr.write(wrapFor(stderr, text))
}

/** With `--json`, waits for the result, since stderr has only the error if there is one. */
export function printWarning(sentence: string): void {
  const { isJson, notes } = currentRun()
  if (isJson) notes.push(`warning: ${sentence}\n`)
  else printError(`warning: ${sentence}\n`)
}

/**
 * Formats times in ms, in fields such as `at` and `createdAt`, as ISO 8601. Returns other values
 * unchanged.
 */
export const formatField = (name: string, value: unknown): unknown =>
  typeof value === 'number' && /^at$|At$/.test(name) ? isoTime(value) : value

export const withIsoTimes = (result: object): object =>
  JSON.parse(JSON.stringify(result, formatField))

/** Formats a field name as words: `hiddenSkills` as `hidden skills`. */
export const humanize = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('api', 'API')

const cellOf = (cell: unknown): string =>
  escapeLine(Array.isArray(cell) ? cell.join(' ') : String(cell ?? '-'))

/** Returns the lines of a table. Numbers are aligned to the right. */
export function tableOf(headings: readonly string[], rows: readonly (readonly unknown[])[]) {
  const lines = [headings, ...rows].map((row) => row.map(cellOf))
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const isNumber = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  return lines.map((line) =>
    line
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
