/** Whether an error belongs to an outage whose start and end are logged separately. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && 'isOutage' in error && error.isOutage === true
