import type { Context } from '../context/context.ts'

/** Tells this process's sender that there are new events. */
export interface DeliverySignal {
  /** To be called after the commit; does nothing where this process sends nothing. */
  wake(): void
  /** Has the sender called at each `wake`. */
  listen(onWake: () => void): void
}

export interface WebhookContext extends Context {
  readonly webhooks: DeliverySignal
}

export function createDeliverySignal(): DeliverySignal {
  let listener = () => {}
  return {
    wake: () => listener(),
    listen: (onWake) => {
      listener = onWake
    },
  }
}
