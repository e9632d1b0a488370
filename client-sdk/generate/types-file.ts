import { EndpointValidationAnswer, ValidationIssue, WebhookEvent } from '@skillpass/contract'
import { callsOf, treeOf } from './calls.ts'
import { servicesOf } from './routes.ts'
import { namedSchemas, schemaOf } from './schemas.ts'
import { declaration } from './types.ts'

/** Generates `types.ts`: the calls and the types of their parameters and results. */
export function typesFile(): string {
  for (const schema of [ValidationIssue, WebhookEvent, EndpointValidationAnswer]) {
    schemaOf(schema, 'output')
  }
  const services = servicesOf()
  const calls = services.flatMap(({ resources }) => resources).map(callsOf)
  const schemas = [...namedSchemas, ...calls.flatMap(({ declared }) => [...declared])]
  return [
    "import type { BytesCall, CallSettings, ConditionalCall, ListCall } from '../call.ts'\n",
    ...schemas.map(([name, schema]) => declaration(name, schema)),
    ...calls.map(({ text }) => text),
    ...services.filter(({ flat }) => !flat).map(treeOf),
  ].join('\n')
}
