import { setTimeout as pause } from 'node:timers/promises'
import { breach } from '../../support/contract.ts'
import type { Http } from '../../support/oauth-client.ts'
import { ceilingMs, until } from '../../support/waiting.ts'

/**
 * Concurrent clients that record acknowledged writes, so that a test can compare the database with
 * them after a fault. A write without a response may or may not be committed.
 */
export interface Load {
  /** Number of responses by status; `none` counts requests without a response. */
  readonly responses: Readonly<Record<string, number>>
  /** Truncated responses, and errors that violate the contract. */
  readonly broken: readonly string[]
  /** Returns the number of acknowledged writes so far. */
  acknowledged(): number
  /** Waits for `count` more acknowledged writes. */
  untilMore(count: number): Promise<void>
  /** Stops after the requests in flight. */
  stop(): Promise<void>
  /**
   * Compares a database and the responses of its server with the acknowledged writes. Call it once,
   * because checking a refresh token or code consumes it.
   */
  verify(databaseUrl: string, url: string): Promise<Verdict>
}

export interface Verdict {
  checked: number
  /** Descriptions of acknowledged writes that are missing. */
  lost: string[]
  /** Writes that were committed although the client got no response. */
  keptUnanswered: string[]
}

/**
 * Sends a request and reads the whole response. Throws `TruncatedResponse` if the body is
 * truncated.
 */
export async function fetchWhole(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ceilingMs)
  const response = await fetch(url, { redirect: 'manual', signal, ...init })
  const { status, headers } = response
  try {
    return new Response(await response.text(), { status, headers })
  } catch (cause) {
    const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`
    throw new TruncatedResponse(`${what}: ${status}, and its body was truncated`, { cause })
  }
}

/** A response was truncated after its headers. */
class TruncatedResponse extends Error {}

/** A request got no response or a 503, so the outcome of its write is unknown. */
export class NotServed extends Error {
  constructor(readonly status: 503 | undefined) {
    super(`the response was ${status ?? 'missing'}`)
  }
}

/** Wraps a server and counts its responses, and the acknowledged writes that a load reports. */
export function countResponses(url: string) {
  const responses: Record<string, number> = {}
  const broken: string[] = []
  let acknowledged = 0
  const server: Http = {
    http: async (path, init = {}) => {
      const response = await fetchWhole(url + path, init).catch((error: unknown) => {
        if (error instanceof TruncatedResponse) broken.push(error.message)
        return undefined
      })
      const name = String(response?.status ?? 'none')
      responses[name] = (responses[name] ?? 0) + 1
      if (!response) throw new NotServed(undefined)
      if (response.status === 503) {
        broken.push(...(await problemsOf(response, path)))
        throw new NotServed(503)
      }
      return response
    },
  }
  return {
    server,
    responses,
    broken,
    acknowledged: () => acknowledged,
    /** Counts an acknowledged write. */
    done: () => {
      acknowledged++
    },
    /** The timeout restarts at each acknowledged write, so that a slow machine does not fail. */
    untilMore: async (count: number) => {
      const enough = acknowledged + count
      while (acknowledged < enough) {
        const before = acknowledged
        await until('an acknowledged write', () => acknowledged > before)
      }
    },
  }
}

/** Returns the faults of a 503: a wrong body, unless it is a page, or a missing `Retry-After`. */
async function problemsOf(response: Response, path: string): Promise<string[]> {
  const type = response.headers.get('content-type') ?? ''
  const text = await response.text()
  const isPage = type.startsWith('text/html')
  const wrong = isPage ? undefined : breach(undefined, { status: 503, type, text, path })
  const isLasting = !(Number(response.headers.get('retry-after')) > 0)
  return [...(wrong ? [wrong] : []), ...(isLasting ? [`503 without Retry-After: ${path}`] : [])]
}

/** Runs clients until the returned function is called. */
export function runClients(acts: readonly (() => Promise<void>)[]): () => Promise<void> {
  let isStopped = false
  const running = acts.map(async (act) => {
    while (!isStopped) {
      await act().catch((error: unknown) => {
        if (!(error instanceof NotServed)) throw error
        // Pause, because retrying in a tight loop would only use CPU.
        return pause(20)
      })
    }
  })
  return async () => {
    isStopped = true
    await Promise.all(running)
  }
}
