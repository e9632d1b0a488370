import type { FailedSignIns } from '../audit/failed-sign-ins.ts'
import type { Context } from '../context/context.ts'

export interface PlatformContext extends Context {
  /** Collects failed sign-ins for the audit log. */
  readonly failedSignIns: FailedSignIns
}
