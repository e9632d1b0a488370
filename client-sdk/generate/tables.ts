import { registryErrors, WebhookEvent } from '@skillpass/contract'
import { z } from 'zod'
import { answersOf, pagesOf } from './answers.ts'
import type { FoundRoute, Service } from './routes.ts'

/** The table of a service's routes, as the transport reads it. */
export function routesTable(service: Service): string {
  const rows = (routes: readonly FoundRoute[]) =>
    routes.map((found) => `${found.key}: ${JSON.stringify(rowOf(found))},\n`).join('')
  const table = service.nouns
    .map(({ key, routes }) => (service.flat ? rows(routes) : `${key}: {\n${rows(routes)}},\n`))
    .join('')
  return `/** How each call of \`${service.key}\` goes over the wire. */\nexport const ${service.key}Routes: RoutesOf<${service.title}Calls> = {\n${table}}\n`
}

/** What is as usual is left out, as a 200 with JSON is. */
function rowOf(found: FoundRoute) {
  const { auth, takesApiKey, form, bytes, idempotent } = found.metadata
  const pages = pagesOf(found)
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
    ...(pages && { pages }),
  }
}

/** The registry's errors with their statuses. */
export function errorTable(): string {
  const statuses = Object.entries(registryErrors).map(([code, { status }]) => [code, status])
  const table = JSON.stringify(Object.fromEntries(statuses))
  return `/** The HTTP status of each of the registry's errors. */\nexport const registryErrorStatus = ${table} as const\n\n/** Code of an error of the registry. */\nexport type RegistryErrorCode = keyof typeof registryErrorStatus\n`
}

/** The events that an app may receive, with what the payload of each must have. */
export function webhookTable(): string {
  const events = WebhookEvent.options.map(({ shape }) => [
    shape.event.value,
    Object.fromEntries(
      Object.entries(shape.payload.shape).map(([name, field]) => [name, kindOf(name, field)]),
    ),
  ])
  const table = JSON.stringify(Object.fromEntries(events))
  const imports = `import type { WebhookEvent } from './schemas/webhooks.ts'\n\n`
  return `${imports}/** What the payload of each event has: the type of each field, as \`typeof\` names it. */\nexport const webhookPayloads: Readonly<Record<WebhookEvent['event'], Readonly<Record<string, string>>>> = ${table}\n`
}

function kindOf(name: string, field: z.ZodType): string {
  const { type } = z.toJSONSchema(field)
  if (type === 'string' || type === 'boolean') return type
  if (type === 'integer' || type === 'number') return 'number'
  throw new Error(`The client has no check for ${name} of an event's payload.`)
}
