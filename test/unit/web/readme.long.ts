import { renderReadme } from '@skillpass/server/web/readme/render'
import { expect, test } from 'vitest'
import { hostileReadmes } from './hostile-readmes.ts'

let texts = 0

/** The least CPU time of four renderings, ms. */
function costOf(text: string): number {
  const times = Array.from({ length: 4 }, () => {
    const start = process.cpuUsage()
    renderReadme(text, `sha256:${texts++}`)
    return process.cpuUsage(start).user / 1000
  })
  return Math.min(...times)
}

test.each(Object.entries(hostileReadmes))(
  'a readme of %s costs at most four times the CPU time of the longest ordinary readme',
  (_name, text) => {
    const ordinary = hostileReadmes['the longest formatted'] ?? ''
    expect(costOf(text)).toBeLessThan(4 * Math.max(costOf(ordinary), 10))
  },
)
