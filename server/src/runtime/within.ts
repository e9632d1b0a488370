/**
 * Rejects with the message `late` if `response` takes longer than `ms`. A response that has arrived
 * but is unread, because this process was suspended, still counts.
 */
export function within<T>(response: Promise<T>, ms: number, late: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    // The event loop reads arrived data between a timer and the next setImmediate.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(late))), ms)
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
