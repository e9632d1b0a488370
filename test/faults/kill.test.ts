import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { isLong, rangeOf, reportFigure, roundsOf } from '../support/rounds.ts'
import { endRounds } from './load/end-rounds.ts'

const rounds = roundsOf(1)

describe.each(engines)('kill -9 under load on %s', (engine) => {
  test('a server killed under load loses no acknowledged write and no token', async () => {
    const done = await endRounds(engine, 'SIGKILL', rounds)
    const lost = done.flatMap((round) => round.lost)
    reportFigure(
      `kill -9 on ${engine}, ${rounds} rounds: ${rangeOf(done.map((round) => round.acknowledged))} writes acknowledged per round, ${lost.length} lost in total; ready ${rangeOf(done.map((round) => round.readyMs))} ms after listening`,
    )
    for (const { acknowledged, lost, integrity } of done) {
      expect(lost).toEqual([])
      expect(integrity).toBe('ok')
      expect(acknowledged).toBeGreaterThan(40)
    }
    if (isLong) expect(Math.min(...done.map(({ readyMs }) => readyMs))).toBeLessThan(1000)
  })
})
