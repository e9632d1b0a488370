interface Growable<T> {
  readonly length: number
  set(source: T): void
}

/** Returns the array, or a copy of at least `length` that is at least a sixteenth longer. */
export function ensureCapacity<T extends Growable<T>>(
  array: T,
  length: number,
  make: new (length: number) => T,
): T {
  if (length <= array.length) return array
  const larger = new make(Math.max(length, Math.ceil(array.length * 1.0625)))
  larger.set(array)
  return larger
}
