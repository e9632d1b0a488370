import {
  allowsAccess,
  contract,
  keyAccesses,
  metadataOf,
  openingScopes,
  type RouteMetadata,
  rateLimits,
} from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'
import { generateOpenApi } from '@ts-rest/open-api'
import { errorOf } from './errors.ts'
import { exampleOf } from './examples.ts'
import { completeForm } from './form.ts'
import { headers, info, securitySchemes, tags } from './info.ts'
import { requests } from './requests.ts'
import { describeResponse, type Response } from './responses.ts'
import { type Components, resolve, type Schema, schemaTransformer } from './schemas.ts'
import { webhookParameters, webhooksOf } from './webhooks.ts'

export type Document = ReturnType<typeof generateOpenApi>

type Options = NonNullable<Parameters<typeof generateOpenApi>[2]>
type Operation = Parameters<NonNullable<Options['operationMapper']>>[0]

/** Builds the OpenAPI document of a contract. */
export function buildOpenApi(
  serverUrl = 'http://localhost:3000',
  router: AppRouter = contract,
): Document {
  const schemas: Components = {}
  const responses: Record<string, Response> = {}
  const usedTags = new Set<string>()
  const forms: [schema: Schema | { $ref: string }, requires: readonly string[]][] = []
  const generated = generateOpenApi(
    routesOf(router),
    {
      info: { ...info, contact: { name: 'Operator of this service', url: `${serverUrl}/docs` } },
      servers: [{ url: serverUrl }],
    },
    {
      setOperationId: 'concatenated-path',
      schemaTransformer: schemaTransformer(schemas),
      operationMapper: (operation, route) => {
        const { form, requires = [], tag = '' } = metadataOf(route)
        usedTags.add(tag)
        const schema = bodySchema(operation)
        if (form && schema) forms.push([schema, requires])
        return describe(operation, route, schemas, responses)
      },
    },
  )
  // Last, because operations share forms, and examples need the fields before this change.
  for (const [schema, requires] of forms) completeForm(schemas, schema, requires)
  const { openapi: _, paths, ...rest } = generated
  const document = {
    openapi: '3.0.3',
    ...rest,
    tags: tags.filter(({ name }) => usedTags.has(name)),
    paths,
    ...(router === contract && { 'x-webhooks': webhooksOf(schemas) }),
    components: {
      securitySchemes: securitySchemes(serverUrl),
      parameters: webhookParameters,
      headers,
      responses: sorted(responses),
      schemas: sorted(schemas),
    },
  }
  // Through JSON, so that the object is the same as the committed file read back.
  return JSON.parse(JSON.stringify(document))
}

/**
 * Returns the routes that the document describes. OpenAPI has no parameter with slashes, so `*path`
 * becomes `:path`.
 */
const routesOf = (router: AppRouter): AppRouter =>
  Object.fromEntries(
    Object.entries(router).flatMap(([key, entry]): [string, AppRoute | AppRouter][] => {
      if (!isAppRoute(entry)) return [[key, routesOf(entry)]]
      const isDescribed = metadataOf(entry).tag !== undefined
      return isDescribed ? [[key, { ...entry, path: entry.path.replace('*', ':') }]] : []
    }),
  )

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Adds examples and the metadata of the route to an operation. */
function describe(
  operation: Operation,
  route: AppRoute,
  schemas: Components,
  shared: Record<string, Response>,
): Operation {
  const where = operation.operationId ?? route.path
  const { auth, access, bytes, limit, requires = [], scopes, tag } = metadataOf(route)
  if (tag === undefined || !tags.some(({ name }) => name === tag)) {
    throw new Error(`${where}: the tag ${tag} has no description in openapi/info.ts.`)
  }
  const body =
    operation.requestBody &&
    (bytes === undefined
      ? bodyOf(operation.requestBody, schemas, where, requires)
      : bytesOf(operation.requestBody))
  return {
    operationId: where,
    tags: [tag],
    summary: operation.summary ?? where,
    description: [
      operation.description,
      ...(auth === 'apiKey' ? [accessNote(access)] : []),
      ...noteOf(scopes),
      ...limitNote(limit),
    ].join('\n\n'),
    security: [...security[auth], ...flowsOf(scopes)],
    parameters: [
      ...parametersOf(operation, route)
        .map((parameter) => required(parameter, requires))
        .map((parameter) => withRequestExample(parameter, where)),
    ],
    ...(body && { requestBody: { ...body, required: true } }),
    responses: responsesOf(operation.responses, schemas, shared, where, limit !== 'none'),
  }
}

// OpenAPI has no scheme for credentials in the form body, so clients have an empty alternative.
const security: Record<RouteMetadata['auth'], Record<string, string[]>[]> = {
  none: [],
  apiKey: [{ apiKey: [] }],
  client: [{ clientBasic: [] }, {}],
  accessToken: [{ accessToken: [] }],
}

// Swagger UI requests only user-level scopes.
const flowsOf = (scopes: RouteMetadata['scopes']) =>
  scopes === undefined || scopes.from === 'admin' ? [] : [{ oauth: [scopes.granular] }]

const limitNote = (limit: RouteMetadata['limit']) =>
  limit === 'none' ? [] : [rateLimits[limit].description]

const accessNote = (access: RouteMetadata['access'] = 'full') =>
  `Access of the API key, any of: ${keyAccesses.filter((held) => allowsAccess(held, access)).join(', ')}.`

const noteOf = (scopes: RouteMetadata['scopes']) =>
  scopes ? [`Scopes, any of: ${openingScopes(scopes).join(', ')}.`] : []

/** Returns the parameters of an operation, with `If-None-Match` if the route declares 304. */
function parametersOf(operation: Operation, route: AppRoute): NonNullable<Operation['parameters']> {
  const parameters = (operation.parameters ?? []).map(hoistExample)
  if (!(304 in route.responses)) return parameters
  const description = '`ETag` of a cached copy. The response is 304 while the copy is current.'
  const { schema, example } = headers.ETag
  return [...parameters, { name: 'If-None-Match', in: 'header', description, schema, example }]
}

type Parameter = NonNullable<Operation['parameters']>[number]

/** Moves the example from the schema to the parameter, where tools read it. */
function hoistExample(parameter: Parameter): Parameter {
  if (!('schema' in parameter) || !parameter.schema || '$ref' in parameter.schema) return parameter
  const { example, ...schema } = parameter.schema
  return { ...parameter, schema, ...(example !== undefined && { example }) }
}

const required = (parameter: Parameter, requires: readonly string[]): Parameter =>
  'name' in parameter && requires.includes(parameter.name)
    ? { ...parameter, required: true }
    : parameter

function withRequestExample(parameter: Parameter, where: string): Parameter {
  const { parameters = {} } = requests[where] ?? {}
  if (!('name' in parameter) || !(parameter.name in parameters)) return parameter
  const { example: _, ...rest } = parameter
  const example = parameters[parameter.name]
  return example === undefined ? rest : { ...rest, example }
}

const bodySchema = ({ requestBody: body }: Operation) =>
  body && 'content' in body ? Object.values(body.content)[0]?.schema : undefined

type Body = NonNullable<Operation['requestBody']>

/** Declares a binary body, which ts-rest writes as JSON. */
function bytesOf(body: Body): Body {
  const [media] = 'content' in body ? Object.values(body.content) : []
  return {
    ...body,
    ...(media && { content: { 'application/octet-stream': { ...media, example: 'hello' } } }),
  }
}

function bodyOf(body: Body, schemas: Components, where: string, requires: readonly string[]): Body {
  const [type, media] = ('content' in body && Object.entries(body.content)[0]) || []
  if (!type || !media?.schema) return body
  const { description = '', oneOf } = resolve(schemas, media.schema)
  const example = (schema: Schema | { $ref: string }) =>
    withoutCredentials(exampleOf(schemas, schema, `${where}.body`), requires)
  const choices = (oneOf ?? []).map((schema) => {
    const { description: summary = '' } = resolve(schemas, schema)
    return [nameOf(schema), { summary, value: example(schema) }]
  })
  const shown = oneOf
    ? { examples: Object.fromEntries(choices) }
    : { example: requests[where]?.body ?? example(media.schema) }
  return { description, required: true, content: { [type]: { ...media, ...shown } } }
}

const nameOf = (schema: object) => ('$ref' in schema ? String(schema.$ref).split('/').at(-1) : '')

/** Form fields that examples omit unless required. Credentials go into the header. */
const omittedFields = [
  ...['client_id', 'client_secret', 'client_assertion_type', 'client_assertion'],
  'scope',
]

function withoutCredentials(example: unknown, requires: readonly string[]): unknown {
  if (typeof example !== 'object' || example === null) return example
  const kept = Object.entries(example).filter(
    ([name]) => !omittedFields.includes(name) || requires.includes(name),
  )
  return Object.fromEntries(kept)
}

/** Describes responses, and moves error responses to the shared ones. */
function responsesOf(
  responses: Record<string, Response>,
  schemas: Components,
  shared: Record<string, Response>,
  where: string,
  isLimited: boolean,
) {
  const entries = Object.entries(responses).map(([status, response]) => {
    const error = errorOf(schemas, status, response)
    const hasLimitHeaders = isLimited && error?.hasLimitHeaders !== false
    const described = describeResponse(
      schemas,
      status,
      response,
      `${where}.${status}`,
      hasLimitHeaders,
    )
    if (!error) return [status, described]
    shared[error.name] = error.complete(described)
    return [status, { $ref: `#/components/responses/${error.name}` }]
  })
  return Object.fromEntries(entries)
}
