import { type Copies, createCopies } from '@skillpass/server/registry/copies/copies'
import { leastPassages, SAMPLE, samplePassages } from '@skillpass/server/registry/copies/passages'
import { changedTimes, NOTED, readTimes, writeTimes } from '@skillpass/server/registry/copies/times'
import { behindOriginals } from '@skillpass/server/search/query/behind-originals'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const key = 42
const word = fc.stringMatching(/^[a-z]{2,6}$/)
const textOf = (maxLength: number) =>
  fc.array(word, { minLength: 60, maxLength }).map((words) => words.join(' '))
const text = textOf(200)

const seen = (readme: string) => [...leastPassages(readme, key, 1000)]

describe('a sample of passages', () => {
  test('a sample does not depend on case, punctuation, layout or invisible characters', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const words = plain.split(' ')
        const dressed = words.map((each, i) =>
          i % 2 === 0 ? `**${each.toUpperCase()}**,` : `${each[0]}\u200b\u00ad${each.slice(1)}\n`,
        )
        expect(samplePassages(dressed.join(' '), key)).toEqual(samplePassages(plain, key))
      }),
    )
  })

  test('a sample includes hidden text', () => {
    const text = Array.from({ length: 60 }, (_, i) => `word${i * 7}`).join(' ')
    for (const hidden of [
      `<!-- ${text} -->`,
      `<b title="${text}">`,
      `<b title="> ${text}">`,
      `<![CDATA[ > ${text} ]]>`,
      `<? > ${text} ?>`,
      `[x](#${text})`,
      `[x](y "${text} )")`,
      `![x [y] ${text}](z)`,
    ]) {
      const both = seen(`A title of its own, which says something else. ${hidden}`)
      expect(both).toEqual(expect.arrayContaining(seen(text)))
    }
  })

  test('a sample holds the least of all passages, once each, and differs for another key', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const all = leastPassages(`${plain}\n${plain}`, key, 1000)
        expect([...new Set(all)].sort((a, b) => a - b)).toEqual([...all])
        const sample = samplePassages(`${plain}\n${plain}`, key).passages
        expect(sample).toEqual(all.length < SAMPLE ? new Uint32Array() : all.slice(0, SAMPLE))
      }),
    )
    const [one, other] = [key, key + 1].map(
      (each) => samplePassages('ab cd ef gh '.repeat(3), each).passages,
    )
    expect(one).toEqual(other)
    const long = Array.from({ length: 99 }, (_, i) => `w${i}`).join(' ')
    expect(samplePassages(long, key)).not.toEqual(samplePassages(long, key + 1))
  })

  test('a sample of a short text is empty, and scripts without blanks are read letter by letter', () => {
    for (const short of ['', '# Title', 'one two three four five']) {
      expect(samplePassages(short, key).passages).toHaveLength(0)
    }
    const { passages } = samplePassages('机器学习模型的训练和部署需要很多数据以及时间', key)
    expect(passages).toHaveLength(SAMPLE)
  })
})

describe('times of passages', () => {
  const change = (readme: string, before: string, times: string | null, now: number) =>
    writeTimes(
      changedTimes({
        createdAt: 1,
        before: { readme: before, times: readTimes(times), since: 5 },
        readme,
        now,
        key,
      }),
    )

  test('passages that stay keep their time, or that of their version if none was noted, and new ones are dated', () => {
    fc.assert(
      fc.property(text, textOf(500), (own, added) => {
        const whole = `${own}\nnext ${added}`
        const noted = new Set(leastPassages(whole, key, NOTED))
        const both = change(whole, own, null, 10)
        const times = readTimes(both)
        for (const passage of leastPassages(own, key, 50)) expect(times.has(passage)).toBe(false)
        const later = readTimes(change(`next ${added}`, whole, both, 20))
        for (const [passage, time] of later) {
          expect(time).toBe(noted.has(passage) ? times.get(passage) : 5)
        }
      }),
    )
  })

  test('a passage beyond those that are noted has the time of the version that had it', () => {
    const words = Array.from({ length: 3000 }, (_, i) => `word${i * 7}`)
    const whole = words.join(' ')
    const half = words.slice(1500).join(' ')
    const times = [...readTimes(change(half, whole, null, 99)).values()]
    expect(new Set(times)).toEqual(new Set([5]))
  })
})

/** The copies among skills whose ids are the numbers of their slots. */
function held(publishers: Map<number, string>, createdAt: Map<number, number>): Copies {
  return createCopies({
    columns: {
      createdAt: column((slot) => createdAt.get(slot) ?? 0),
      version: column((slot) => (publishers.has(slot) ? 1 : 0)),
    },
    ids: { compare: (a, b) => a - b, find: Number },
    publisherOf: (slot) => publishers.get(slot) ?? '',
  })
}

const column = (get: (slot: number) => number) => ({
  get,
  set: () => {},
  save: () => [],
  restore: () => {},
})

const part = (number: number) =>
  Array.from({ length: 24 }, (_, i) => `part${number} word${(i * 31) % 24}`).join(' ')

describe('copies', () => {
  const step = fc.record({
    slot: fc.nat({ max: 14 }),
    publisher: fc.nat({ max: 5 }),
    createdAt: fc.nat({ max: 9 }),
    parts: fc.array(fc.nat({ max: 5 }), { maxLength: 5 }),
    names: fc.option(fc.nat({ max: 14 })),
    remove: fc.boolean(),
  })

  test('copies depend on the skills that exist, not on the order in which they came or went', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const publishers = new Map<number, string>()
        const createdAt = new Map<number, number>()
        const last = new Map<number, (typeof steps)[number]>()
        const sampleOf = (parts: readonly number[]) =>
          samplePassages([...new Set(parts)].map(part).join('\n'), key)
        const enter = (copies: Copies, { slot, parts, names }: (typeof steps)[number]) => {
          copies.put(slot, sampleOf(parts))
          copies.tell(slot, names === null ? null : { by: 'publisher', copyOf: `${names}` })
          copies.renewNaming(`${slot}`)
        }
        const grown = held(publishers, createdAt)
        for (const each of steps) {
          const { slot } = each
          if (last.has(slot) && each.remove) {
            publishers.delete(slot)
            last.delete(slot)
            grown.remove(slot)
            grown.renewNaming(`${slot}`)
          } else {
            // publisher and age of a skill never change
            if (!last.has(slot)) {
              publishers.set(slot, `${each.publisher}`)
              createdAt.set(slot, each.createdAt)
            }
            last.set(slot, each)
            enter(grown, each)
          }
          grown.settle(() => {})
        }
        const fresh = held(publishers, createdAt)
        for (const each of [...last.values()].reverse()) enter(fresh, each)
        fresh.settle(() => {})
        for (const slot of last.keys()) expect(grown.parentsOf(slot)).toEqual(fresh.parentsOf(slot))
        expect(grown.count).toBe(fresh.count)
      }),
      { numRuns: 60 },
    )
  })

  test('a skill that includes a smaller text as a third is no copy, and one that doubles it is', () => {
    const words = (count: number, seed: number) =>
      Array.from({ length: count }, (_, i) =>
        ((Math.imul(i + seed, 0x9e3779b1) >>> 0) + 36 ** 5).toString(36),
      ).join(' ')
    const told = (own: number, added: number, isOriginalYounger: boolean) => {
      let count = 0
      for (let n = 1; n <= 16; n++) {
        const publishers = new Map([
          [0, 'attacker'],
          [1, 'victim'],
        ])
        const copies = held(publishers, new Map([[0, isOriginalYounger ? 5 : 1]]))
        const licence = words(added, 0)
        copies.put(0, samplePassages(licence, n * 7919))
        const sample = samplePassages(`${words(own, 1000)} ${licence}`, n * 7919)
        const since = leastPassages(licence, n * 7919, 10_000)
        copies.put(
          1,
          sample,
          Array.from(sample.passages, (each) => (since.includes(each) ? 9 : 2)),
        )
        copies.settle(() => {})
        if (copies.isCopy(1)) count++
      }
      return count
    }
    for (const isOriginalYounger of [true, false]) {
      for (const share of [0.15, 0.2, 0.25, 0.3]) {
        expect(told(400 * (1 - share), 400 * share, isOriginalYounger)).toBe(0)
      }
      expect(told(200, 200, isOriginalYounger)).toBeGreaterThan(14)
    }
  })
})

describe('hits and their originals', () => {
  const hit = fc.record({
    number: fc.nat({ max: 20 }),
    originals: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
  })

  test('copies never rank before their originals or above their numbers, and numbers still fall', () => {
    fc.assert(
      fc.property(fc.array(hit, { maxLength: 10 }), (list) => {
        const numbers = list.map(({ number }) => number / 20).sort((a, b) => b - a)
        const hits = list.map((_, i) => ({
          key: i,
          score: numbers[i] ?? 0,
          confidence: numbers[i] ?? 0,
        }))
        const isCopy = (i: number) => i % 2 === 1
        const originalsOf = ({ key: i }: { key: number }) =>
          isCopy(i) ? (list[i]?.originals ?? []).filter((each) => !isCopy(each)) : []
        // of those that are not among the hits, 8 is younger than all and 9 older
        const isYoungest = (key: number) => key === 8 && list.length <= 8
        const placed = behindOriginals(
          hits,
          (each) => each.key,
          originalsOf,
          (_, than) => isYoungest(than),
        )
        expect(placed.map((each) => each.key).sort((a, b) => a - b)).toEqual(
          hits.map((each) => each.key),
        )
        for (const [place, each] of placed.entries()) {
          expect(each.score).toBeLessThanOrEqual(placed[place - 1]?.score ?? 1)
          for (const original of originalsOf(each)) {
            if (isYoungest(original)) continue
            const theirs = placed.findIndex((other) => other.key === original)
            expect(theirs).toBeLessThan(place)
            expect(each.confidence).toBeLessThanOrEqual(placed[theirs]?.confidence ?? 0)
            if (theirs === -1) expect(each.score).toBe(0)
          }
          const isFree = originalsOf(each).every(isYoungest)
          if (isFree) expect(each).toEqual(hits[each.key])
        }
      }),
    )
  })
})
