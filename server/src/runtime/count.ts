/** Adds to the count of a key; keys without any are forgotten. */
export function count<K>(counts: Map<K, number>, key: K, by: number): void {
  const left = (counts.get(key) ?? 0) + by
  if (left === 0) counts.delete(key)
  else counts.set(key, left)
}
