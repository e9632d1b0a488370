import { lintSkill } from '@skillpass/server/registry/lint/index'
import { describe, expect, test } from 'vitest'
import { filled, hostileParts, mixedParts } from '../search/hostile-text.ts'

const size = 256 * 1024
/** Four times the text takes four times as long, and sixteen times where time is quadratic: half-way. */
const linear = 8
/** What takes less than this is too short to be compared, in ms on the processor. */
const measurable = 40
const most = 40

/** The least of some rounds, for others work on this machine too. */
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

function expectLinear(textOf: (bytes: number) => string): void {
  const whole = textOf(size)
  let cost = costOf(whole, 1)
  if (cost <= measurable) return
  const quarter = textOf(size / 4)
  let least = costOf(quarter, 2)
  // A crowded machine gets more rounds before it is believed.
  for (let round = 0; round < most && cost > linear * least; round += 1) {
    cost = Math.min(cost, costOf(whole, 1))
    least = Math.min(least, costOf(quarter, 1))
  }
  expect(cost / least).toBeLessThanOrEqual(linear)
}

describe('the time of the lint grows with the text and no faster', () => {
  /** One of each that a check looks for before it searches any further. */
  const opened =
    'curl exec fetch( eval( ~/.ssh/id_rsa env | https://a ](https://a <img <!-- --> a@b ignore your PRIVATE KEY \u0430 \u{1d41a}\n\n'

  test.each(hostileParts)('over %j again and again', (part) => {
    for (const separator of ['', '\n']) {
      for (const before of ['', `---\na: b\n---\n${opened}`]) {
        expectLinear((bytes) => before + filled(part + separator, bytes - 256))
      }
    }
  })

  test.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'over mixed parts of seed %i',
    (seed) => {
      const part = mixedParts(seed)
      expectLinear((bytes) => opened + filled(part, bytes - 256))
    },
  )
})
