import SqliteConnection from 'better-sqlite3'

/** Returns SQLite's integrity check of a file, `ok` if it is intact. Always `ok` for Postgres. */
export function checkIntegrity(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file:')) return 'ok'
  const db = new SqliteConnection(databaseUrl.slice('file:'.length), { readonly: true })
  try {
    const keys = db.pragma('foreign_key_check') as unknown[]
    if (keys.length > 0) return `${keys.length} rows point nowhere`
    return String(db.pragma('integrity_check', { simple: true }))
  } finally {
    db.close()
  }
}
