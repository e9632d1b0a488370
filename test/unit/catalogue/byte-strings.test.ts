import {
  type ByteStrings,
  createByteStrings,
} from '@skillpass/server/registry/columns/byte-strings'
import { expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'

const positions = 200
const longest = 60_000

/** Sets and removes strings at random, several pages of them; gives what each position has. */
function change(strings: ByteStrings, held: Map<number, Buffer>, seed: number) {
  const random = seededRandom(seed)
  for (let i = 0; i < 1500; i++) {
    const at = Math.floor(random() * positions)
    if (random() < 0.2) {
      strings.remove(at)
      held.delete(at)
      continue
    }
    const bytes = Buffer.alloc(Math.floor(random() ** 3 * longest), i % 251)
    strings.set(at, bytes)
    held.set(at, bytes)
  }
}

function expectHeld(strings: ByteStrings, held: ReadonlyMap<number, Buffer>) {
  for (let at = 0; at < positions; at++) {
    const bytes = strings.get(at)
    expect(bytes && Buffer.from(bytes).equals(held.get(at) ?? Buffer.of(1))).toBe(
      held.has(at) ? true : undefined,
    )
  }
}

const joined = (bytes: Uint8Array | Iterable<Uint8Array>): Uint8Array =>
  Uint8Array.from(bytes instanceof Uint8Array ? bytes : Buffer.concat([...bytes]))

test('holds the last string of each position, in little more than these take', () => {
  const strings = createByteStrings()
  const held = new Map<number, Buffer>()
  for (let seed = 1; seed <= 4; seed++) {
    change(strings, held, seed)
    expectHeld(strings, held)
  }
  const alive = [...held.values()].reduce((sum, { length }) => sum + length, 0)
  const taken = strings
    .save(positions)
    .parts.reduce((sum, part) => sum + joined(part.bytes).length, 0)
  expect(taken).toBeLessThan(1.5 * alive + 2 ** 20)
})

test('what was saved is read back as it was, whatever changed since, and goes on', () => {
  const strings = createByteStrings()
  const held = new Map<number, Buffer>()
  change(strings, held, 5)
  const then = new Map(held)
  const { meta, parts } = strings.save(positions)
  change(strings, held, 6)
  const bytes = new Map(parts.map((part) => [part.name, joined(part.bytes)]))
  const back = createByteStrings()
  back.restore({ meta: JSON.parse(JSON.stringify(meta)), parts: bytes })
  expectHeld(back, then)
  change(back, then, 7)
  expectHeld(back, then)
})

test('full pages keep their names from one save to the next', () => {
  const strings = createByteStrings()
  const held = new Map<number, Buffer>()
  change(strings, held, 8)
  const names = () => strings.save(positions).parts.flatMap(({ immutable }) => immutable ?? [])
  const before = names()
  expect(before.length).toBeGreaterThan(0)
  strings.set(positions, Buffer.from('one more'))
  expect(names()).toEqual(before)
})
