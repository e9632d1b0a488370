import type { Context } from '../context/context.ts'

/** A signal that tells the sender of this process about new events. */
export function createDeliverySignal() {
  let listener = () => {}
  return {
    /** Wakes the sender. Call it after the commit. Does nothing in a process without a sender. */
    wake: () => listener(),
    listen(onWake: () => void) {
      listener = onWake
    },
  }
}

export interface WebhookContext extends Context {
  readonly webhooks: ReturnType<typeof createDeliverySignal>
}
