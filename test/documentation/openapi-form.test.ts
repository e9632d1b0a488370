import { grantTypes, TokenRequest } from '@skillpass/contract'
import { buildOpenApi } from '@skillpass/openapi'
import { expect, test } from 'vitest'

const { paths, components } = Object(buildOpenApi())

const form = (path: string) =>
  paths[path].post.requestBody.content['application/x-www-form-urlencoded']

/** Resolves a reference to a schema of the document. */
const schemaOf = ({ $ref }: { $ref: string }) => components.schemas[$ref.split('/').at(-1) ?? '']

const formOf = (path: string) => schemaOf(form(path).schema)

test.each(['/oauth/token', '/oauth/devicecode', '/oauth/revoke', '/oauth/introspect'])(
  '%s documents its parameters as a form body and mentions that the query works too',
  (path) => {
    const { parameters, requestBody } = paths[path].post
    expect(parameters).toEqual([])
    expect(requestBody.required).toBe(true)
    expect(requestBody.description).toContain('query')
    expect(formOf(path).type).toBe('object')
    expect(Object.keys(formOf(path).properties)).toContain('client_secret')
  },
)

test('parameters that the authorization service requires are required in the document', () => {
  const query: { name: string; required: boolean }[] = paths['/oauth/authorize'].get.parameters
  const needed = query.filter(({ required }) => required).map(({ name }) => name)
  expect(needed).toEqual(['response_type', 'client_id', 'redirect_uri'])
  // A Basic header can name the client instead.
  expect(formOf('/oauth/devicecode').required).toBeUndefined()
  expect(formOf('/oauth/revoke').required).toEqual(['token'])
  expect(formOf('/oauth/introspect').required).toEqual(['token'])
})

test('the token endpoint form is one object with the fields of every grant type', () => {
  const { required, properties, ...others } = formOf('/oauth/token')
  expect(Object.keys(others).sort()).toEqual(['description', 'type'])
  expect(required).toEqual(['grant_type'])
  expect(properties.grant_type.enum).toEqual(grantTypes)
  const fields = TokenRequest.options.flatMap(({ shape }) => Object.keys(shape))
  expect(new Set(Object.keys(properties))).toEqual(new Set(fields))
  const needed = Object.entries<{ description: string }>(properties).flatMap(
    ([name, { description }]) => (description.includes('(required)') ? [name] : []),
  )
  expect(needed).toEqual(['account_id', 'code', 'redirect_uri', 'refresh_token', 'device_code'])
  expect(properties.account_id.description).toMatch(/^`account_credentials` \(required\): \w/)
  expect(properties.code_verifier.description).toMatch(/^`authorization_code`: \w/)
})
