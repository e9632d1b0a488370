/** The message of a thrown value; of a connection that failed in several ways, each message once. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return [...new Set(error.errors.map(messageOf))].join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}
