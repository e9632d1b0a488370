import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import type { TestDatabase } from '../../support/databases.ts'

/** Everything that the database keeps on disk, as text. */
export async function stored(database: TestDatabase): Promise<string> {
  if (database.engine === 'sqlite') {
    const directory = join(database.url.slice('file:'.length), '..')
    const names = await readdir(directory)
    expect(names.some((name) => name.endsWith('-wal'))).toBe(true)
    const files = await Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')))
    return files.join('\n')
  }
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    let text = ''
    for (const { name } of rows) {
      const table = await client.query(`select t::text as row from "${name}" t`)
      text += JSON.stringify(table.rows)
    }
    return text
  } finally {
    await client.end()
  }
}
