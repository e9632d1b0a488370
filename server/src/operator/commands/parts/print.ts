import { tableLines, terminalText, visibleJson, visibleLine } from '@skillpass/contract'
import { isoTime } from '../../../runtime/time.ts'
import { currentRun } from './terminal.ts'

const shownOn = (stream: { isTTY?: boolean; columns?: number }, text: string): string => {
  const { env, isRaw, progress } = currentRun()
  progress.clear()
  const columns = env.COLUMNS ?? stream.columns?.toString()
  return terminalText(text, {
    env: { ...env, COLUMNS: columns },
    isScreen: stream.isTTY ?? false,
    isRaw,
  })
}

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
  else for (const line of lines) stdout.write(`${shownOn(stdout, line)}\n`)
  for (const note of notes.splice(0)) printError(note)
}

export function printError(text: string): void {
  const { stderr } = currentRun()
  stderr.write(shownOn(stderr, text))
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

/** Formats a field for a table: times to the minute. */
export function formatCell(name: string, value: unknown): unknown {
  const field = formatField(name, value)
  return field === value ? value : String(field).slice(0, 16).replace('T', ' ')
}

/** Returns the lines of a table, as wide as the terminal or `COLUMNS` unless `isWhole`. */
export function tableOf(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  isWhole = true,
): string[] {
  const { env, stdout } = currentRun()
  const columns = Number(env.COLUMNS ?? (stdout.isTTY ? stdout.columns : 0)) || undefined
  const cells = rows.map((row) => row.map(cellOf))
  return tableLines(headings, cells, isWhole ? undefined : columns)
}
