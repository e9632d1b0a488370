import { joinKeptJson, keepJson } from '@skillpass/server/http/kept-json'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/** Plain data with any text in it: other scripts, lone surrogates, fields that are not there. */
const plain = fc.oneof(fc.jsonValue({ noUnicodeString: false }), fc.constant(undefined))
const fields = fc.dictionary(fc.string({ unit: 'binary' }), plain, { maxKeys: 4 })
const kept = fields.map((value) => keepJson({ ...value }))

const textOf = (answer: unknown) => joinKeptJson(answer)?.toString()

test('joined JSON of a page of kept parts among other fields is what JSON.stringify returns', () => {
  const page = fc.record({ before: plain, data: fc.array(kept, { minLength: 1 }), after: plain })
  fc.assert(
    fc.property(page, fields, (one, more) => {
      const answer = { ...more, ...one }
      expect(textOf(answer)).toBe(JSON.stringify(answer))
      expect(textOf(answer)).toBe(JSON.stringify(answer))
    }),
  )
})

test('joined JSON of lists that hold other elements too is what JSON.stringify returns', () => {
  const list = fc.tuple(kept, fc.array(fc.oneof(plain, kept, fields, fc.array(kept))))
  fc.assert(
    fc.property(list, plain, ([first, rest], last) => {
      const answer = { data: [first, ...rest], part: first, none: [], last }
      expect(textOf(answer)).toBe(JSON.stringify(answer))
    }),
  )
})

test('an answer without a list that begins with a kept part is not joined', () => {
  const part = keepJson({ id: 1 })
  const answers = [undefined, null, 'text', [part], [[part]], { part }, { data: [[part]] }]
  for (const answer of [...answers, { data: [] }, { data: [{ part }] }, { data: [0, part] }]) {
    expect(joinKeptJson(answer)).toBeUndefined()
  }
})

test('a kept value cannot change any more', () => {
  const part = keepJson({ id: 1 })
  expect(() => Object.assign(part, { id: 2 })).toThrow(TypeError)
})
