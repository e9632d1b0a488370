/** What a single call may set; each replaces the client's own setting for this call. */
export interface CallOptions {
  /** Ends the call, its retries and its waiting; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds until the answer must begin, and until more of it must come; 0 means no limit. The answer
   * may begin a second later for each 32 kB that are sent.
   */
  readonly timeoutMs?: number | undefined
  /** How often to repeat an attempt that may be repeated. */
  readonly retries?: number | undefined
  /**
   * Milliseconds that the call may wait in all because the service refuses it before it begins: after 429,
   * and after a 503 that says so. Such refusals then do not count as retries.
   */
  readonly maxWaitMs?: number | undefined
}

/** What every call takes beside what its route declares. */
export interface CallSettings extends CallOptions {
  /** Headers beside those that the client sets; names in lower case. */
  readonly headers?: Readonly<Record<Lowercase<string>, string>> | undefined
}

/** A call of one route. */
type Call = (input: never) => Promise<unknown>

/**
 * What a call takes.
 *
 * @example
 * type Search = CallInput<typeof client.registry.skills.search>
 */
export type CallInput<C extends Call> = NonNullable<Parameters<C>[0]>

/**
 * What a call gives: the body of its success answer.
 *
 * @example
 * type Page = CallResult<typeof client.registry.skills.search>
 */
export type CallResult<C extends Call> = Awaited<ReturnType<C>>
