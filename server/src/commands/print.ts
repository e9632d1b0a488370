/** Prints one JSON object on a line of standard output. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Prints a line of text on standard output. */
export const printLine = (text = ''): void => {
  process.stdout.write(`${text}\n`)
}

/** Prints rows as a table with columns as wide as their widest cell; numbers stand to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const lines = [head, ...rows].map((row) => row.map(String))
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
