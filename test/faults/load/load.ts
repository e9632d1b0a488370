import { ceilingMs, until } from '../../support/waiting.ts'

/**
 * Clients that write at once and note what was acknowledged, so that after a fault the database can
 * be held against their notes. A write without an answer may or may not have happened.
 */
export interface Load {
  readonly answers: Answers
  /** Answers whose head came and whose body broke off. */
  readonly broken: readonly string[]
  acknowledged(): number
  /** Acknowledged writes of each kind. */
  kinds(): Record<string, number>
  /** Waits until this many more writes are acknowledged. */
  untilMore(count: number): Promise<void>
  /**
   * What is certain now and stays so whatever comes later. What changes all the time is left out,
   * or from now on left alone.
   */
  snapshot(): Notes
  /** Lets the requests that run end and stops. */
  stop(): Promise<void>
  /** Notes of what was acknowledged until now. */
  readonly notes: Notes
}

/** What was acknowledged, to be held against what is there. */
export interface Notes {
  /**
   * Holds a database, and the answers of a server on it, against them. Once only: looking whether a
   * token is good uses it up.
   */
  verify(databaseUrl: string, url: string): Promise<Verdict>
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

/** How many answers of each status came; `none` stands for a request without an answer. */
export type Answers = Record<string, number>

export interface Verdict {
  checked: number
  /** Sentences, one for each acknowledged write that the database does not hold. */
  lost: string[]
  /** Writes that are kept though their client got no answer. */
  keptUnanswered: string[]
}

/** Sends a request and reads its answer to the end. Throws `BrokenAnswer` where that breaks off. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

/** How clients write. */
export interface Pace {
  /** How they send; `fetchWhole` by default. */
  readonly send?: Send
  /** How long each rests between two acts, ms; not at all by default. */
  readonly restMs?: number
}

export const fetchWhole: Send = async (url, init) => {
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
export class BrokenAnswer extends Error {}

/** Adds up counts by name. */
export function sumOf(all: Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  }
  return sum
}
