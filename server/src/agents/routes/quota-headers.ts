import type { Response } from 'express'
import type { TellQuotas } from '../quotas.ts'

const secondsOfDay = 86_400

/**
 * Tells what is left of an agent's quotas in the headers `RateLimit-Policy` and `RateLimit` (IETF
 * draft), behind the rate limit that stands there.
 */
export function tellQuotas(res: Response): TellQuotas {
  const [policy, left] = ['RateLimit-Policy', 'RateLimit'].map((name) => res.getHeader(name))
  const listed = (first: typeof policy, items: string[]) =>
    [...(first === undefined ? [] : [first]), ...items].join(', ')
  // A transaction that is tried again tells again: what it told before is replaced.
  return (states) => {
    const policies = states.map(({ name, limit }) => `"${name}";q=${limit};w=${secondsOfDay}`)
    const rest = states.map(({ name, remaining, resetSeconds }) => {
      return `"${name}";r=${remaining};t=${resetSeconds}`
    })
    res.setHeader('RateLimit-Policy', listed(policy, policies))
    res.setHeader('RateLimit', listed(left, rest))
  }
}
