import { answersChallenge, isChallenge } from '@skillpass/server/oauth/pkce'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** The pair of RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const s256 = { codeChallenge: challenge, codeChallengeMethod: 'S256' } as const
const plain = { codeChallenge: verifier, codeChallengeMethod: 'plain' } as const
const none = { codeChallenge: null, codeChallengeMethod: null }

describe('a challenge', () => {
  test.each([
    ['S256', challenge, true],
    ['S256', challenge.slice(1), false],
    ['S256', `${challenge}=`, false],
    ['S256', `${challenge}A`, false],
    ['S256', `${challenge.slice(1)}+`, false],
    ['S256', `${challenge}\n`, false],
    ['S256', '', false],
    ['plain', verifier, true],
    ['plain', 'x'.repeat(42), false],
    ['plain', 'x'.repeat(128), true],
    ['plain', 'x'.repeat(129), false],
    ['plain', `${verifier} `, false],
    ['plain', `é${verifier}`, false],
  ] as const)('of method %s: %s is one: %s', (method, text, isOne) => {
    expect(isChallenge(text, method)).toBe(isOne)
  })
})

describe('a verifier', () => {
  test('answers the challenge of the RFC, and its own where the method is plain', () => {
    expect(answersChallenge(s256, verifier)).toBe(true)
    expect(answersChallenge(plain, verifier)).toBe(true)
  })

  test('is needed where there is a challenge, and refused where there is none', () => {
    expect(answersChallenge(s256, undefined)).toBe(false)
    expect(answersChallenge(plain, undefined)).toBe(false)
    expect(answersChallenge(none, verifier)).toBe(false)
    expect(answersChallenge(none, undefined)).toBe(true)
  })

  test('is not the challenge', () => {
    expect(answersChallenge(s256, challenge)).toBe(false)
  })

  test('longer than 256 characters is refused', () => {
    const long = 'x'.repeat(257)
    expect(answersChallenge({ ...plain, codeChallenge: long }, long)).toBe(false)
  })

  test('that is any other text is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        fc.pre(text !== verifier)
        expect(answersChallenge(s256, text)).toBe(false)
        expect(answersChallenge(plain, text)).toBe(false)
      }),
    )
  })
})
