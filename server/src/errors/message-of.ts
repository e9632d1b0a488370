/** Returns the message of a thrown value. For a connection that failed in several ways, joins the distinct messages. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return [...new Set(error.errors.map(messageOf))].join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}
