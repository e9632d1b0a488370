import { EndpointValidationAnswer, ValidationIssue, WebhookEvent } from '@skillpass/contract'
import { callsOf } from './calls.ts'
import { comment } from './comments.ts'
import { copies } from './copies.ts'
import { keepFiles } from './files.ts'
import { fileNameOf, servicesOf } from './routes.ts'
import { type NamedSchemas, schemaOf } from './schemas.ts'
import { errorTable, routesTable, webhookTable } from './tables.ts'
import { typeWriter } from './types.ts'

/** Writes `client-sdk/src/generated`, or with `--check` fails where it is not what the contract gives. */

const files = new Map<string, string>()
const named: NamedSchemas = new Map()

schemaOf(ValidationIssue, 'output', named, 'schemas/errors.ts')
schemaOf(WebhookEvent, 'output', named, 'schemas/webhooks.ts')
schemaOf(EndpointValidationAnswer, 'output', named, 'schemas/webhooks.ts')

for (const service of servicesOf()) {
  const { key, title, nouns, flat } = service
  // What nouns share stands with the one that has the most calls.
  for (const noun of nouns.toSorted((a, b) => b.routes.length - a.routes.length)) {
    const file = flat ? fileNameOf(noun.key) : `${key}/${fileNameOf(noun.key)}`
    const depth = file.split('/').length
    const { text, used } = callsOf(noun, named, `schemas/${file}`)
    const imports = importsOf(used, `calls/${file}`)
    const settings = `import type { CallSettings } from '${'../'.repeat(depth + 1)}call.ts'\n`
    files.set(`calls/${file}`, `${settings}${imports}\n${text}`)
  }
  const calls = flat ? `calls/${key}.ts` : `calls/${key}/index.ts`
  if (!flat) {
    const imports = nouns.map(
      ({ key, title }) => `import type { ${title}Calls } from './${fileNameOf(key)}'\n`,
    )
    const fields = nouns.map(
      ({ key, title, routes }) =>
        `${comment(`Calls: ${routes.map(({ key }) => `\`${key}\``).join(', ')}.`)}readonly ${key}: ${title}Calls\n`,
    )
    files.set(
      calls,
      `${imports.join('')}\n/** The calls of \`${key}\`. */\nexport interface ${title}Calls {\n${fields.join('')}}\n`,
    )
  }
  const imports = `import type { RoutesOf } from '../../route.ts'\nimport type { ${title}Calls } from '../${calls}'\n\n`
  files.set(`routes/${key}.ts`, imports + routesTable(service))
}

const bySchemaFile = grouped([...named], ([, { file }]) => file)
for (const [file, entries] of bySchemaFile) {
  const types = typeWriter(named)
  const declarations = entries.map(([name, { schema }]) => types.declaration(name, schema))
  files.set(file, `${importsOf(types.used, file)}\n${declarations.join('\n')}`)
}

files.set('errors.ts', errorTable())
files.set(
  'webhooks.ts',
  `import type { WebhookEvent } from './schemas/webhooks.ts'\n\n${webhookTable()}`,
)
files.set(
  'types.ts',
  [...bySchemaFile.keys(), ...[...files.keys()].filter((file) => file.startsWith('calls/'))]
    .sort()
    .map((file) => `export type * from './${file}'\n`)
    .join(''),
)
for (const [file, text] of copies()) files.set(file, text)

process.exitCode = keepFiles(files, process.argv.includes('--check'))

/** The imports of the named schemas that a file uses and does not hold. */
function importsOf(used: ReadonlySet<string>, file: string): string {
  const up = '../'.repeat(file.split('/').length - 1)
  const others = [...used].filter((name) => named.get(name)?.file !== file).sort()
  const names = grouped(others, (name) => named.get(name)?.file ?? '')
  return [...names]
    .map(([from, names]) => `import type { ${names.join(', ')} } from '${up}${from}'\n`)
    .join('')
}

/** Node.js has Map.groupBy from 21 on. */
function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? []
    groups.set(keyOf(value), [...group, value])
  }
  return groups
}
