import {
  describeScope,
  isScope,
  parseScopes,
  scopeCatalogue,
  scopeLevel,
} from '@skillpass/contract'
import type { OAuthClient } from '@skillpass/server/apps/store/clients'
import {
  isRegistered,
  narrowScopes,
  requestedScopes,
  stillHas,
} from '@skillpass/server/oauth/scopes'
import { describe, expect, test } from 'vitest'

const client: OAuthClient = {
  clientId: 'x',
  environment: 'production',
  secretHash: '',
  previousSecretHash: null,
  previousSecretExpiresAt: null,
  scopes: ['user:read:user', 'imchat:bot', 'meeting:read'],
  optionalScopes: ['meeting:write:meeting'],
  app: {
    id: 'x',
    name: 'x',
    type: 'chatbot',
    level: 'user',
    visibility: 'public',
    accountId: 'x',
    accountName: 'x',
    deviceFlow: false,
    publicClient: false,
    requireS256: false,
    disabled: false,
    disabledByPlatform: false,
  },
}

describe('scopes', () => {
  test('scopes are separated by spaces and parsed once each, in order', () => {
    expect(parseScopes(' b  a b ')).toEqual(['b', 'a'])
    expect(parseScopes('')).toEqual([])
    expect(parseScopes('a\tb')).toEqual(['a\tb'])
  })

  test.each([
    ['user:read:user', true, 'user'],
    ['user:read:user:admin', true, 'admin'],
    ['user:read:user:master', true, 'master'],
    ['user:read:list_users', false, undefined],
    ['user:read', true, 'user'],
    ['user:master', true, 'master'],
    ['imchat:bot', true, 'bot'],
    ['user:read:user:owner', false, undefined],
    ['__proto__', false, undefined],
    ['', false, undefined],
  ])('the text "%s" is a scope: %s, of level %s', (scope, isOne, level) => {
    expect(isScope(scope)).toBe(isOne)
    if (isOne) expect(scopeLevel(scope)).toBe(level)
  })

  test('the catalogue lists scopes once each, with a sentence', () => {
    const names = scopeCatalogue.map(({ scope }) => scope)
    expect(new Set(names).size).toBe(names.length)
    for (const { scope, level, sentence } of scopeCatalogue) {
      expect(isScope(scope)).toBe(true)
      expect(scopeLevel(scope)).toBe(level)
      expect(describeScope(scope)).toBe(sentence)
      expect(sentence).toMatch(/^[A-Z].{5,}[^.]$/)
    }
  })
})

describe('granted scopes', () => {
  test('a request gets all available scopes, or those of them that it names', () => {
    expect(narrowScopes(undefined, ['a', 'b'])).toEqual(['a', 'b'])
    expect(narrowScopes(' ', ['a', 'b'])).toEqual(['a', 'b'])
    expect(narrowScopes('b b', ['a', 'b'])).toEqual(['b'])
    expect(() => narrowScopes('a c', ['a', 'b'])).toThrow(/a scope that does not exist/)
  })

  test('a request without scopes asks for those of the app, except messages of chatbots', () => {
    expect(requestedScopes(client, undefined, undefined)).toEqual({
      required: ['user:read:user', 'meeting:read'],
      optional: ['meeting:write:meeting'],
    })
  })

  test('scope names required scopes, even optional ones, and optional_scope names optional ones', () => {
    const optional = 'meeting:write:meeting'
    expect(requestedScopes(client, optional, undefined)).toEqual({
      required: [optional],
      optional: [],
    })
    expect(requestedScopes(client, 'user:read:user', optional)).toEqual({
      required: ['user:read:user'],
      optional: [optional],
    })
    expect(requestedScopes(client, undefined, 'user:read:user').optional).toEqual([])
    expect(() => requestedScopes(client, undefined, 'meeting:read')).toThrow(/granular/)
  })

  test('an app has a scope while it, or a granular one of a classic one, is registered', () => {
    expect(stillHas(client, 'meeting:write:meeting')).toBe(true)
    expect(stillHas(client, 'meeting:write')).toBe(true)
    expect(isRegistered(client, 'meeting:write')).toBe(false)
    for (const lost of ['meeting:write:admin', 'user:write', 'user:update:user']) {
      expect(stillHas(client, lost)).toBe(false)
    }
  })
})
