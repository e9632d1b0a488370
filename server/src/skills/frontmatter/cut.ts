/** The first `max` UTF-16 units, never half of a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max).trimEnd()
}

/** The beginning of a text up to the last sentence end within `max`, else up to the last word. */
export function cutAtSentence(text: string, max: number): string {
  if (text.length <= max) return text
  // One more character tells whether the last word or sentence ends exactly at the bound.
  const head = text.slice(0, max + 1)
  let sentence = 0
  for (const match of head.matchAll(/[.!?…](?=["')\]]?\s)["')\]]?|[。！？]|\n(?=\s*\n)/g)) {
    const end = match.index + match[0].length
    if (end <= max) sentence = end
  }
  // A sentence end in the first half would throw away more than it saves.
  if (sentence >= max / 2) return head.slice(0, sentence).trimEnd()
  const space = head.search(/\s\S*$/)
  return space >= max / 2 ? head.slice(0, space).trimEnd() : cutText(text, max)
}
