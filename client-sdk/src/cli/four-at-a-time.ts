/** Runs work for every item, four at a time. Starts no more items after a failure. */
export async function fourAtATime<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const queue = left.values()
  const next = async () => {
    for (const item of queue) await work(item)
  }
  try {
    await Promise.all(Array.from({ length: 4 }, next))
  } finally {
    left.length = 0
  }
}
