/** Options of a single call. Each overrides the setting of the client. */
export interface CallOptions {
  /** Aborts the call, including retries and waits. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds to wait for the response to begin, and then for each further part; 0 means no
   * limit. The limit for the beginning grows by 1 second for each 32 kB of the request body.
   */
  readonly timeoutMs?: number | undefined
  /** Maximum number of retries. */
  readonly retries?: number | undefined
  /**
   * Maximum total milliseconds to wait when the service rejects the call before processing it: 429,
   * or 503 with `Skillpass-Begun: no`. If set, these rejections do not count as retries.
   */
  readonly maxWaitMs?: number | undefined
}

/** Settings that every call accepts in addition to `params`, `query` and `body`. */
export interface CallSettings extends CallOptions {
  /** Additional headers, with lower-case names. */
  readonly headers?: Readonly<Record<Lowercase<string>, string>> | undefined
}

/** A call that returns one page of a list. */
export interface ListCall<Input extends [input?: CallSettings], Page, Item> {
  (...input: Input): Promise<Page>
  /**
   * Iterates over the items of all pages, beginning with the page in `query`. Fetches each page when the
   * loop reaches it.
   *
   * @example
   * for await (const item of client.registry.skills.search.all()) console.log(item)
   */
  all(...input: Input): AsyncGenerator<Item, void, undefined>
}

/** A call that accepts `if-none-match`. Returns null if your copy is current. */
export interface ConditionalCall<Input extends [input: CallSettings], Result> {
  (
    input: Input[0] & { readonly headers: { readonly 'if-none-match': string } },
  ): Promise<Result | null>
  (...input: Input): Promise<Result>
}

/** A call that returns a file or an archive. */
export interface BytesCall<Input extends [input: CallSettings]>
  extends ConditionalCall<Input, Uint8Array<ArrayBuffer>> {
  /**
   * Returns the body as a stream, so that it need not fit in memory.
   *
   * @example
   * const stream = await client.registry.rawSkill.archive.stream({ params })
   * for await (const bytes of stream) file.write(bytes)
   */
  stream(...input: Input): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
}

type Call = (input: never) => Promise<unknown>

/**
 * Input type of a call.
 *
 * @example
 * type Search = CallInput<typeof client.registry.skills.search>
 */
export type CallInput<C extends Call> = NonNullable<Parameters<C>[0]>

/**
 * Result type of a call: the body of its success response.
 *
 * @example
 * type Page = CallResult<typeof client.registry.skills.search>
 */
export type CallResult<C extends Call> = Awaited<ReturnType<C>>
