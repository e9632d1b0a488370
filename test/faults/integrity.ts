import SqliteConnection from 'better-sqlite3'

/** SQLite's own word on a file, `ok` when it is whole; Postgres looks after itself. */
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
