import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { apiVersion, contract, metadataOf, rateLimits } from '@skillpass/contract'
import { buildOpenApi } from '@skillpass/openapi'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../support/server.ts'

const document = buildOpenApi()

function routesOf(router: AppRouter, path: string[] = []): [id: string, route: AppRoute][] {
  return Object.entries(router).flatMap(([key, value]) =>
    isAppRoute(value)
      ? [[[...path, key].join('.'), value] satisfies [string, AppRoute]]
      : routesOf(value, [...path, key]),
  )
}

/** The routes that the document describes. */
const routes = routesOf(contract).filter(([, route]) => metadataOf(route).tag !== undefined)

const operationOf = (route: AppRoute) =>
  document.paths[route.path.replace(/[:*](\w+)/g, '{$1}')]?.[route.method.toLowerCase()]

/** Yields every object of the document with its JSON pointer. */
function* nodes(value: unknown, pointer = '#'): Generator<[string, object]> {
  if (typeof value !== 'object' || value === null) return
  yield [pointer, value]
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${pointer}/${key}`)
}

/** Follows the reference of a node, if it is one. */
const resolved = (node: object, within: unknown): unknown => {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node
  const keys = node.$ref.slice(2).split('/')
  return keys.reduce((at, key) => Object(at)[key], within)
}

/** Returns the global names of browsers and of JavaScript. */
function globalNames(): Set<string> {
  const { resolve } = createRequire(import.meta.url)
  const texts = ['dom', 'es5', 'es2015.collection', 'es2015.promise', 'es2015.proxy'].map((lib) =>
    readFileSync(resolve(`typescript/lib/lib.${lib}.d.ts`), 'utf8'),
  )
  const declared = /^(?:declare (?:var|function)|interface|type) (\w+)/gm
  return new Set(texts.flatMap((text) => [...text.matchAll(declared)].map(([, name = '']) => name)))
}

test('openapi/openapi.json is up to date (run npm run generate)', () => {
  const file = new URL('../../openapi/openapi.json', import.meta.url)
  expect(`${JSON.stringify(document, null, 2)}\n` === readFileSync(file, 'utf8')).toBe(true)
})

test('the document has the version, the license and the server address', () => {
  expect(document.info).toMatchObject({ title: 'Skillpass', version: apiVersion })
  expect(document.info.license?.name).toBe('MIT')
  expect(document.info.contact?.url).toBe('http://localhost:3000/docs')
  expect(document.servers).toEqual([{ url: 'http://localhost:3000' }])
  expect(buildOpenApi('https://x.test').servers?.[0]?.url).toBe('https://x.test')
})

test('the served document contains only addresses of its installation', async () => {
  const env = { BASE_URL: 'https://x.test', AUTH_URL: 'https://auth.test' }
  const server = await startTestServer({ env })
  const { info, servers } = await (await server.http('/openapi.json')).json()
  expect([info.contact.url, servers]).toEqual(['https://x.test/docs', [{ url: 'https://x.test' }]])
  expect(await (await server.http('/openapi.json')).text()).not.toContain('localhost:3000')
})

test.each(routes)('operation %s documents everything that its route declares', (id, route) => {
  const operation = operationOf(route)
  const { auth, limit, tag } = metadataOf(route)
  expect(Object.keys(operation.responses)).toEqual(Object.keys(route.responses))
  expect(operation).toMatchObject({ operationId: id, tags: [tag], summary: route.summary })
  expect(operation.description).toContain(route.description)
  if (limit !== 'none') expect(operation.description).toContain(rateLimits[limit].description)
  const security = {
    none: [],
    apiKey: [{ apiKey: [] }],
    client: [{ clientBasic: [] }, {}],
    accessToken: [{ accessToken: [] }],
  }
  expect(operation.security.filter((one: object) => !('oauth' in one))).toEqual(security[auth])
  expect(document.tags?.map(({ name }) => name)).toContain(tag)
})

test('each API route has an operation, and routes that installers define have no operation', () => {
  const ids = Object.values(document.paths)
    .flatMap((item) => Object.values<{ operationId: string }>(item))
    .map(({ operationId }) => operationId)
  expect(ids.sort()).toEqual(routes.map(([id]) => id).sort())
  expect(Object.keys(document.paths)).not.toContain('/api/search')
})

test('no schema is named like a global, which would shadow the global in generated clients', () => {
  const globals = globalNames()
  expect(globals).toContain('Blob')
  const names = Object.keys(document.components?.schemas ?? {})
  expect(names.filter((name) => globals.has(name))).toEqual([])
})

test('integers over 32 bits have the format int64, and no bound is a limit of JavaScript', () => {
  const maxInt32 = 2 ** 31 - 1
  for (const [pointer, node] of nodes(document)) {
    const { type, format, minimum = 0, maximum = 0, example = 0 } = Object(node)
    if (type !== 'integer') continue
    expect(Math.max(-minimum, maximum), pointer).toBeLessThan(Number.MAX_SAFE_INTEGER)
    if (Math.max(maximum, example) > maxInt32)
      expect(`${pointer} ${format}`).toBe(`${pointer} int64`)
  }
})

test('a nullable enum lists null among its values (OpenAPI 3.0.3)', () => {
  const enums = [...nodes(document)].filter(([, node]) => 'nullable' in node && 'enum' in node)
  expect(enums.length).toBeGreaterThan(2)
  for (const [pointer, node] of enums) expect(Object(node).enum, pointer).toContain(null)
})

test.each(routes)('the examples of %s match its schemas', (_, route) => {
  const operation = operationOf(route)
  for (const [status, schema] of Object.entries(route.responses)) {
    if (!(schema instanceof z.ZodType)) continue
    const response = resolved(operation.responses[status], document)
    const { example, examples = { one: { value: example } } } =
      Object(response).content['application/json']
    for (const { value } of Object.values<{ value: unknown }>(examples)) {
      expect(schema.safeParse(value).error).toBeUndefined()
    }
  }
  if ('body' in route && route.body instanceof z.ZodType) {
    const { example, examples = { one: { value: example } } } = Object(
      Object.values(operation.requestBody.content)[0],
    )
    for (const { value } of Object.values<{ value: unknown }>(examples)) {
      expect(route.body.safeParse(value).error).toBeUndefined()
    }
  }
})

test.each(routes)('responses of %s declare request id, rate limits and Retry-After', (_, route) => {
  for (const [status, reference] of Object.entries<object>(operationOf(route).responses)) {
    const names = Object.keys(Object(resolved(reference, document)).headers)
    expect(names).toContain('X-Request-Id')
    const isShared = '$ref' in reference && String(reference.$ref).includes('OAuthError')
    const isLimited = metadataOf(route).limit !== 'none' && !isShared
    expect(names.includes('RateLimit') && names.includes('RateLimit-Policy')).toBe(isLimited)
    expect(names.includes('Retry-After')).toBe(['429', '503'].includes(status))
  }
})

test('shared schemas are referenced, never copied', () => {
  const schemas = Object.entries(document.components?.schemas ?? {})
  const known = new Map(schemas.map(([name, schema]) => [JSON.stringify(schema), name]))
  expect(known.size).toBe(schemas.length)
  const copies = [...nodes(document)].filter(
    ([pointer, node]) =>
      known.has(JSON.stringify(node)) && !/^#\/components\/schemas\/\w+$/.test(pointer),
  )
  expect(copies).toEqual([])
})

test('every reference has a target, and every shared component is referenced', () => {
  const refs = new Set<unknown>()
  for (const [, node] of nodes(document)) {
    if (!('$ref' in node)) continue
    expect(resolved(node, document)).toBeDefined()
    refs.add(node.$ref)
  }
  for (const part of ['schemas', 'responses', 'headers'] as const) {
    const names = Object.keys(document.components?.[part] ?? {})
    expect(names.filter((name) => !refs.has(`#/components/${part}/${name}`))).toEqual([])
  }
})

test('response schemas allow additional fields', () => {
  const closed = [...nodes(document)].filter(
    ([, node]) => 'additionalProperties' in node && node.additionalProperties === false,
  )
  expect(closed).toEqual([])
})

test('a parameter with a default is not required', () => {
  const search = document.paths['/api/v1/skills/search']?.get
  expect(search.parameters.filter(({ required }: { required?: boolean }) => required)).toEqual([])
  const limit = search.parameters.find(({ name }: { name: string }) => name === 'limit')
  expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 50, default: 20 })
})

test('the description of each group names the credentials that its operations take', () => {
  const words = {
    apiKey: 'API key',
    client: 'client id and secret',
    accessToken: 'access token',
    none: 'no credential',
  }
  for (const [id, route] of routes) {
    const { auth, tag } = metadataOf(route)
    const { description } = document.tags?.find(({ name }) => name === tag) ?? {}
    // Registering a client takes none, beside operations that take the credentials of an app.
    const word = id === 'oauth.register' ? words.client : words[auth]
    expect(`${id}: ${description}`).toContain(word)
  }
})
