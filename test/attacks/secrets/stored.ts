import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestDatabase } from '../../support/databases.ts'
import { runOn } from '../../support/postgres.ts'

/** Returns everything that the database stores on disk, as text. */
export async function stored(database: TestDatabase): Promise<string> {
  if (database.engine === 'sqlite') {
    const directory = join(database.url.slice('file:'.length), '..')
    const names = await readdir(directory)
    expect(names.some((name) => name.endsWith('-wal'))).toBe(true)
    const files = await Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')))
    return files.join('\n')
  }
  const tables = await runOn(
    database.url,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const rows = tables.map(({ name }) =>
    runOn(database.url, `select t::text as row from "${name}" t`),
  )
  return JSON.stringify(await Promise.all(rows))
}
