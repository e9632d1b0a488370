import type { Logger } from 'pino'
import { isOutage } from '../errors/outage.ts'

/** Logs that something fails, and that it works again, once each: it is tried several times a second. */
export interface Outage {
  /** `details` are logged beside the message; nothing is where `err` is an outage that others log. */
  failed(details: { err?: unknown; reason?: string | undefined }): void
  worked(): void
}

/** `note` is told of the beginning and the end. */
export function createOutage(
  log: Logger,
  failing: string,
  over: string,
  note: (isFailing: boolean) => void = () => {},
): Outage {
  let isFailing = false
  return {
    failed(details) {
      if (isFailing || isOutage(details.err)) return
      log.warn(details, failing)
      isFailing = true
      note(true)
    },
    worked() {
      if (!isFailing) return
      log.info(over)
      isFailing = false
      note(false)
    },
  }
}
