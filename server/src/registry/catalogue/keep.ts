/** Those of some numbers that are accepted. Much faster than the arrays' own `filter`. */
export function keep(numbers: Uint32Array, accepts: (number: number) => boolean): Uint32Array {
  const kept = new Uint32Array(numbers.length)
  let count = 0
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number
    if (accepts(number)) kept[count++] = number
  }
  return kept.subarray(0, count)
}
