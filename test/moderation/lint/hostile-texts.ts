import { filled, hostileParts, mixedParts } from '../../support/hostile-text.ts'

/** One start of a match for each rule that searches further only after such a start. */
const opened =
  'curl exec fetch( eval( ~/.ssh/id_rsa env | https://a ](https://a <img <!-- --> a@b ignore your PRIVATE KEY \u0430 \u{1d41a}\n\n'

const seeds = Array.from({ length: 40 }, (_, seed) => seed)

/** Yields texts of at most this size, each a repetition of hostile parts. */
export function* hostileTexts(bytes: number): Generator<string> {
  const size = bytes - 256
  for (const part of hostileParts) {
    for (const before of ['', `---\na: b\n---\n${opened}`]) {
      for (const separator of ['', '\n']) yield before + filled(part + separator, size)
    }
  }
  for (const seed of seeds) yield opened + filled(mixedParts(seed), size)
}
