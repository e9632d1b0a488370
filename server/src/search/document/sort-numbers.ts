/** Fewer numbers than this are sorted by comparing them. */
const FEW = 48

const DIGIT_BITS = 8
const DIGITS = 2 ** DIGIT_BITS
const LOW = DIGITS - 1

/** How many numbers have each digit, and then where the next of them goes. */
const places = new Uint32Array(DIGITS)
let spare = new Uint32Array(1024)
let spareValues = new Uint32Array(1024)

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

/**
 * Sorts keys below 2^24 with a value each, the values of a key in the order they had. Both arrays are of
 * one length.
 */
export function sortByKey(keys: Uint32Array, values: Uint32Array): void {
  const count = keys.length
  if (spare.length < count) spare = new Uint32Array(2 * count)
  if (spareValues.length < count) spareValues = new Uint32Array(2 * count)
  sortPairsByDigit(keys, values, count, 0, spare, spareValues)
  sortPairsByDigit(spare, spareValues, count, DIGIT_BITS, keys, values)
  sortPairsByDigit(keys, values, count, 2 * DIGIT_BITS, spare, spareValues)
  keys.set(spare.subarray(0, count))
  values.set(spareValues.subarray(0, count))
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
  findPlaces(numbers, from, count, shift, start)
  for (let i = from; i < from + count; i++) {
    const number = numbers[i] as number
    const digit = (number >>> shift) & LOW
    const place = places[digit] as number
    to[place] = number
    places[digit] = place + 1
  }
}

/** The same for keys with values, all of them. */
function sortPairsByDigit(
  keys: Uint32Array,
  values: Uint32Array,
  count: number,
  shift: number,
  toKeys: Uint32Array,
  toValues: Uint32Array,
): void {
  findPlaces(keys, 0, count, shift, 0)
  for (let i = 0; i < count; i++) {
    const key = keys[i] as number
    const digit = (key >>> shift) & LOW
    const place = places[digit] as number
    toKeys[place] = key
    toValues[place] = values[i] as number
    places[digit] = place + 1
  }
}

/** Sets the places where the numbers of each digit go, from `start` on. */
function findPlaces(
  numbers: Uint32Array,
  from: number,
  count: number,
  shift: number,
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
}
