import { LRUCache } from 'lru-cache'

/** Maximum number of statement texts whose uses are counted. */
const maxCounted = 1_000
/** Maximum number of prepared statements per connection. */
const maxNamed = 400
const usesBeforePreparing = 5

const uses = new LRUCache<string, { count: number }>({ max: maxCounted })
const names = new Map<string, string>()

/**
 * Returns the name of a prepared statement, or undefined for a rarely used one. Planning a join of
 * three tables takes several times as long as running it.
 */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= maxNamed) return known
  const use = uses.get(sql) ?? { count: 0 }
  use.count++
  uses.set(sql, use)
  if (use.count < usesBeforePreparing) return undefined
  const name = `skillpass_${names.size}`
  names.set(sql, name)
  uses.delete(sql)
  return name
}
