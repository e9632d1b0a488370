import {
  createSkillIndex,
  type ResolveOptions,
  type SkillText,
} from '@skillpass/server/search/index'
import { createQueryCache } from '@skillpass/server/search/query/query-cache'
import type { Ranking } from '@skillpass/server/search/query/ranked'
import { describe, expect, test } from 'vitest'
import { OTHERS, PDF } from './fixture.ts'

const task = 'fill in a pdf form with pairs of json values'
/** Skills of equal words, so that trust alone puts them in order. */
const TWINS = Array.from({ length: 4 }, (): SkillText => PDF)

function filled(texts: readonly SkillText[] = [...TWINS, ...OTHERS]) {
  const index = createSkillIndex()
  texts.forEach((text, slot) => {
    index.put(slot, text)
  })
  return index
}

type Index = ReturnType<typeof filled>
const ask = (index: Index, options: Partial<ResolveOptions> = {}) =>
  index.resolve(task, { limit: 2, threshold: 0.1, ...options })
/** What is answered the third time, for the second is remembered. */
function resolve(index: Index, options?: Partial<ResolveOptions>) {
  ask(index, options)
  ask(index, options)
  return ask(index, options)
}
const slots = (index: Index, options?: Partial<ResolveOptions>) =>
  resolve(index, options).hits.map(({ slot }) => slot)

describe('a task asked again', () => {
  test('has the same answer, whatever is done to those before', () => {
    const index = filled()
    const first = structuredClone(ask(filled()))
    for (let time = 0; time < 4; time++) {
      const answer = ask(index)
      expect(answer).toEqual(first)
      for (const { explanation } of answer.hits) explanation.tokens.length = 0
      answer.hits.length = 0
    }
  })

  test('is ranked twice, unless thousands of others come between', () => {
    const ranked: string[] = []
    const found: Ranking = {
      query: { terms: [], pairs: [], bound: 0, idf: 0, weights: {} },
      standing: [],
      matching: 0,
      hangsOnOrder: false,
      backgrounds: new Map(),
      backgroundOf: () => ({ sections: new Uint16Array(), headIdf: 0 }),
    }
    const rankings = createQueryCache(() => found)
    const options = { limit: 1, threshold: 0.3 }
    const rank = (asked: string) => {
      if (rankings.find(asked, options)) return
      ranked.push(asked)
      rankings.add(asked, options, found)
    }
    for (let time = 0; time < 5; time++) rank('often')
    expect(ranked).toEqual(['often', 'often'])
    rank('rarely')
    for (let other = 0; other < 40_000; other++) rank(`other ${other}`)
    for (let time = 0; time < 5; time++) rank('rarely')
    expect(ranked.filter((asked) => asked === 'rarely')).toHaveLength(3)
  })

  test('is ranked anew in a restored index', async () => {
    const index = filled()
    resolve(index)
    const { meta, parts } = filled([...OTHERS, PDF]).save()
    const bytes = parts.map(({ name, bytes }) => {
      if (!(bytes instanceof Uint8Array)) throw new Error(`${name} comes in pages`)
      return [name, bytes] as const
    })
    await index.restore({ meta, parts: new Map(bytes) })
    expect(slots(index)).toEqual([OTHERS.length])
  })

  test('follows trust and votes at once, also to hits that were not shown before', () => {
    const index = filled()
    expect(slots(index)).toEqual([0, 1])
    for (const order of [
      [3, 2],
      [1, 3],
      [2, 0],
    ]) {
      const prior = (slot: number) => order.toReversed().indexOf(slot) + 1
      const again = resolve(index, { prior })
      expect(again.hits.map(({ slot }) => slot)).toEqual(order)
      expect(again).toEqual(resolve(filled(), { prior }))
    }
    const demotion = (slot: number) => (slot < 2 ? 0.5 : 1)
    expect(slots(index, { demotion })).toEqual([2, 3])
    expect(resolve(index, { demotion })).toEqual(resolve(filled(), { demotion }))
    expect(slots(index)).toEqual([0, 1])
  })

  test('knows limits, thresholds and orders apart', () => {
    const index = filled()
    expect(slots(index)).toEqual([0, 1])
    expect(slots(index, { limit: 3 })).toEqual([0, 1, 2])
    expect(slots(index, { threshold: 1 })).toEqual([])
    expect(slots(index, { order: (a, b) => b - a })).toEqual([3, 2])
    expect(slots(index)).toEqual([0, 1])
  })

  test('is told of its evidence, and remembered only when it was answered', () => {
    const index = filled()
    const asked: number[] = []
    const onEvidence = (slot: number) => asked.push(slot)
    resolve(index)
    ask(index, { onEvidence })
    const once = asked.length
    ask(index, { onEvidence })
    expect(once).toBeGreaterThan(0)
    expect(asked.length).toBe(2 * once)
    const prior = () => {
      throw new Error('no trust')
    }
    const other = filled()
    expect(() => resolve(other, { prior })).toThrow('no trust')
    expect(resolve(other)).toEqual(resolve(index))
  })
})
