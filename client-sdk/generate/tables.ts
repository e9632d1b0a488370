import {
  type OAuthErrorEntry,
  oauthErrors,
  oauthRemedies,
  platformErrors,
  platformRemedies,
  WebhookEvent,
} from '@skillpass/contract'
import { z } from 'zod'
import { answersOf, pagesOf } from './answers.ts'
import { type FoundRoute, type Service, servicesOf } from './routes.ts'

/** What the client reads of the contract while it runs. */
export const tablesFile = (): string =>
  [
    "import type { RoutesOf } from '../route.ts'",
    "import type { OAuthCalls, PlatformCalls, RegistryCalls, WebhookEvent } from './types.ts'",
    '',
    ...servicesOf().flatMap(routesTable),
    '/** What to do about a refusal of the authorization service, by its number or its word. */',
    `export const oauthRemedies: Record<string, string> = ${json(remediesOf(oauthErrors, oauthRemedies))}`,
    '',
    '/** What to do about a refusal of the resource API, by its number. */',
    `export const platformRemedies: Record<string, string> = ${json(remediesOf(platformErrors, platformRemedies))}`,
    '',
    '/** What the payload of each event has: the type of each field, as `typeof` names it. */',
    "export const webhookPayloads: Record<WebhookEvent['event'], Record<string, string>> =",
    json(webhookPayloads()),
    '',
  ].join('\n')

const json = (table: object) => JSON.stringify(table, null, 2)

/** The table of a service's routes, as the transport reads it. */
function routesTable({ key, title, flat, nouns }: Service): string[] {
  const tables = nouns.map(({ key, routes }) => [
    key,
    Object.fromEntries(routes.map((found) => [found.key, rowOf(found)])),
  ])
  const table = flat ? tables[0]?.[1] : Object.fromEntries(tables)
  return [
    `/** How each call of \`${key}\` goes over the wire. */`,
    `export const ${key}Routes: RoutesOf<${title}Calls> = ${json(table)}`,
    '',
  ]
}

/** What is as usual is left out, as a 200 with JSON is. */
function rowOf(found: FoundRoute) {
  const { auth, takesApiKey, form, bytes, idempotent } = found.metadata
  const answers = Object.fromEntries(answersOf(found).map(({ status, type }) => [status, type]))
  const isUsual = JSON.stringify(answers) === '{"200":"application/json"}'
  return {
    method: found.route.method,
    path: found.route.path,
    ...(auth !== 'none' && { auth }),
    ...(takesApiKey && { takesApiKey }),
    ...(form && { form }),
    ...(bytes !== undefined && { bytes: true }),
    ...(idempotent && { idempotent }),
    ...(!isUsual && { answers }),
    pages: pagesOf(found),
  }
}

/** Each remedy by the number of its error, and by its name where that is the word of the RFCs. */
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

/** The events that an app may receive, with what the payload of each must have. */
const webhookPayloads = () =>
  Object.fromEntries(
    WebhookEvent.options.map(({ shape }) => {
      const fields = Object.entries<z.ZodType>(shape.payload.shape)
      return [shape.event.value, Object.fromEntries(fields.map(kindOf))]
    }),
  )

function kindOf([name, field]: [string, z.ZodType]): [string, string] {
  const { type } = z.toJSONSchema(field)
  if (type === 'string' || type === 'boolean') return [name, type]
  if (type === 'integer' || type === 'number') return [name, 'number']
  throw new Error(`The client has no check for ${name} of an event's payload.`)
}
