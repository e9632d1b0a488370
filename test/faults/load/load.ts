import { setTimeout as pause } from 'node:timers/promises'
import { breach } from '../../support/contract.ts'
import type { Http } from '../../support/oauth-client.ts'
import { ceilingMs, until } from '../../support/waiting.ts'

/**
 * Clients that write at once and note what was acknowledged, so that after a fault the database can
 * be held against their notes. A write without an answer may or may not have happened.
 */
export interface Load {
  /** How many answers of each status came; `none` stands for a request without an answer. */
  readonly answers: Readonly<Record<string, number>>
  /** Answers whose head came and whose body broke off, and refusals that are not as the contract has them. */
  readonly broken: readonly string[]
  /** Acknowledged writes until now. */
  acknowledged(): number
  /** Waits until this many more writes are acknowledged. */
  untilMore(count: number): Promise<void>
  /** Lets the requests that run end and stops. */
  stop(): Promise<void>
  /**
   * Holds a database, and the answers of a server on it, against what was acknowledged. Once only:
   * looking whether a token is good uses it up.
   */
  verify(databaseUrl: string, url: string): Promise<Verdict>
}

export interface Verdict {
  checked: number
  /** Sentences, one for each acknowledged write that the database does not hold. */
  lost: string[]
  /** Writes that are kept though their client got no answer. */
  keptUnanswered: string[]
}

/** Sends a request and reads its answer to the end. Throws `BrokenAnswer` where that breaks off. */
export async function fetchWhole(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ceilingMs)
  const answer = await fetch(url, { redirect: 'manual', signal, ...init })
  const { status, headers } = answer
  try {
    return new Response(await answer.text(), { status, headers })
  } catch (cause) {
    const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`
    throw new BrokenAnswer(`${what}: ${status}, and its body broke off`, { cause })
  }
}

/** The head of an answer came and its body did not. */
class BrokenAnswer extends Error {}

/** No answer came to a request, or 503, which says nothing of what became of a write. */
export class NotServed extends Error {
  constructor(readonly status: 503 | undefined) {
    super(`the answer was ${status ?? 'none'}`)
  }
}

/** A server whose answers are counted. */
export function countAnswers(url: string) {
  const answers: Record<string, number> = {}
  const broken: string[] = []
  const server: Http = {
    http: async (path, init = {}) => {
      const answer = await fetchWhole(url + path, init).catch((error: unknown) => {
        if (error instanceof BrokenAnswer) broken.push(error.message)
        return undefined
      })
      const name = String(answer?.status ?? 'none')
      answers[name] = (answers[name] ?? 0) + 1
      if (!answer) throw new NotServed(undefined)
      if (answer.status === 503) {
        broken.push(...(await problemsOf(answer, path)))
        throw new NotServed(503)
      }
      return answer
    },
  }
  return { server, answers, broken }
}

/** What a refusal for an outage lacks: its shape, unless it is a page, and when to come again. */
async function problemsOf(answer: Response, path: string): Promise<string[]> {
  const type = answer.headers.get('content-type') ?? ''
  const text = await answer.text()
  const isPage = type.startsWith('text/html')
  const wrong = isPage ? undefined : breach(undefined, { status: 503, type, text, path })
  const isLasting = !(Number(answer.headers.get('retry-after')) > 0)
  return [...(wrong ? [wrong] : []), ...(isLasting ? [`503 without Retry-After: ${path}`] : [])]
}

/** Lets clients act until they are stopped, by the function that this returns. */
export function runClients(acts: readonly (() => Promise<void>)[]): () => Promise<void> {
  let isStopped = false
  const running = acts.map(async (act) => {
    while (!isStopped) {
      await act().catch((error: unknown) => {
        if (!(error instanceof NotServed)) throw error
        // Asking a server that is gone in a tight loop would only burn the CPU.
        return pause(20)
      })
    }
  })
  return async () => {
    isStopped = true
    await Promise.all(running)
  }
}

/**
 * Waits until `count` more writes are acknowledged. The ceiling counts from the latest one, so that a slow
 * machine gets the time it needs.
 */
export async function untilMore(count: number, acknowledged: () => number): Promise<void> {
  const enough = acknowledged() + count
  while (acknowledged() < enough) {
    const before = acknowledged()
    await until('an acknowledged write', () => acknowledged() > before)
  }
}
