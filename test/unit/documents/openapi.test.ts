import { readFileSync } from 'node:fs'
import { apiVersion, contract, type RouteMetadata, rateLimits } from '@skillpass/contract'
import { buildOpenApi } from '@skillpass/openapi'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const committed = readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8')
const document = buildOpenApi()

function routesOf(router: AppRouter, path: string[] = []): [id: string, route: AppRoute][] {
  return Object.entries(router).flatMap(([key, value]) =>
    isAppRoute(value)
      ? [[[...path, key].join('.'), value] satisfies [string, AppRoute]]
      : routesOf(value, [...path, key]),
  )
}

const routes = routesOf(contract)

const operationOf = (route: AppRoute) =>
  document.paths[route.path.replace(/[:*](\w+)/g, '{$1}')]?.[route.method.toLowerCase()]

/** Every object of the document with the way to it. */
function* nodes(value: unknown, way = '#'): Generator<[string, object]> {
  if (typeof value !== 'object' || value === null) return
  yield [way, value]
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${way}/${key}`)
}

const resolved = (node: object): unknown => {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node
  const keys = node.$ref.slice(2).split('/')
  return keys.reduce((at, key) => Object(at)[key], document)
}

describe('the OpenAPI document', () => {
  test('the committed document is the generated one (npm run generate -w @skillpass/openapi)', () => {
    expect(`${JSON.stringify(document, null, 2)}\n` === committed).toBe(true)
  })

  test('the document names the version, the license and the server', () => {
    expect(document.info).toMatchObject({ title: 'Skillpass', version: apiVersion })
    expect(document.info.license?.name).toBe('MIT')
    expect(document.servers).toEqual([{ url: 'http://localhost:3000' }])
    expect(buildOpenApi({ serverUrl: 'https://x.test' }).servers?.[0]?.url).toBe('https://x.test')
  })

  test.each(routes)(
    'the operation %s has every declared status, its texts, tag, limit and security',
    (id, route) => {
      const operation = operationOf(route)
      const { auth, limit, tag } = route.metadata as RouteMetadata
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
    },
  )

  test('the document has no operation beside the routes', () => {
    const count = Object.values<object>(document.paths).flatMap(Object.keys).length
    expect(count).toBe(routes.length)
  })

  test.each(routes)('the examples of %s are valid by its schemas', (_, route) => {
    const operation = operationOf(route)
    for (const [status, schema] of Object.entries(route.responses)) {
      if (!(schema instanceof z.ZodType)) continue
      const response = resolved(operation.responses[status])
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

  test.each(routes)(
    'the answers of %s declare the request id, the rate limit and Retry-After',
    (_, route) => {
      for (const [status, reference] of Object.entries<object>(operationOf(route).responses)) {
        const names = Object.keys(Object(resolved(reference)).headers)
        expect(names).toContain('X-Request-Id')
        const isShared = '$ref' in reference && String(reference.$ref).includes('OAuthError')
        const isLimited = (route.metadata as RouteMetadata).limit !== 'none' && !isShared
        expect(names.includes('RateLimit') && names.includes('RateLimit-Policy')).toBe(isLimited)
        expect(names.includes('Retry-After')).toBe(['429', '503'].includes(status))
      }
    },
  )

  test('the document refers to shared schemas and copies none', () => {
    const schemas = Object.entries(document.components?.schemas ?? {})
    const known = new Map(schemas.map(([name, schema]) => [JSON.stringify(schema), name]))
    expect(known.size).toBe(schemas.length)
    const copies = [...nodes(document)].filter(
      ([way, node]) =>
        known.has(JSON.stringify(node)) && !/^#\/components\/schemas\/\w+$/.test(way),
    )
    expect(copies).toEqual([])
  })

  test('every reference has a target, and every shared part a reference', () => {
    const refs = new Set<unknown>()
    for (const [, node] of nodes(document)) {
      if (!('$ref' in node)) continue
      expect(resolved(node)).toBeDefined()
      refs.add(node.$ref)
    }
    for (const part of ['schemas', 'responses', 'headers'] as const) {
      const names = Object.keys(document.components?.[part] ?? {})
      expect(names.filter((name) => !refs.has(`#/components/${part}/${name}`))).toEqual([])
    }
  })

  test('schemas allow further fields in answers', () => {
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

  test('the document declares every way to authenticate', () => {
    expect(document.components?.securitySchemes).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
      clientBasic: { type: 'http', scheme: 'basic' },
      accessToken: { type: 'http', scheme: 'bearer' },
    })
  })
})
