import { lintSkill } from '@skillpass/server/moderation/lint/index'
import { expect, test } from 'vitest'
import { hostileTexts } from './hostile-texts.ts'

const size = 256 * 1024
/** Time over a text four times as long: four times if it is linear, sixteen times if it is quadratic. */
const linear = 12
/** Shorter times cannot be compared, CPU ms. */
const measurable = 40
const most = 40

/** The least CPU time of some rounds, ms, since other processes disturb a round. */
function costOf(readme: string, rounds: number): number {
  const skill = { name: 'a', slug: 'a', description: 'Fills forms.', tags: [], readme }
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage()
    lintSkill(skill)
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** How many times longer the lint takes for a text than for one of a quarter of its size. */
function growthOf(whole: string, quarter: string): number {
  let cost = costOf(whole, 1)
  if (cost <= measurable) return 1
  let least = costOf(quarter, 2)
  for (let round = 0; round < most && cost > linear * least; round += 1) {
    cost = Math.min(cost, costOf(whole, 1))
    least = Math.min(least, costOf(quarter, 1))
  }
  return cost / least
}

test('the time of the lint grows linearly with every hostile text', () => {
  const quarters = hostileTexts(size / 4)
  for (const whole of hostileTexts(size)) {
    const growth = growthOf(whole, quarters.next().value ?? '')
    expect([whole.slice(0, 200), growth > linear]).toEqual([whole.slice(0, 200), false])
  }
})
