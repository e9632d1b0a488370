import { renderReadme } from '@skillpass/server/web/readme/render'
import { expect, test } from 'vitest'
import { hostileReadmes } from './hostile-readmes.ts'

let texts = 0

/** The least CPU time of four renderings, ms. */
async function costOf(text: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 4; i++) {
    const start = process.cpuUsage()
    await renderReadme(text, `sha256:${texts++}`)
    times.push(process.cpuUsage(start).user / 1000)
  }
  return Math.min(...times)
}

test.each(Object.entries(hostileReadmes))(
  'a readme of %s costs at most four times the CPU time of the longest ordinary readme',
  async (_name, text) => {
    const ordinary = hostileReadmes['the longest formatted'] ?? ''
    expect(await costOf(text)).toBeLessThan(4 * Math.max(await costOf(ordinary), 10))
  },
)
