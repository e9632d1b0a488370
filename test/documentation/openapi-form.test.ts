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
  expect(formOf('/oauth/devicecode').required).toEqual(['client_id'])
  expect(formOf('/oauth/revoke').required).toEqual(['token'])
  expect(formOf('/oauth/introspect').required).toEqual(['token'])
  const grants = formOf('/oauth/token').oneOf.map(schemaOf)
  expect(grants.map(({ required }: { required: string[] }) => required.slice(1))).toEqual([
    ['account_id'],
    ['code', 'redirect_uri'],
    ['refresh_token'],
    ['device_code'],
    [],
  ])
})

test('the token endpoint form has the fields of every grant type and requires grant_type', () => {
  const { required, properties, oneOf } = formOf('/oauth/token')
  expect(required).toEqual(['grant_type'])
  expect(properties.grant_type.enum).toHaveLength(oneOf.length)
  const fields = oneOf.flatMap((one: { $ref: string }) => Object.keys(schemaOf(one).properties))
  expect(new Set(Object.keys(properties))).toEqual(new Set(fields))
  expect(properties.account_id.description).toMatch(/^`account_credentials` \(required\): \w/)
  expect(properties.code_verifier.description).toMatch(/^`authorization_code`: \w/)
})
