/** Prints a title and an aligned table. Numbers are rounded to two decimal places. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const text = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? String(Math.round(cell * 100) / 100) : cell)),
  )
  const widths = head.map((name, column) =>
    Math.max(name.length, ...text.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  console.log(`\n${title}\n${line(head)}`)
  for (const row of text) console.log(line(row))
}
