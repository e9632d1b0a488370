import { LRUCache } from 'lru-cache'

/** Number of statement texts to count. Statements with lists of different lengths are rarely repeated. */
const counted = 1_000
/** Maximum number of prepared statements per connection. */
const mostNamed = 400
/** A statement is prepared after this many uses. */
const often = 5

const uses = new LRUCache<string, { count: number }>({ max: counted })
const names = new Map<string, string>()

/**
 * Returns the name of a prepared statement, or undefined for a rarely used one. Planning a join of three
 * tables takes several times as long as running it.
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
