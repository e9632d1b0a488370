/** What is checked at once, in characters: some ten milliseconds' work. */
const partLength = 64 * 1024

/** How much of a part the next one begins with, so that nothing is parted. */
const overlap = 2048

/** A part of a long text, and the number of its first line. */
export interface TextPart {
  readonly text: string
  readonly firstLine: number
}

/** Cuts a text into parts that overlap, at the ends of lines where there are any. */
export function* partsOf(text: string): Generator<TextPart> {
  let firstLine = 1
  for (let start = 0; ; ) {
    const end = start + partLength
    if (end >= text.length) {
      yield { text: text.slice(start), firstLine }
      return
    }
    yield { text: text.slice(start, end), firstLine }
    const newline = text.lastIndexOf('\n', end - overlap)
    const next = newline > start ? newline + 1 : end - overlap
    for (
      let at = text.indexOf('\n', start);
      at >= 0 && at < next;
      at = text.indexOf('\n', at + 1)
    ) {
      firstLine += 1
    }
    start = next
  }
}
