import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './handle.ts'

/** What a query may be given: one value each; a list needs a query of its own length. */
type Values = Readonly<Record<string, string | number | null>>

/**
 * Builds and compiles a query once and gives a function that runs it with other values and gives
 * its rows. For hot paths: building and compiling costs more than SQLite needs to answer.
 *
 * @example
 * const skillById = prepared((db, { id }: { id: string }) =>
 *   db.selectFrom('skills').selectAll().where('id', '=', id),
 * )
 * const [skill] = await skillById(db, { id })
 *
 * `build` sees a stand-in for each value, so its shape must not depend on what they are.
 */
export function prepared<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const names = new Map<unknown, string>()
  const standIns = new Proxy({} as V, {
    get: (_, name) => {
      const standIn = Symbol(String(name))
      names.set(standIn, String(name))
      return standIn
    },
  })
  // One compilation per dialect; all handles of a dialect share their adapter.
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  return async (db, values) => {
    const executor = db.getExecutor()
    let query = compiled.get(executor.adapter)
    if (!query) {
      query = build(db, standIns).compile()
      compiled.set(executor.adapter, query)
    }
    const parameters = query.parameters.map((parameter) => {
      const name = names.get(parameter)
      return name === undefined ? parameter : values[name]
    })
    const { rows } = await executor.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

/** Like `prepared`, for a query of at most one row: gives the row, or nothing. */
export function preparedFirst<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row | undefined> {
  const run = prepared(build)
  return async (db, values) => (await run(db, values))[0]
}
