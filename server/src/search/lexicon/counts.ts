import { grown } from '../document/growth.ts'

/** How many documents hold each of many things, which are known by number. */
export interface Counts {
  get(number: number): number
  /** Makes room for numbers up to this one. */
  reach(number: number): void
  add(number: number, by: number): void
  /** Adds to the counts of the first of these numbers. */
  addAll(numbers: Uint32Array, length: number, by: number): void
  /** Memory held, but for what the few large counts take. */
  readonly bytes: number
  /** A copy of the counts of numbers below `length`. */
  save(length: number): Uint32Array
}

/** In place of a count: it needs more than two bytes, as few do. */
const MANY = 0xffff

/** Counts of nothing, or saved ones. */
export function createCounts(saved: Uint32Array = new Uint32Array(0)): Counts {
  let few = new Uint16Array(saved.length)
  const many = new Map<number, number>()
  for (let number = 0; number < saved.length; number++) add(number, saved[number] as number)
  return {
    get,
    reach(number) {
      few = grown(few, number + 1, Uint16Array)
    },
    add,
    addAll,
    get bytes() {
      return few.byteLength
    },
    save,
  }

  function get(number: number): number {
    const count = few[number] as number
    return count === MANY ? (many.get(number) as number) : count
  }

  function add(number: number, by: number): void {
    const count = few[number] as number
    if (count < MANY && count + by < MANY) few[number] = count + by
    else setLarge(number, get(number) + by)
  }

  function addAll(numbers: Uint32Array, length: number, by: number): void {
    for (let i = 0; i < length; i++) add(numbers[i] as number, by)
  }

  function setLarge(number: number, count: number): void {
    few[number] = Math.min(count, MANY)
    if (count < MANY) many.delete(number)
    else many.set(number, count)
  }

  function save(length: number): Uint32Array {
    const counts = Uint32Array.from(few.subarray(0, length))
    for (const [number, count] of many) counts[number] = count
    return counts
  }
}
