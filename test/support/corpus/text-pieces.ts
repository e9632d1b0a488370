/**
 * Where the pieces of a markdown text end: headings, lines, sentences of long lines and whole code
 * blocks, each with the blanks behind it, so that the pieces in a row are the text.
 */
export function pieceEnds(text: string): Uint32Array {
  const ends: number[] = []
  let fence = ''
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline + 1
    const line = text.slice(from, to)
    if (fence === '' && line.trim() === '' && ends.length > 0) {
      ends[ends.length - 1] = to
    } else {
      const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? ''
      if (fence === '') {
        fence = mark
        if (fence === '') sentenceEnds(text, from, to, ends)
      } else if (mark === fence) {
        fence = ''
        ends.push(to)
      }
    }
    from = to
  }
  if (ends.at(-1) !== text.length) ends.push(text.length)
  return Uint32Array.from(ends)
}

/** A sentence shorter than this stays with the next one. */
const shortest = 40

function sentenceEnds(text: string, from: number, to: number, ends: number[]): void {
  for (let start = from; ; ) {
    const end = text.indexOf('. ', start + shortest)
    if (end < 0 || end + 3 >= to) break
    ends.push(end + 2)
    start = end + 2
  }
  ends.push(to)
}
