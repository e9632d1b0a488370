/** Fewer numbers than this are sorted by comparing them. */
const FEW = 48

const DIGIT_BITS = 8
const DIGITS = 2 ** DIGIT_BITS
const LOW = DIGITS - 1

/** How many numbers have each digit, and then where the next of them goes. */
const places = new Uint32Array(DIGITS)
let spare = new Uint32Array(1024)

/** Sorts the numbers from `from` up to `end`, all below 2^24: a radix sort, digit after digit. */
export function sortNumbers(numbers: Uint32Array, from: number, end: number): void {
  const count = end - from
  if (count < FEW) {
    numbers.subarray(from, end).sort()
    return
  }
  if (spare.length < count) spare = new Uint32Array(2 * count)
  sortByDigit(numbers, from, count, 0, spare, 0)
  sortByDigit(spare, 0, count, DIGIT_BITS, numbers, from)
  sortByDigit(numbers, from, count, 2 * DIGIT_BITS, spare, 0)
  numbers.set(spare.subarray(0, count), from)
}

/** Writes the numbers into `to` by one of their digits, those with the same in the order they had. */
function sortByDigit(
  numbers: Uint32Array,
  from: number,
  count: number,
  shift: number,
  to: Uint32Array,
  start: number,
): void {
  places.fill(0)
  for (let i = from; i < from + count; i++) {
    const digit = ((numbers[i] as number) >>> shift) & LOW
    places[digit] = (places[digit] as number) + 1
  }
  let next = start
  for (let digit = 0; digit < DIGITS; digit++) {
    const size = places[digit] as number
    places[digit] = next
    next += size
  }
  for (let i = from; i < from + count; i++) {
    const number = numbers[i] as number
    const digit = (number >>> shift) & LOW
    const place = places[digit] as number
    to[place] = number
    places[digit] = place + 1
  }
}
