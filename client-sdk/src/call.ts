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

/** A call of a list, which has pages. */
export interface ListCall<Input extends [input?: CallSettings], Page, Item> {
  (...input: Input): Promise<Page>
  /**
   * Every item of all pages, from the page that the query names on, each page fetched when it is reached.
   *
   * @example
   * for await (const item of client.registry.skills.search.all()) console.log(item)
   */
  all(...input: Input): AsyncGenerator<Item, void, undefined>
}

/** A call that gives null where the copy that `if-none-match` names is still good. */
export interface ConditionalCall<Input extends [input: CallSettings], Result> {
  (
    input: Input[0] & { readonly headers: { readonly 'if-none-match': string } },
  ): Promise<Result | null>
  (...input: Input): Promise<Result>
}

/** A call of a file or an archive. */
export interface BytesCall<Input extends [input: CallSettings]>
  extends ConditionalCall<Input, Uint8Array<ArrayBuffer>> {
  /**
   * The bytes as they come, for what is not to be held in memory as a whole.
   *
   * @example
   * const parts = await client.registry.rawSkill.archive.stream({ params })
   */
  stream(...input: Input): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
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
