import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db } from './handle.ts'

/** Parameters of a prepared query, without lists, whose length would change the query. */
type Values = Readonly<Record<string, string | number | null>>

/**
 * Builds and compiles a query once. Returns a function that runs it with values and returns the rows. Use
 * it on hot paths, where building and compiling takes longer than SQLite.
 *
 * @example
 * const skillById = prepared((db, { id }: { id: string }) =>
 *   db.selectFrom('skills').selectAll().where('id', '=', id),
 * )
 * const [skill] = await skillById(db, { id })
 *
 * `build` receives placeholders, so the query must not depend on the values.
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
  // Compile once per dialect. All handles of a dialect share their adapter.
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

/** Like `prepared`, for a query of at most one row. Returns the row or undefined. */
export function preparedFirst<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row | undefined> {
  const run = prepared(build)
  return async (db, values) => (await run(db, values))[0]
}
