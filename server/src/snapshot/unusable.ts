/** A snapshot that cannot be used; the message says why, in words that follow "because". */
export class UnusableSnapshot extends Error {
  override name = 'UnusableSnapshot'
}
