// Generated from the contract by `npm run generate`: change that, not this file.

/** The service works. */
export interface Health {
  /** The service works. */
  status: 'ok'
  /** When the check was made. For example `2026-11-21T09:30:00.000Z`. */
  timestamp: string
  /** Version of the service. For example `0.2.0`. */
  version: string
}
