/** JSON of values that many answers show again, UTF-8; empty until an answer first shows the value. */
const texts = new WeakMap<object, Uint8Array>()
const unwritten = new Uint8Array()

/** Lets the JSON of a value be written once and kept as long as the value, which is frozen for it. */
export function keepJson<T extends object>(value: T): T {
  texts.set(value, unwritten)
  return Object.freeze(value)
}

/**
 * The JSON of an answer with a list of kept values, UTF-8: what `JSON.stringify` gives, joined from
 * their texts. Nothing where no list of the answer begins with a kept value.
 */
export function joinKeptJson(answer: unknown): Buffer | undefined {
  const isAnswer = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
  if (!isAnswer || !Object.values(answer).some(beginsWithKept)) return undefined
  const pieces: Uint8Array[] = []
  let text = '{'
  const write = (value: unknown) => {
    const kept = keptText(value)
    if (kept === undefined) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    pieces.push(Buffer.from(text), kept)
    text = ''
  }

  let isFirst = true
  for (const [name, field] of Object.entries(answer)) {
    if (field === undefined) continue
    text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`
    isFirst = false
    if (!beginsWithKept(field)) {
      write(field)
      continue
    }
    field.forEach((element, number) => {
      text += number === 0 ? '[' : ','
      write(element)
    })
    text += ']'
  }
  pieces.push(Buffer.from(`${text}}`))
  return Buffer.concat(pieces)
}

function keptText(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const text = texts.get(value)
  if (text !== unwritten) return text
  const written = new TextEncoder().encode(JSON.stringify(value))
  texts.set(value, written)
  return written
}

const beginsWithKept = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null && texts.has(value[0])
