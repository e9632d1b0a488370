import { setTimeout as pause } from 'node:timers/promises'
import {
  ConnectionError,
  type SkillpassError,
  TimeoutError,
  UnexpectedResponseError,
} from '../../errors.ts'
import { registryRefusal } from '../../refusals.ts'
import { reasonOf, retryAfterSeconds } from '../../transport.ts'
import type { Terminal } from '../command.ts'
import { patiently } from '../patiently.ts'

/** An answer, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** How an address is read. */
export interface Reading {
  /** Most bytes that are read of the answer. */
  readonly limit: number
  readonly accept: string
  readonly terminal: Terminal
}

/** Milliseconds without a byte after which an answer is given up, and for the whole of one. */
const patience = { silence: 20_000, whole: 300_000 }

/** Most bytes of an answer that says no. */
const longestRefusal = 64 * 1024

const retries = 2

/**
 * Reads an address that a registry has given no word in: it follows no redirect, reads no more than
 * `limit`, waits as long as a rate limit says, and tries a broken connection again. Gives 200 and
 * redirects; throws the registry's error for any other status.
 */
export async function readAnswer(url: string, reading: Reading): Promise<Answer> {
  return patiently(reading.terminal, async () => {
    for (let failures = 0; ; failures++) {
      const answer = await readOnce(url, reading).catch((error: unknown) => {
        if (error instanceof ConnectionError && failures < retries) return undefined
        throw error
      })
      const isDown = answer?.status === 503 && failures < retries
      if (answer && !isDown) return accepted(url, answer)
      await pause(250 * 2 ** failures)
    }
  })
}

function accepted(url: string, answer: Answer): Answer {
  const { status } = answer
  if (status === 200 || (status >= 300 && status < 400)) return answer
  throw refusalOf(url, answer)
}

function refusalOf(url: string, { status, headers, bytes }: Answer): SkillpassError {
  const body = parsed(bytes)
  const retryAfter = retryAfterSeconds(headers, Date.now())
  const request = `GET ${url}`
  const requestId = headers.get('x-request-id') ?? undefined
  const refused = { status, request, body, requestId, retryAfter, declared: false }
  const message = `${request} was answered with ${status}. Is this the address of a Skillpass service?`
  return registryRefusal(refused) ?? new UnexpectedResponseError({ ...refused, message })
}

/** JSON, or undefined. */
export function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

async function readOnce(url: string, { limit, accept }: Reading): Promise<Answer> {
  const stop = new AbortController()
  const giveUp = () => stop.abort(new TimeoutError({ message: `${url} did not answer in time.` }))
  const whole = setTimeout(giveUp, patience.whole)
  let silence = setTimeout(giveUp, patience.silence)
  try {
    const headers = { accept, 'accept-encoding': 'identity' }
    const response = await fetch(url, { headers, redirect: 'manual', signal: stop.signal })
    const most = response.status === 200 ? limit : longestRefusal
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      clearTimeout(silence)
      silence = setTimeout(giveUp, patience.silence)
      size += chunk.length
      if (size > most) throw new TooLong(`${url} sends more than the ${most} bytes it may have.`)
      chunks.push(chunk)
    }
    return { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) }
  } catch (cause) {
    if (cause instanceof TooLong) throw cause
    if (stop.signal.aborted) throw stop.signal.reason
    throw new ConnectionError({ message: `Could not reach ${url}: ${reasonOf(cause)}.`, cause })
  } finally {
    clearTimeout(whole)
    clearTimeout(silence)
    stop.abort()
  }
}

/** The registry sends more than it may: trying again would not help. */
class TooLong extends Error {}
