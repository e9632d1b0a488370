import { expect, test } from 'vitest'
import { createNamedIndex } from './named-index.ts'

const skill = (id: string, readme: string) => ({
  id,
  name: id,
  slug: id,
  description: '',
  tags: [],
  readme,
})

const millisecondsOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test.each([
  ['one repeated character', '中'],
  ['a sentence', '机器学习模型的训练与部署需要大量数据'],
  ['Thai', 'การเรียนรู้ของเครื่อง'],
])('256 KiB of unspaced text are indexed in time that grows with the length: %s', (_, text) => {
  const whole = text.repeat(Math.floor(87_000 / text.length))
  const index = createNamedIndex()
  const quarter = millisecondsOf(() => index.put(skill('quarter', whole.slice(0, 21_750))))
  const all = millisecondsOf(() => index.put(skill('whole', whole)))
  // Quadratic growth would be sixteenfold; the first call also pays for warming up.
  expect(all).toBeLessThan(Math.max(500, 9 * quarter))
})
