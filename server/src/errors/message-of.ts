/** Returns the message of a thrown value. Joins the distinct messages of an `AggregateError`. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return [...new Set(error.errors.map(messageOf))].join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}
