import { encodedLength, encodedParameter, readParameters } from '@skillpass/server/oauth/parameters'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const read = (...texts: string[]) => {
  const { values, names, repeated } = readParameters(...texts)
  return { values: Object.fromEntries(values), names: [...names], repeated: [...repeated] }
}

describe('parameters', () => {
  test('are read from all texts, decoded; an empty one is named and has no value', () => {
    expect(read('a=1&b=x+y%20z', 'c=%C3%BC&d=&e')).toEqual({
      values: { a: '1', b: 'x y z', c: 'ü' },
      names: ['a', 'b', 'c', 'd', 'e'],
      repeated: [],
    })
  })

  test.each([
    ['in one text', ['a=1&a=2'], ['a']],
    ['in two texts', ['a=1', 'a=1'], ['a']],
    ['with an empty value', ['a=1&a='], ['a']],
    ['under an encoded name', ['a=1&%61=2'], ['a']],
    ['as a list', ['a[]=1'], ['a']],
    ['as an object', ['a[b][c]=1'], ['a']],
  ])('that come twice are told: %s', (_, texts, repeated) => {
    expect(read(...texts).repeated).toEqual(repeated)
  })

  test('with NUL, and more than a hundred of them, are refused', () => {
    expect(() => read('a=%00')).toThrow(/NUL/)
    const many = Array.from({ length: 51 }, (_, i) => `a${i}=1`).join('&')
    expect(() => read(many, many.replaceAll('a', 'b'))).toThrow(/too many/)
  })

  test('named like properties of every object are as good as others', () => {
    expect(read('__proto__=1&constructor=2').names).toEqual(['__proto__', 'constructor'])
  })
})

describe('an encoded parameter', () => {
  /** The bytes that a percent-encoded text stands for. */
  const bytesOf = (encoded: string) =>
    Buffer.from(
      encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    )

  test.each([
    ['state=a+b', 'a%20b'],
    ['state=a%2bb', 'a%2Bb'],
    ['state=a/b=c', 'a%2Fb%3Dc'],
    ['state=%ff%fe', '%FF%FE'],
    ['state=%zz', '%25zz'],
    ['state=%0d%0aX', '%0D%0AX'],
    ['x=1&st%61te=a', 'a'],
    ['state', ''],
    ['x=state', undefined],
  ])('of %s is %s', (query, encoded) => {
    expect(encodedParameter(query, 'state')).toBe(encoded)
  })

  test('stands for the bytes it came with, whatever they are, in characters fit for a header', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const written = [...bytes].map((one) => `%${one.toString(16).padStart(2, '0')}`).join('')
        const encoded = encodedParameter(`state=${written}`, 'state') ?? ''
        expect(bytesOf(encoded)).toEqual(Buffer.from(bytes))
        expect(encoded).toMatch(/^[\w.~%-]*$/)
        expect(encodedLength(encoded)).toBe(bytes.length)
      }),
    )
  })
})
