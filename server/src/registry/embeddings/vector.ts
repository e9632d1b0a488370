/**
 * A vector's direction in one byte for each number, which is all that cosines need: a quarter of the
 * room of 32-bit numbers, and cosines move by about 0.01 at most.
 */
export function quantise(numbers: readonly number[]): Int8Array {
  let largest = 0
  for (const number of numbers) largest = Math.max(largest, Math.abs(number))
  const scale = largest === 0 ? 0 : 127 / largest
  return Int8Array.from(numbers, (number) => Math.round(number * scale))
}

/** Cosine of two vectors of the same size, −1 to 1; 0 where one of them is all zeros. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let squareA = 0
  let squareB = 0
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0
    const y = b[i] ?? 0
    dot += x * y
    squareA += x * x
    squareB += y * y
  }
  return dot === 0 ? 0 : dot / Math.sqrt(squareA * squareB)
}
