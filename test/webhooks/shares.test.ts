import { limits, type Running, shareOut, type Waiting } from '@skillpass/server/webhooks/shares'
import { array, assert, boolean, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'

const proven = (appId: string, servedAt = 0): Waiting => ({ appId, isProven: true, servedAt })

const attempts = (count: number, { appId, isProven }: Waiting): Running[] =>
  Array.from({ length: count }, () => ({ appId, isProven }))

const limitsOf = (waiting: Waiting[], running: Running[] = []) =>
  shareOut(waiting, running).map(({ appId, limit }) => `${appId} ${limit}`)

test('the app served longest ago comes first, and none gets more than its share', () => {
  const waiting = [proven('late', 3), proven('early', 1), proven('never')]
  expect(limitsOf(waiting)).toEqual(['never 4', 'early 4', 'late 4'])
  const running = attempts(limits.all - 3, proven('x'))
  expect(limitsOf(waiting, running)).toEqual(['never 1', 'early 1', 'late 1'])
  expect(limitsOf(waiting, running.slice(1))).toEqual(['never 1', 'early 1', 'late 1'])
  const full = attempts(limits.all - 2, proven('x'))
  expect(limitsOf(waiting, full)).toEqual(['never 1', 'early 1'])
  expect(limitsOf(waiting, attempts(limits.all, proven('x')))).toEqual([])
})

test('no limit of attempts is exceeded, and free attempts are always used', () => {
  const app = record({ appId: nat(30).map(String), isProven: boolean(), servedAt: nat(9) })
  const waitingApps = array(app, { maxLength: 40 }).map((apps) => [
    ...new Map(apps.map((one) => [one.appId, one])).values(),
  ])
  assert(
    property(waitingApps, array(nat(9), { maxLength: 12 }), (waiting, rounds) => {
      const running: Running[] = []
      for (const _ of rounds) {
        const shares = shareOut(waiting, running)
        running.push(...shares.flatMap((one) => attempts(one.limit, { ...one, servedAt: 0 })))
      }
      expect(running.length).toBeLessThanOrEqual(limits.all)
      const failing = running.filter(({ isProven }) => !isProven)
      expect(failing.length).toBeLessThanOrEqual(limits.unproven)
      for (const { appId, isProven } of waiting) {
        const count = running.filter((one) => one.appId === appId).length
        expect(count).toBeLessThanOrEqual(isProven ? limits.endpoint : limits.unprovenEndpoint)
      }
      expect(running.length > 0).toBe(rounds.length > 0 && waiting.length > 0)
    }),
  )
})
