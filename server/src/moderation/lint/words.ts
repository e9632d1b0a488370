/** Words that a rule looks for, by the number of their list. */
export type Words = number

const lists: string[][] = []

/**
 * Has every text searched for a list of words, separated by `|`. A space at the end is any white space; a word that
 * begins with a letter begins one in the text, too.
 */
export const anyOf = (words: string): Words => lists.push(words.split('|')) - 1

/** Where a text in lower case has the words of each list, by one pass over it. */
export function findWords(text: string): readonly (readonly number[] | undefined)[] {
  automaton ??= build()
  const { classes, next, ends } = automaton
  const places: (number[] | undefined)[] = new Array(lists.length)
  // The low byte of each UTF-16 unit: what is found in them is compared with the text.
  if (bytes.length < text.length) bytes = Buffer.alloc(2 * text.length)
  bytes.write(text, 'latin1')
  let state = 0
  for (let at = 0; at < text.length; at += 1) {
    state = next[state + (classes[bytes[at] ?? 0] ?? 0)] ?? 0
    const found = next[state + 1] ?? 0
    if (found === 0) continue
    for (const { word, of } of ends[found] ?? []) {
      const start = at + 1 - word.length
      if (isLetter(word.charCodeAt(0)) && isLetter(text.charCodeAt(start - 1))) continue
      if (!text.startsWith(word.trimEnd(), start)) continue
      for (const list of of) {
        const known = places[list]
        if (known) known.push(start)
        else places[list] = [start]
      }
    }
  }
  return places
}

const isLetter = (code: number) => code >= 97 && code <= 122

let bytes = Buffer.alloc(64 * 1024)
let automaton: ReturnType<typeof build> | undefined

interface Found {
  readonly word: string
  /** The lists that the word is in. */
  readonly of: number[]
}

/**
 * The automaton of Aho and Corasick for the words of all lists. A state is where its row begins: what follows on other
 * signs than those of words, the number of the words that end there, and what follows on each sign.
 */
function build() {
  const words = new Map<string, number[]>()
  lists.forEach((list, number) => {
    for (const word of list) words.set(word, [...(words.get(word) ?? []), number])
  })
  const classes = new Uint8Array(256)
  const units = new Set(Buffer.from([...words.keys()].join(''), 'latin1'))
  for (const [at, unit] of [...units].entries()) classes[unit] = at + 2
  for (const space of '\t\n\v\f\r') classes[space.charCodeAt(0)] = classes[32] ?? 0
  const width = units.size + 2
  const next = new Array<number>(width).fill(0)
  const ends: Found[][] = [[]]
  const end = (state: number, found: readonly Found[]) => {
    next[state + 1] = ends.push([...(ends[next[state + 1] ?? 0] ?? []), ...found]) - 1
  }
  for (const [word, of] of words) {
    let state = 0
    for (const unit of Buffer.from(word, 'latin1')) {
      const edge = state + (classes[unit] ?? 0)
      if (next[edge] === 0) {
        next[edge] = next.length
        next.push(...new Array<number>(width).fill(0))
      }
      state = next[edge] ?? 0
    }
    end(state, [{ word, of }])
  }
  // Where a word does not go on, the longest one does that its end begins.
  const fallbacks = new Map([[0, 0]])
  for (const [state, fallback] of fallbacks) {
    const also = ends[next[fallback + 1] ?? 0] ?? []
    if (also.length > 0) end(state, also)
    for (let unit = 2; unit < width; unit += 1) {
      const child = next[state + unit] ?? 0
      const elsewhere = state === 0 ? 0 : (next[fallback + unit] ?? 0)
      if (child === 0) next[state + unit] = elsewhere
      else fallbacks.set(child, elsewhere)
    }
  }
  return { classes, next: Uint32Array.from(next), ends }
}
