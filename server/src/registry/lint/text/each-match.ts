/**
 * The matches of a global pattern, at most so many: a hostile text may have a hundred thousand.
 * `matchAll` would copy the pattern for each text, which costs more than the search.
 */
export function eachMatch(
  pattern: RegExp,
  text: string,
  act: (match: RegExpExecArray) => void,
  most = Number.POSITIVE_INFINITY,
): void {
  pattern.lastIndex = 0
  for (let count = 0; count < most; count += 1) {
    const match = pattern.exec(text)
    if (!match) return
    act(match)
  }
}
