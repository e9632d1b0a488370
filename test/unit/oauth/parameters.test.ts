import { encodedLength, encodedParameter } from '@skillpass/server/oauth/parameters'
import fc from 'fast-check'
import { expect, test } from 'vitest'

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
])('the encoded state of the query %s is %s', (query, encoded) => {
  expect(encodedParameter(query, 'state')).toBe(encoded)
})

test('an encoded parameter stands for the bytes that came, in characters fit for a header', () => {
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
