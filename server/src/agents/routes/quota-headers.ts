import type { Response } from 'express'
import type { ReportQuotas } from '../quotas.ts'

const secondsOfDay = 86_400

/** Returns a function that adds quotas to `RateLimit-Policy` and `RateLimit` (IETF draft). */
export function quotaReporter(res: Response): ReportQuotas {
  const [policy, remaining] = ['RateLimit-Policy', 'RateLimit'].map((name) => res.getHeader(name))
  const listed = (first: typeof policy, items: string[]) =>
    [...(first === undefined ? [] : [first]), ...items].join(', ')
  // A retried transaction replaces the values of the previous attempt.
  return (states) => {
    const policies = states.map(({ name, limit }) => `"${name}";q=${limit};w=${secondsOfDay}`)
    const rest = states.map(({ name, remaining, resetSeconds }) => {
      return `"${name}";r=${remaining};t=${resetSeconds}`
    })
    res.setHeader('RateLimit-Policy', listed(policy, policies))
    res.setHeader('RateLimit', listed(remaining, rest))
  }
}
