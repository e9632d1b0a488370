import { describe, expect, test } from 'vitest'
import { engine, engines } from '../support/databases.ts'
import { isLong, rangeOf, reportFigure, roundsOf } from '../support/rounds.ts'
import { endRounds } from './load/end-rounds.ts'

const rounds = roundsOf(1)

describe.each(isLong ? engines : [engine])('SIGTERM under load on %s', (engine) => {
  test('a server that receives SIGTERM under load truncates no response, loses no write and exits with 0', async () => {
    const done = await endRounds(engine, 'SIGTERM', rounds)
    const cut = done.flatMap((round) => round.cut)
    const lost = done.flatMap((round) => round.lost)
    reportFigure(
      `SIGTERM on ${engine}, ${rounds} rounds: stopped within ${rangeOf(done.map(({ ms }) => ms))} ms; ${cut.length} responses truncated, ${lost.length} writes lost`,
    )
    for (const { acknowledged, ending, ms, cut, lost, integrity, printed } of done) {
      expect(ending).toEqual({ code: 0, signal: null })
      expect(cut).toEqual([])
      expect(lost).toEqual([])
      expect(integrity).toBe('ok')
      expect(printed).toBe('')
      expect(acknowledged).toBeGreaterThan(40)
      if (isLong) expect(ms).toBeLessThan(5000)
    }
  })
})
