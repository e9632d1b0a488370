import { buildOpenApi } from '@skillpass/openapi'
import { describe, expect, test } from 'vitest'

const { paths } = buildOpenApi()

const operation = (path: string) => Object(paths[path]?.post ?? paths[path]?.get)

/** Names of the query parameters, by whether a caller must send them. */
const query = (path: string) => {
  const parameters: { name: string; in: string; required?: boolean }[] = operation(path).parameters
  const named = (needed: boolean) =>
    parameters
      .filter((one) => one.in === 'query' && (one.required ?? false) === needed)
      .map(({ name }) => name)
  return { required: named(true), optional: named(false) }
}

const form = (path: string) =>
  operation(path).requestBody.content['application/x-www-form-urlencoded']

describe('the OpenAPI document of the authorization service', () => {
  test('the document shows the parameters of the token endpoint in the query', () => {
    expect(query('/oauth/token')).toEqual({
      required: ['grant_type'],
      optional: [
        'account_id',
        'scope',
        'client_id',
        'code',
        'redirect_uri',
        'code_verifier',
        'refresh_token',
        'device_code',
      ],
    })
    expect(operation('/oauth/token').parameters[0].schema.enum).toHaveLength(5)
  })

  test('the description of a token parameter names its grant and whether it is required', () => {
    const descriptions = new Map(
      operation('/oauth/token').parameters.map((one: { name: string; description: string }) => [
        one.name,
        one.description,
      ]),
    )
    expect(descriptions.get('account_id')).toMatch(/^`account_credentials` \(required\): /)
    for (const name of ['code', 'redirect_uri']) {
      expect(descriptions.get(name)).toMatch(/^`authorization_code` \(required\): /)
    }
    expect(descriptions.get('code_verifier')).toMatch(/^`authorization_code`: /)
  })

  test('the document requires the parameters that the spec requires', () => {
    expect(query('/oauth/authorize').required).toEqual([
      'response_type',
      'client_id',
      'redirect_uri',
    ])
    expect(query('/oauth/devicecode').required).toEqual(['client_id'])
    const [clientId] = operation('/oauth/devicecode').parameters
    expect(clientId.description).toContain('Basic')
    expect(query('/oauth/revoke').required).toEqual(['token'])
    expect(query('/oauth/introspect').required).toEqual(['token'])
  })

  test.each(['/oauth/token', '/oauth/devicecode', '/oauth/revoke', '/oauth/introspect'])(
    '%s takes its parameters from a form body too, and a secret from there alone',
    (path) => {
      expect(operation(path).requestBody.required).toBe(false)
      expect(form(path).schema.$ref).toMatch(/^#\/components\/schemas\//)
      const { required, optional } = query(path)
      expect([...required, ...optional]).not.toContain('client_secret')
    },
  )

  test('the query examples are those of the first example of the form', () => {
    const shown = operation('/oauth/token').parameters.flatMap(
      ({ name, example }: { name: string; example?: unknown }) =>
        example === undefined ? [] : [[name, example]],
    )
    const [first] = Object.values<{ value: object }>(form('/oauth/token').examples)
    expect(Object.fromEntries(shown)).toEqual(first?.value)
  })
})
