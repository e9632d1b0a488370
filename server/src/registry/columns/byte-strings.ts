import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Loaded, Saved } from '../../snapshot/saved.ts'
import { createIntegers } from './column.ts'

/**
 * Byte strings by position, packed into pages that are only ever appended to: what `get` and `save`
 * gave stays as it was. A page of which a quarter is dead is copied to the newest and dropped.
 */
export interface ByteStrings {
  /** A view of the string at a position; undefined where there is none. */
  get(at: number): Uint8Array | undefined
  set(at: number, bytes: Uint8Array): void
  remove(at: number): void
  /** The strings of the first `count` positions; full pages are immutable parts. */
  save(count: number): Saved
  /** Takes back what `save` gave, into an empty column. Throws when a part is missing. */
  restore(loaded: Loaded): void
}

interface Page {
  readonly number: number
  readonly bytes: Buffer
  /** Bytes that hold strings, and those of them that no position has any more. */
  used: number
  dead: number
  /** Digest of a full page, under which snapshots know it. */
  id: string | null
}

/** A string has its position and its length before it, and begins at a multiple of `UNIT`. */
const HEADER = 8
const UNIT = 8

/** Small enough to be hashed and copied within a turn of the event loop. */
const PAGE_BITS = 20
const PAGE_BYTES = 2 ** PAGE_BITS
const UNITS_A_PAGE = PAGE_BYTES / UNIT

const MOST_DEAD = 0.25

/** The bytes that a string of this length takes. */
const sizeOf = (length: number) => Math.ceil((HEADER + length) / UNIT) * UNIT

export function createByteStrings(): ByteStrings {
  /** By position: number of the page and unit within it, plus one; 0 where there is no string. */
  const places = createIntegers()
  /** By number, which is given anew once a page was dropped. */
  const pages = new Map<number, Page>()
  let newest: Page | undefined
  return { get, set, remove, save, restore }

  function get(at: number): Uint8Array | undefined {
    const place = places.get(at)
    if (place === 0) return undefined
    const { page, start, length } = find(place)
    return page.bytes.subarray(start, start + length)
  }

  function find(place: number) {
    const page = pages.get(Math.floor((place - 1) / UNITS_A_PAGE))
    if (!page) throw new RangeError('a page of strings is missing')
    const header = ((place - 1) % UNITS_A_PAGE) * UNIT
    return { page, start: header + HEADER, length: page.bytes.readUInt32LE(header + 4) }
  }

  function set(at: number, bytes: Uint8Array): void {
    remove(at)
    append(at, bytes)
  }

  function remove(at: number): void {
    const place = places.get(at)
    if (place === 0) return
    places.set(at, 0)
    const { page, length } = find(place)
    page.dead += sizeOf(length)
    if (page !== newest && isSparse(page)) empty(page)
  }

  /** Writes a string to the newest page. */
  function append(at: number, string: Uint8Array): void {
    const size = sizeOf(string.length)
    while (!newest || newest.used + size > newest.bytes.length) turnPage(size)
    const { number, bytes, used } = newest
    bytes.writeUInt32LE(at, used)
    bytes.writeUInt32LE(string.length, used + 4)
    bytes.set(string, used + HEADER)
    newest.used += size
    places.set(at, placeOf(number, used))
  }

  function turnPage(size: number): void {
    const full = newest
    let number = 0
    while (pages.has(number)) number++
    newest = addPage(number, Buffer.alloc(Math.max(PAGE_BYTES, size)))
    if (full && isSparse(full)) empty(full)
    else if (full) full.id = createHash('sha256').update(contentOf(full)).digest('hex')
  }

  function addPage(number: number, bytes: Buffer): Page {
    const page: Page = { number, bytes, used: 0, dead: 0, id: null }
    pages.set(number, page)
    return page
  }

  /** Moves the living strings of a page to the newest, and drops it. */
  function empty({ number, bytes, used }: Page): void {
    for (let header = 0; header < used; ) {
      const at = bytes.readUInt32LE(header)
      const start = header + HEADER
      const length = bytes.readUInt32LE(header + 4)
      const isAlive = places.get(at) === placeOf(number, header)
      if (isAlive) append(at, bytes.subarray(start, start + length))
      header += sizeOf(length)
    }
    pages.delete(number)
  }

  function save(count: number): Saved {
    const kept = [...pages.values()]
    return {
      meta: kept.map(({ number, id }) => ({ number, id })),
      parts: [
        { name: 'places', bytes: places.save(count) },
        ...kept.map((page) => ({
          name: `page-${page.number}`,
          bytes: contentOf(page),
          ...(page.id !== null && { immutable: page.id }),
        })),
      ],
    }
  }

  function restore({ meta, parts }: Loaded): void {
    const bytesOf = (name: string) => {
      const bytes = parts.get(name)
      if (!bytes) throw new RangeError(`the part ${name} is missing`)
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    const placed = bytesOf('places')
    places.restore(placed)
    for (const { number, id } of Meta.parse(meta)) {
      const bytes = bytesOf(`page-${number}`)
      // the newest goes on to grow
      const page = addPage(
        number,
        id === null ? Buffer.alloc(Math.max(PAGE_BYTES, bytes.length)) : bytes,
      )
      if (id === null) {
        newest = page
        page.bytes.set(bytes)
      }
      page.id = id
      page.used = page.dead = bytes.length
    }
    for (let at = 0; at < placed.length / Uint32Array.BYTES_PER_ELEMENT; at++) {
      const place = places.get(at)
      if (place === 0) continue
      const { page, length } = find(place)
      page.dead -= sizeOf(length)
    }
  }
}

const placeOf = (page: number, header: number) => page * UNITS_A_PAGE + header / UNIT + 1

const isSparse = ({ used, dead }: Page) => dead > used * MOST_DEAD

const contentOf = ({ bytes, used }: Page): Uint8Array => bytes.subarray(0, used)

const Count = z.int().nonnegative()

const Meta = z.array(z.object({ number: Count, id: z.string().nullable() }))
