import {
  type OAuthErrorEntry,
  oauthErrors,
  oauthRemedies,
  platformErrors,
  platformRemedies,
  WebhookEvent,
} from '@skillpass/contract'
import { z } from 'zod'
import { pagesOf, responsesOf } from './responses.ts'
import { type ContractRoute, type Service, servicesOf } from './routes.ts'

/** Generates `tables.ts`: the data that the client needs at run time. */
export const tablesFile = (): string =>
  [
    "import type { RoutesOf } from '../route.ts'",
    "import type { OAuthCalls, PlatformCalls, RegistryCalls, WebhookEvent } from './types.ts'",
    '',
    ...servicesOf().flatMap(routesTable),
    '/** Remedies for errors of the authorization service, by number and by OAuth error code. */',
    `export const oauthRemedies: Record<string, string> = ${json(remediesOf(oauthErrors, oauthRemedies))}`,
    '',
    '/** Remedies for errors of the resource API, by number. */',
    `export const platformRemedies: Record<string, string> = ${json(remediesOf(platformErrors, platformRemedies))}`,
    '',
    '/** Required payload fields of each event, with their `typeof`. */',
    "export const webhookPayloads: Record<WebhookEvent['event'], Record<string, string>> =",
    json(webhookPayloads()),
    '',
  ].join('\n')

const json = (table: object) => JSON.stringify(table, null, 2)

function routesTable({ key, title, flat, resources }: Service): string[] {
  const tables = resources.map(({ key, routes }) => [
    key,
    Object.fromEntries(routes.map((found) => [found.key, rowOf(found)])),
  ])
  const table = flat ? tables[0]?.[1] : Object.fromEntries(tables)
  return [
    `/** Routes of \`${key}\`. */`,
    `export const ${key}Routes: RoutesOf<${title}Calls> = ${json(table)}`,
    '',
  ]
}

/** Returns a route without the properties that have their default. */
function rowOf(found: ContractRoute) {
  const { auth, takesApiKey, form, bytes, idempotent } = found.metadata
  const responses = Object.fromEntries(responsesOf(found).map(({ status, type }) => [status, type]))
  const isDefault = JSON.stringify(responses) === '{"200":"application/json"}'
  return {
    method: found.route.method,
    path: found.route.path,
    ...(auth !== 'none' && { auth }),
    ...(takesApiKey && { takesApiKey }),
    ...(form && { form }),
    ...(bytes !== undefined && { bytes: true }),
    ...(idempotent && { idempotent }),
    ...(!isDefault && { responses }),
    pages: pagesOf(found),
  }
}

/** Returns remedies by error number, and by name if the name is an OAuth error code. */
const remediesOf = (
  errors: Record<string, Partial<OAuthErrorEntry>>,
  remedies: Record<string, string>,
) =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([name, { code, error }]) => [
      ...(name === error ? [[name, remedies[name]]] : []),
      ...(code === undefined ? [] : [[code, remedies[name]]]),
    ]),
  )

const webhookPayloads = () =>
  Object.fromEntries(
    WebhookEvent.options.map(({ shape }) => {
      const fields = Object.entries<z.ZodType>(shape.payload.shape).filter(
        ([, field]) => !field.isOptional(),
      )
      return [shape.event.value, Object.fromEntries(fields.map(fieldType))]
    }),
  )

function fieldType([name, field]: [string, z.ZodType]): [string, string] {
  const { type } = z.toJSONSchema(field)
  if (type === 'string' || type === 'boolean' || type === 'object') return [name, type]
  if (type === 'integer' || type === 'number') return [name, 'number']
  throw new Error(`The client cannot check the payload field ${name}.`)
}
