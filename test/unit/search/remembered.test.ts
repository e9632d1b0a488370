import {
  createSkillIndex,
  type ResolveOptions,
  type SkillText,
} from '@skillpass/server/search/index'
import { describe, expect, test } from 'vitest'
import { OTHERS, PDF } from './fixture.ts'

const task = 'fill in a pdf form with pairs of json values'
/** Skills of equal words, so that trust alone puts them in order. */
const EQUALS = Array.from({ length: 4 }, (): SkillText => PDF)

function filled(texts: readonly SkillText[] = [...EQUALS, ...OTHERS]) {
  const index = createSkillIndex()
  texts.forEach((text, slot) => {
    index.put(slot, text)
  })
  return index
}

type Index = ReturnType<typeof filled>
const ask = (index: Index, options: Partial<ResolveOptions> = {}) =>
  index.resolve(task, { limit: 2, threshold: 0.1, ...options })
/** The third answer, which comes from the cache. */
function resolve(index: Index, options?: Partial<ResolveOptions>) {
  ask(index, options)
  ask(index, options)
  return ask(index, options)
}
const slots = (index: Index, options?: Partial<ResolveOptions>) =>
  resolve(index, options).hits.map(({ slot }) => slot)

describe('repeated tasks', () => {
  test('a repeated task has the same answer even if the caller changes earlier answers', () => {
    const index = filled()
    const first = structuredClone(ask(filled()))
    for (let time = 0; time < 4; time++) {
      const answer = ask(index)
      expect(answer).toEqual(first)
      for (const { explanation } of answer.hits) explanation.tokens.length = 0
      answer.hits.length = 0
    }
  })

  test('a repeated task is ranked again in a restored index', async () => {
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

  test('a repeated task follows trust and votes at once, also to hits that were not shown before', () => {
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

  test('the cache of rankings distinguishes limits, thresholds and orders', () => {
    const index = filled()
    expect(slots(index)).toEqual([0, 1])
    expect(slots(index, { limit: 3 })).toEqual([0, 1, 2])
    expect(slots(index, { threshold: 1 })).toEqual([])
    expect(slots(index, { order: (a, b) => b - a })).toEqual([3, 2])
    expect(slots(index)).toEqual([0, 1])
  })

  test('a repeated task reports its evidence every time, and a failed one is not cached', () => {
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
