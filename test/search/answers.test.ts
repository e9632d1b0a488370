import {
  createSkillIndex,
  type RankOptions,
  type SkillText,
  type SkillView,
} from '@skillpass/server/search/index'
import { describe, expect, test } from 'vitest'
import { OTHERS, PDF } from './fixture.ts'
import { viewOf } from './named-index.ts'

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
type Asked = Partial<RankOptions> & { view?: (slot: number) => Partial<SkillView> }

function ask(index: Index, { view = () => ({}), ...options }: Asked = {}) {
  const ranking = index.rank(task, { limit: 2, threshold: 0.1, ...options })
  const views = ranking.standing.map(({ slot }) => ({ ...viewOf(`${slot}`), ...view(slot) }))
  return index.answer(
    ranking,
    views,
    views.some(({ isEligible }) => !isEligible),
  )
}
const slots = (index: Index, asked?: Asked) => ask(index, asked).hits.map(({ slot }) => slot)

describe('answers to a task', () => {
  test('a repeated task follows trust and votes at once, also to hits that were not shown before', () => {
    const index = filled()
    expect(slots(index)).toEqual([0, 1])
    for (const order of [
      [3, 2],
      [1, 3],
      [2, 0],
    ]) {
      const view = (slot: number) => ({ trust: order.toReversed().indexOf(slot) + 1 })
      expect(slots(index, { view })).toEqual(order)
      expect(ask(index, { view })).toEqual(ask(filled(), { view }))
    }
    const view = (slot: number) => ({ demotion: slot < 2 ? 0.5 : 1 })
    expect(slots(index, { view })).toEqual([2, 3])
    expect(ask(index, { view })).toEqual(ask(filled(), { view }))
    expect(slots(index)).toEqual([0, 1])
  })

  test('ineligible skills are left out before the limit and are not counted', () => {
    for (const threshold of [0.1, 0]) {
      const view = (slot: number) => ({ isEligible: slot % 2 === 1 && slot < 4 })
      const { hits, matched } = ask(filled(), { threshold, limit: 2, view })
      expect([hits.map(({ slot }) => slot), matched]).toEqual([[1, 3], 2])
    }
  })
})
