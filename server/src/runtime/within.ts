/**
 * Waits for an answer `ms` at most, then rejects with what `late` says. An answer that lies there
 * unread because this process itself stood still is still taken.
 */
export function within<T>(answer: Promise<T>, ms: number, late: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    // Between a timer and the next check, the event loop reads what has arrived.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(late))), ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
