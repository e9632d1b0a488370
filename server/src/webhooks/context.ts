import type { Context } from '../context/context.ts'

/** Tells this process's sender that there are new events. */
export function createDeliverySignal() {
  let listener = () => {}
  return {
    /** To be called after the commit; does nothing where this process sends nothing. */
    wake: () => listener(),
    /** Has the sender called at each `wake`. */
    listen(onWake: () => void) {
      listener = onWake
    },
  }
}

export interface WebhookContext extends Context {
  readonly webhooks: ReturnType<typeof createDeliverySignal>
}
