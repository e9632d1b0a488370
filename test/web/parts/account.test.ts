import {
  findDifference,
  nameCharacter,
  spelledOut,
} from '@skillpass/server/web/account/address-difference'
import { readReturnTo, returnToOf, signInPath } from '@skillpass/server/web/account/return-to'
import { pagePolicyTowards } from '@skillpass/server/web/ui/assets'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parted } from '../../support/words.ts'

describe('the address after signing in', () => {
  test.each([
    '/my/approvals',
    '/',
    '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.test%2Fcb&state=%FF//x',
    '/oauth/device/complete/BCDF-GHJK',
  ])('a sign-in returns to the requested address %s', (path) => {
    expect(readReturnTo(path)).toBe(path)
  })

  test.each(
    parted(
      '¦https://evil.test/¦//evil.test/¦///evil.test¦/\\evil.test¦\\\\evil.test¦/\t/evil.test',
      '/\n/evil.test¦ /my/apps¦/my apps¦my/apps¦javascript:alert(1)¦/%2f/evil.test¦/%2Fevil.test',
      '/%5cevil.test¦/%09/evil.test¦/.//evil.test¦/a/..//evil.test¦/a/%2e%2e//evil.test¦/%zz',
      '/\u2028/evil.test¦/x\\y¦/\u0000',
    ),
  )('a sign-in does not return to %j, which may lead elsewhere', (path) => {
    expect(readReturnTo(path)).toBe('/my/apps')
  })

  test('a sign-in returns to this site whatever the address', () => {
    const piece = fc.constantFrom('/', '\\', '%2f', '%5c', '.', '..', '@', ':', '\t', '?', '#', 'a')
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
        const read = readReturnTo(`/${parts.join('')}`)
        expect(new URL(read, 'https://own.test').origin).toBe('https://own.test')
      }),
    )
  })

  test('the address after a sign-in keeps every byte of the request line', () => {
    const queryOf = (path: string) => signInPath(path).replace('/sign-in?', '')
    expect(returnToOf(queryOf('/a?state=%ff+\u00e9&b=c'))).toBe('/a?state=%ff+%E9&b=c')
    const long = `/a?state=${'%E2'.repeat(4096)}&b=c`
    expect(returnToOf(queryOf(long))).toBe(long)
    expect(signInPath(long).length).toBeLessThan(13_000)
  })
})

describe('the difference of two addresses', () => {
  test.each([
    ['a', 'a', '“a”'],
    ['a', 'ab', 'nothing more'],
    ['\u0430', 'a', '“\u0430” (U+0430)'],
    ['\u202e', 'a', 'U+202E'],
    ['\u{1f600}', 'a', '“\u{1f600}” (U+1F600)'],
  ])('the difference of %j to %j is %s in words', (received, registered, words) => {
    const at = findDifference(received, [registered])?.same ?? 0
    expect(nameCharacter(received, received === registered ? 0 : at)).toBe(words)
  })

  test('invisible characters of an address are spelled out', () => {
    expect(spelledOut('a\u202eb\u0000 c')).toBe('a[U+202E]b[U+0000][U+0020]c')
  })
})

describe('the policy of a page that leads to an app', () => {
  test.each([
    ['http://[::1]:8090/', "'self' http:"],
    ['com.example.app:/callback', "'self' com.example.app:"],
    ['https://a;sandbox/', "'self' https:"],
  ])(
    'the policy of a page that leads to %s allows its scheme, and has nothing else of the address',
    (uri, targets) => {
      const policy = pagePolicyTowards(uri)
      expect(policy).toContain(`form-action ${targets};`)
      expect(policy).not.toContain('sandbox')
    },
  )
})
