import { fetchWhole, type Send } from './load.ts'

/** One request: when it began, how long it took, ms, and its status; 0 where no answer came. */
export interface Sent {
  readonly at: number
  readonly ms: number
  readonly status: number
  /** Method and path. */
  readonly what: string
}

/** Sends requests and notes what became of each. */
export function createTimeline(): { readonly send: Send; readonly sent: readonly Sent[] } {
  const sent: Sent[] = []
  const send: Send = async (url, init) => {
    const at = performance.now()
    const note = (status: number) => {
      const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`
      sent.push({ at, ms: performance.now() - at, status, what })
    }
    try {
      const answer = await fetchWhole(url, init)
      note(answer.status)
      return answer
    } catch (error) {
      note(0)
      throw error
    }
  }
  return { send, sent }
}

/** Whether a request was served: with what it asked for, or with the reason why it may not have it. */
export const isServed = ({ status }: Sent): boolean => status > 0 && status < 500

/** Requests that began from one time until another. */
export const begunIn = (sent: readonly Sent[], from: number, to: number): Sent[] =>
  sent.filter(({ at }) => at >= from && at < to)

/** The longest time of some requests, ms. */
export const longestOf = (sent: readonly Sent[]): number =>
  sent.reduce((longest, { ms }) => Math.max(longest, ms), 0)

/** The time below which a share of some requests stayed, ms. */
export function quantile(sent: readonly Sent[], share: number): number {
  const times = sent.map(({ ms }) => ms).sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
}
