/** Adds to the count of a key, and deletes the key when its count reaches 0. */
export function count<K>(counts: Map<K, number>, key: K, by: number): void {
  const total = (counts.get(key) ?? 0) + by
  if (total === 0) counts.delete(key)
  else counts.set(key, total)
}
