import type { Context } from '../context/context.ts'
import type { Bell } from './bell.ts'

export interface WebhookContext extends Context {
  /** Wakes the sender of webhooks, after the commit of an event. */
  readonly webhooks: Bell
}
