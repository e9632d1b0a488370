import { samplePassages } from '@skillpass/server/registry/copies/passages'
import { expect, test } from 'vitest'
import { parted } from '../../support/words.ts'

/** CPU time of a sample, ms. */
function cpuTime(text: string): number {
  const before = process.cpuUsage()
  samplePassages(text, 42)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test.each(parted('<!-- ¦<b ¦](¦](\n¦![x](¦&#x1¦&#1¦** ¦<'))(
  'the CPU time of a sample grows with the length of markup that does not end: %j',
  (open) => {
    const tenth = cpuTime(open.repeat(20_000))
    // Quadratic growth would be a hundredfold.
    expect(cpuTime(open.repeat(200_000))).toBeLessThan(Math.max(500, 40 * tenth))
  },
)
