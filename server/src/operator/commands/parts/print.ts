import { shownJson, shownLine, shownText } from '@skillpass/contract'
import { isoTime } from '../../../runtime/time.ts'

/** How this run prints, from the options that every command takes. */
export const output = {
  /** Whether results and errors are JSON objects. */
  isJson: false,
  /** Whether control characters go to a screen, which obeys them, as they are. */
  isRaw: false,
}

/** On a screen, what could steer it is written out; a pipe or a file gets every text as it is. */
const fitFor = (stream: { isTTY?: boolean }, text: string): string =>
  stream.isTTY && !output.isRaw ? shownText(text) : text

/** A part of a line, such as the name of a file, which on a screen cannot begin another line either. */
export const partOfLine = (text: string): string =>
  process.stdout.isTTY && !output.isRaw ? shownLine(text) : text

/** Prints what came of a command: an object for `--json`, lines for people. */
export function answer(result: object, ...lines: readonly string[]): void {
  if (output.isJson) process.stdout.write(`${shownJson(result)}\n`)
  else for (const line of lines) process.stdout.write(`${fitFor(process.stdout, line)}\n`)
}

/** Prints text on standard error. */
export const printError = (text: string): void => {
  process.stderr.write(fitFor(process.stderr, text))
}

/** The value of a field: times, ms in fields such as `at` and `createdAt`, in ISO 8601. */
export const shownField = (name: string, value: unknown): unknown =>
  typeof value === 'number' && /^at$|At$/.test(name) ? isoTime(value) : value

/** A result for JSON, with its times in ISO 8601. */
export const withTimes = (result: object): object => JSON.parse(JSON.stringify(result, shownField))

/** `hiddenSkills` as people write it. */
export const words = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace('api', 'API')

const cellOf = (cell: unknown): string =>
  partOfLine(Array.isArray(cell) ? cell.join(' ') : String(cell ?? '-'))

/** The lines of a table with columns as wide as their widest cell; numbers stand to the right. */
export function tableOf(head: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const lines = [head, ...rows].map((row) => row.map(cellOf))
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  return lines.map((line) =>
    line
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
