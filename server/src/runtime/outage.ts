import type { Logger } from 'pino'
import { isOutage } from '../errors/outage.ts'

/**
 * Logs that something fails, and that it works again, once each: it is tried several times a second.
 * `note` is told of the beginning and the end.
 */
export function createOutage(
  log: Logger,
  failing: string,
  over: string,
  note: (isFailing: boolean) => void = () => {},
) {
  let isFailing = false
  return {
    /** `details` are logged beside the message; nothing is where `err` is an outage that others log. */
    failed(details: { err?: unknown; reason?: string | undefined }): void {
      if (isFailing || isOutage(details.err)) return
      log.warn(details, failing)
      isFailing = true
      note(true)
    },
    worked(): void {
      if (!isFailing) return
      log.info(over)
      isFailing = false
      note(false)
    },
  }
}
