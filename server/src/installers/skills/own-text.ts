/** A skill of the service itself: how to use it. */
export interface OwnText {
  readonly name: string
  readonly description: string
  /** Its markdown, which names the public address of this registry. */
  readonly body: (baseUrl: string) => string
}
