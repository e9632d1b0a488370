/** The sentence of an error; where a connection failed in several ways, of each. */
export function explain(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return [...new Set(error.errors.map(explain))].join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}
