import type { Logger } from 'pino'

/** Logs that something fails, and that it works again, once each: it is tried several times a second. */
export interface Outage {
  /** `details` are logged beside the message. */
  failed(details: object): void
  worked(): void
}

export function createOutage(log: Logger, failing: string, over: string): Outage {
  let isFailing = false
  return {
    failed(details) {
      if (!isFailing) log.warn(details, failing)
      isFailing = true
    },
    worked() {
      if (isFailing) log.info(over)
      isFailing = false
    },
  }
}
