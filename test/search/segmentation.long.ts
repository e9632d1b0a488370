import { createSkillIndex } from '@skillpass/server/search/index'
import { expect, test } from 'vitest'

/** CPU time that the best of three rounds needs, ms. */
function cpuTime(work: () => void): number {
  const rounds = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...rounds)
}

test.each([
  ['one repeated character', '中'],
  ['a sentence', '机器学习模型的训练与部署需要大量数据'],
  ['Thai', 'การเรียนรู้ของเครื่อง'],
])('the CPU time to index 256 KiB of unspaced text grows with its length: %s', (_, text) => {
  const whole = text.repeat(Math.floor(87_000 / text.length))
  const index = createSkillIndex()
  const put = (readme: string) =>
    index.put(0, { name: 'a', slug: 'a', description: '', tags: [], readme })
  const quarter = cpuTime(() => put(whole.slice(0, 21_750)))
  // Quadratic growth would be sixteenfold.
  expect(cpuTime(() => put(whole))).toBeLessThan(Math.max(100, 9 * quarter))
})
