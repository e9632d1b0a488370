import type { Express } from 'express'

/**
 * Where a value keeps its JSON, UTF-8, once an answer has shown it. Not in a `WeakMap` of all values: with
 * ten thousand of them garbage collections held the event loop for up to 48 ms, without for up to 18.
 */
const KEPT = Symbol('JSON')

interface Kept {
  readonly [KEPT]: { text: Uint8Array | undefined }
}

/** Lets the JSON of a value be written once and kept as long as the value, which is frozen for it. */
export function keepJson<T extends object>(value: T): T {
  Object.defineProperty(value, KEPT, { value: { text: undefined } })
  return Object.freeze(value)
}

/** Lets an app answer JSON from texts that are kept, where there are some; else as Express does. */
export function sendKeptJson({ response }: Express): void {
  const { json } = response
  response.json = function send(body) {
    const text = joinKeptJson(body)
    if (text === undefined) return json.call(this, body)
    this.setHeader('Content-Type', 'application/json; charset=utf-8')
    this.setHeader('Content-Length', text.length)
    return this.end(text)
  }
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
  if (!isKept(value)) return undefined
  const kept = value[KEPT]
  kept.text ??= new TextEncoder().encode(JSON.stringify(value))
  return kept.text
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && KEPT in value

const beginsWithKept = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && isKept(value[0])
