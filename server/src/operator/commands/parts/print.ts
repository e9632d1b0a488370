import { shownJson, shownLine, shownText } from '@skillpass/contract'

/** Whether control characters go to a screen, which obeys them, as they are. */
let isRaw = false

/** Lets control characters through to the screen from now on. */
export const printRaw = (): void => {
  isRaw = true
}

/** On a screen, what could steer it is written out; a pipe or a file gets every text as it is. */
const fitFor = (stream: { isTTY?: boolean }, text: string): string =>
  stream.isTTY && !isRaw ? shownText(text) : text

/** A part of a line, such as the name of a file, which on a screen cannot begin another line either. */
export const partOfLine = (text: string): string =>
  process.stdout.isTTY && !isRaw ? shownLine(text) : text

/** Prints one JSON object on a line of standard output. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${shownJson(value)}\n`)
}

/** Prints text on standard output. */
export const printLine = (text = ''): void => {
  process.stdout.write(`${fitFor(process.stdout, text)}\n`)
}

/** Prints text on standard error. */
export const printError = (text: string): void => {
  process.stderr.write(fitFor(process.stderr, text))
}

/** Prints rows as a table with columns as wide as their widest cell; numbers stand to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const lines = [head, ...rows].map((row) => row.map((cell) => partOfLine(String(cell))))
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    )
    printLine(cells.join('  ').trimEnd())
  }
}
