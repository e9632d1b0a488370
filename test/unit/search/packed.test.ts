import {
  mostTokens,
  packTokens,
  unpackSections,
  unpackTokens,
} from '@skillpass/server/search/document/document-codec'
import {
  GAP,
  POSITIONED,
  REPEATED,
  SECTION_END,
  SECTIONS,
} from '@skillpass/server/search/document/forward-index'
import { FIRST_RARE } from '@skillpass/server/search/document/word-units'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'

const random = seededRandom(5)
const upTo = (most: number) => 1 + Math.floor(random() * most)
/** Common words are met more often, as in texts. */
const anyWord = () => upTo([100, 5000, FIRST_RARE + 5, 2 ** 24 - 1][Math.floor(random() * 4)] ?? 1)

function bag(size: number): number[] {
  const words = [...new Set(Array.from({ length: size }, anyWord))].sort((a, b) => a - b)
  return words.flatMap((word) => (random() < 0.7 ? [word] : [word, REPEATED + upTo(3)]))
}

function someTokens(size: number): number[] {
  const tokens: number[] = []
  for (let section = 0; section < SECTIONS; section++) {
    if (section < POSITIONED) {
      for (let i = upTo(size); i > 0; i--) tokens.push(random() < 0.05 ? GAP : anyWord())
    } else tokens.push(...bag(upTo(4 * size) - 1))
    tokens.push(SECTION_END)
  }
  return tokens
}

function pack(tokens: readonly number[]): Uint16Array {
  const units = new Uint16Array(3 * tokens.length)
  return units.slice(0, packTokens(Uint32Array.from(tokens), tokens.length, units))
}

function unpack(units: Uint16Array): number[] {
  const tokens = new Uint32Array(mostTokens(units.length))
  return [...tokens.subarray(0, unpackTokens(units, tokens))]
}

/** Each section as it can be compared: bags in the order of their words. */
function sectionsOf(tokens: readonly number[]): string[] {
  const sections: string[][] = [[]]
  for (const token of tokens) {
    const last = sections.at(-1) ?? []
    if (token === SECTION_END) sections.push([])
    else if (token < REPEATED) last.push(`${token}`.padStart(8))
    else last.push(`${last.pop()} and ${token - REPEATED} more`)
  }
  return sections.map((words, section) => (section < POSITIONED ? words : words.sort()).join(' '))
}

describe('packed documents', () => {
  test('a packed document returns all its words, and frequencies up to 4 exactly', () => {
    for (let size = 1; size < 200; size += 3) {
      const tokens = someTokens(size)
      expect(sectionsOf(unpack(pack(tokens)))).toEqual(sectionsOf(tokens))
    }
  })

  test('a packed document rounds higher frequencies down by less than a third', () => {
    const ends = Array.from({ length: SECTIONS - 1 }, () => SECTION_END)
    for (let times = 2; times <= 256; times++) {
      const [word, repeated] = unpack(pack([...ends, 7, REPEATED + times - 1, SECTION_END])).slice(
        -3,
      )
      const found = 1 + (repeated ?? 0) - REPEATED
      expect(word).toBe(7)
      expect(found).toBeLessThanOrEqual(times)
      expect(found).toBeGreaterThan((times * 2) / 3)
    }
  })

  test('the first sections of a packed document can be read without the rest', () => {
    const tokens = someTokens(20)
    const units = pack(tokens)
    const first = new Uint32Array(mostTokens(units.length))
    const count = unpackSections(units, 0, 2, first)
    const end = tokens.indexOf(SECTION_END, tokens.indexOf(SECTION_END) + 1)
    expect([...first.subarray(0, count)]).toEqual(tokens.slice(0, end + 1))
  })
})
