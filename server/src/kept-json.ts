/** JSON of values that many answers show again, UTF-8; empty until an answer first shows the value. */
const texts = new WeakMap<object, Uint8Array>()
const unwritten = new Uint8Array()

/** Lets the JSON of a value be written once and kept as long as the value, which is frozen for it. */
export function keepJson<T extends object>(value: T): T {
  texts.set(value, unwritten)
  return Object.freeze(value)
}

/**
 * The JSON of an answer with kept parts, UTF-8: what `JSON.stringify` gives, joined from their texts.
 * Kept parts are found as elements of the answer's lists (a page of skills) or as fields of these
 * elements (the skill of a result). Nothing where a list does not begin with one.
 */
export function joinKeptJson(answer: unknown): Buffer | undefined {
  if (!isObject(answer) || !Object.values(answer).some(beginsWithKept)) return undefined
  const pieces: Uint8Array[] = []
  let text = ''

  const write = (value: unknown) => {
    const kept = keptText(value)
    if (kept === undefined) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    pieces.push(Buffer.from(text), kept)
    text = ''
  }
  const writeFields = (value: object, writeField: (field: unknown) => void) => {
    let separator = '{'
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      text += `${separator}${JSON.stringify(name)}:`
      separator = ','
      writeField(field)
    }
    text += separator === '{' ? '{}' : '}'
  }
  const writeElement = (element: unknown) =>
    isObject(element) && !texts.has(element) && hasKept(element)
      ? writeFields(element, write)
      : write(element)
  const writeList = (list: readonly unknown[]) => {
    let separator = '['
    for (const element of list) {
      text += separator
      separator = ','
      writeElement(element)
    }
    text += ']'
  }

  writeFields(answer, (field) => (beginsWithKept(field) ? writeList(field) : write(field)))
  pieces.push(Buffer.from(text))
  return Buffer.concat(pieces)
}

function keptText(value: unknown): Uint8Array | undefined {
  if (!isObject(value)) return undefined
  const text = texts.get(value)
  if (text !== unwritten) return text
  const written = new TextEncoder().encode(JSON.stringify(value))
  texts.set(value, written)
  return written
}

/** Whether JSON shows the value in braces. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKept = (value: unknown): boolean => isObject(value) && texts.has(value)

const hasKept = (value: object): boolean => Object.values(value).some(isKept)

const beginsWithKept = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && (isKept(value[0]) || (isObject(value[0]) && hasKept(value[0])))
