import type { Logger } from 'pino'
import { isOutage } from './outage.ts'

/** Logs the start and the end of an outage once each, and calls `note` for both. */
export function createOutage(
  log: Logger,
  failing: string,
  over: string,
  note: (isFailing: boolean) => void = () => {},
) {
  let isFailing = false
  return {
    /** Logs nothing if `err` belongs to an outage that is logged elsewhere. */
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
