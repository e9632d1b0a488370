/** Whether an error is an outage whose beginning and end are logged elsewhere, once each. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && 'isOutage' in error && error.isOutage === true
