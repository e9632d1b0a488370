import { LRUCache } from 'lru-cache'

/** Texts of statements that are counted; lists of many lengths come and go. */
const counted = 1_000
/** Most statements that a connection keeps prepared. */
const mostNamed = 400
/** What is sent so often is prepared. */
const often = 5

const uses = new LRUCache<string, { count: number }>({ max: counted })
const names = new Map<string, string>()

/**
 * The name under which a connection to Postgres keeps a statement prepared; none for what is rarely sent.
 * Planning one that joins three tables costs several times as much as running it.
 */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= mostNamed) return known
  const use = uses.get(sql) ?? { count: 0 }
  use.count++
  uses.set(sql, use)
  if (use.count < often) return undefined
  const name = `skillpass_${names.size}`
  names.set(sql, name)
  uses.delete(sql)
  return name
}
