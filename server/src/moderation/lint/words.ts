/** Words that rules begin at, by their numbers. */
export type Words = readonly number[]

const words: string[] = []

/**
 * Has every text searched for some words, separated by `|`. A space at the end is any white space; a word that begins
 * with a letter begins one in the text, too.
 */
export const anyOf = (list: string): Words =>
  list.split('|').map((word) => {
    const known = words.indexOf(word)
    return known < 0 ? words.push(word) - 1 : known
  })

/** Where a text in lower case has each of its words, by one pass over it. */
export function findWords(text: string): ReadonlyMap<number, readonly number[]> {
  automaton ??= build()
  const { classes, width, next, ends } = automaton
  const places = new Map<number, number[]>()
  // The low byte of each UTF-16 unit: what is found in them is compared with the text.
  if (bytes.length < text.length) bytes = Buffer.alloc(2 * text.length)
  bytes.write(text, 'latin1')
  let state = 0
  for (let at = 0; at < text.length; at += 1) {
    state = next[state * width + (classes[bytes[at] ?? 0] ?? 0)] ?? 0
    const found = ends[state]
    if (found === undefined) continue
    for (const number of found) {
      const word = words[number] ?? ''
      const start = at + 1 - word.length
      if (isLetter(word.charCodeAt(0)) && isLetter(text.charCodeAt(start - 1))) continue
      if (!text.startsWith(word.trimEnd(), start)) continue
      const known = places.get(number)
      if (known) known.push(start)
      else places.set(number, [start])
    }
  }
  return places
}

const isLetter = (code: number) => code >= 97 && code <= 122

let bytes = Buffer.alloc(64 * 1024)
let automaton: ReturnType<typeof build> | undefined

/** The automaton of Aho and Corasick for all words. */
function build() {
  const classes = new Uint8Array(256)
  let width = 1
  for (const unit of words.join('')) {
    const byte = unit.charCodeAt(0) & 0xff
    if (classes[byte] === 0) classes[byte] = width++
  }
  for (const space of '\t\n\v\f\r') classes[space.charCodeAt(0)] = classes[32] ?? 0
  const ends: (number[] | undefined)[] = [undefined]
  const children: number[][] = [new Array(width).fill(0)]
  words.forEach((word, number) => {
    let state = 0
    for (let at = 0; at < word.length; at += 1) {
      const row = children[state] ?? []
      const on = classes[word.charCodeAt(at) & 0xff] ?? 0
      if (row[on] === 0) {
        row[on] = children.push(new Array(width).fill(0)) - 1
        ends.push(undefined)
      }
      state = row[on] ?? 0
    }
    ends[state] = [...(ends[state] ?? []), number]
  })
  const next = new Uint16Array(children.length * width)
  const fallbacks = new Uint16Array(children.length)
  const queue = [0]
  for (const state of queue) {
    const fallback = fallbacks[state] ?? 0
    const also = ends[fallback]
    if (state > 0 && also) ends[state] = [...(ends[state] ?? []), ...also]
    for (let on = 0; on < width; on += 1) {
      const child = children[state]?.[on] ?? 0
      const elsewhere = state === 0 ? 0 : (next[fallback * width + on] ?? 0)
      next[state * width + on] = child === 0 ? elsewhere : child
      if (child === 0) continue
      fallbacks[child] = elsewhere
      queue.push(child)
    }
  }
  return { classes, width, next, ends }
}
