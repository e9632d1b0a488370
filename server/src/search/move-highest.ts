/**
 * Moves the `count` highest numbers to the front, in no particular order (quickselect). Much faster
 * than sorting all if `count` is small. The numbers must not contain NaN.
 */
export function moveHighest(numbers: Float64Array, count: number): void {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1] as number
    let left = low
    let right = high
    while (left <= right) {
      while ((numbers[left] as number) > pivot) left++
      while ((numbers[right] as number) < pivot) right--
      if (left > right) break
      const moved = numbers[left] as number
      numbers[left++] = numbers[right] as number
      numbers[right--] = moved
    }
    // Numbers between `right` and `left` equal the pivot.
    if (count - 1 <= right) high = right
    else if (count - 1 >= left) low = left
    else return
  }
}
