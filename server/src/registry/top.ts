/** Whether the item at `a` stands before the one at `b`: a strict order without ties. */
export type Before = (a: number, b: number) => boolean

/**
 * The first `count` of `length` items in order, by number. A heap of the best so far, whose root is
 * the worst of them, turns nearly every item away by one comparison.
 */
export function topOf(length: number, count: number, before: Before): number[] {
  const size = Math.min(count, length)
  const heap: number[] = []
  for (let item = 0; item < length; item++) {
    if (heap.length < size) {
      heap.push(item)
      if (heap.length === size) for (let at = size >> 1; at >= 0; at--) sink(heap, at, before)
    } else if (size > 0 && before(item, heap[0] as number)) {
      heap[0] = item
      sink(heap, 0, before)
    }
  }
  return heap.sort((a, b) => (before(a, b) ? -1 : 1))
}

/** Moves the item at `from` down until no child of it stands behind it in the order. */
function sink(heap: number[], from: number, before: Before): void {
  let at = from
  for (;;) {
    const left = 2 * at + 1
    if (left >= heap.length) return
    const right = left + 1
    const rightIsWorse = right < heap.length && before(heap[left] as number, heap[right] as number)
    const worse = rightIsWorse ? right : left
    if (!before(heap[at] as number, heap[worse] as number)) return
    const item = heap[at] as number
    heap[at] = heap[worse] as number
    heap[worse] = item
    at = worse
  }
}
