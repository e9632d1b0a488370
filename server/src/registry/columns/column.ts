/**
 * Numbers by position, in pages: growing adds a page and copies none. What `save` gave away stays
 * as it was then, for a page that is changed later is copied first.
 */
export interface Column {
  /** The number at a position; 0 where none was set. */
  get(at: number): number
  set(at: number, value: number): void
  /** The first `count` numbers as they are now, page by page. */
  save(count: number): Uint8Array[]
  /** Takes back what `save` gave. */
  restore(bytes: Uint8Array): void
}

const pageBits = 12
const pageSize = 1 << pageBits
const inPage = pageSize - 1

/** A column of unsigned integers below 2^32. */
export const createIntegers = (): Column => createColumn((length) => new Uint32Array(length))

/** A column of integers from -2^31, which a damaged database may hold, to 2^31 - 1. */
export const createSignedIntegers = (): Column => createColumn((length) => new Int32Array(length))

/** A column of any numbers. */
export const createNumbers = (): Column => createColumn((length) => new Float64Array(length))

type Page = Uint32Array | Int32Array | Float64Array

function createColumn(make: (length: number) => Page): Column {
  const pages: Page[] = []
  /** Pages that were given away. */
  const shared: boolean[] = []

  const pageAt = (number: number) => {
    while (pages.length <= number) pages.push(make(pageSize))
    return pages[number] as Page
  }

  const ownPage = (number: number) => {
    const page = pageAt(number)
    if (!shared[number]) return page
    const own = page.slice()
    shared[number] = false
    pages[number] = own
    return own
  }

  return {
    get: (at) => pages[at >>> pageBits]?.[at & inPage] ?? 0,
    set(at, value) {
      ownPage(at >>> pageBits)[at & inPage] = value
    },
    save(count) {
      const used: Uint8Array[] = []
      for (let start = 0; start < count; start += pageSize) {
        const page = pageAt(start >>> pageBits)
        shared[start >>> pageBits] = true
        const part = page.subarray(0, Math.min(pageSize, count - start))
        used.push(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
      }
      return used
    },
    restore(bytes) {
      pages.length = shared.length = 0
      const pageBytes = make(pageSize).byteLength
      for (let start = 0; start < bytes.length; start += pageBytes) {
        const page = make(pageSize)
        new Uint8Array(page.buffer).set(bytes.subarray(start, start + pageBytes))
        pages.push(page)
      }
    },
  }
}
