import { EndpointValidationAnswer, ValidationIssue, WebhookEvent } from '@skillpass/contract'
import { callsOf } from './calls.ts'
import { comment } from './comments.ts'
import { fileNameOf, type Noun, type Service, servicesOf } from './routes.ts'
import { importsOf, type NamedSchemas, schemaOf } from './schemas.ts'
import { errorTable, routesTable, webhookTable } from './tables.ts'
import { typeWriter } from './types.ts'

type Files = Map<string, string>

/** Every file of the generated folder by its path there, not yet formatted. */
export function generatedFiles(): Files {
  const named: NamedSchemas = new Map()
  schemaOf(ValidationIssue, 'output', named, 'schemas/errors.ts')
  schemaOf(WebhookEvent, 'output', named, 'schemas/webhooks.ts')
  schemaOf(EndpointValidationAnswer, 'output', named, 'schemas/webhooks.ts')
  const calls = new Map(servicesOf().flatMap((service) => [...callFiles(service, named)]))
  const types = new Map([...calls, ...schemaFiles(named)])
  return new Map([
    ...types,
    ...servicesOf().map((service) => routesFile(service)),
    ['errors.ts', errorTable()],
    ['webhooks.ts', webhookTable()],
    ['types.ts', barrelOf([...types.keys()])],
  ])
}

/** A file for each noun, and one that puts them together. */
function callFiles(service: Service, named: NamedSchemas): Files {
  const files: Files = new Map()
  // What nouns share stands with the one that has the most calls.
  for (const noun of service.nouns.toSorted((a, b) => b.routes.length - a.routes.length)) {
    const file = fileOf(service, noun)
    const { text, used } = callsOf(noun, named, `schemas/${file}`)
    const up = '../'.repeat(file.split('/').length + 1)
    const kinds = ['BytesCall', 'CallSettings', 'ConditionalCall', 'ListCall']
    const imported = kinds.filter((kind) => text.includes(kind)).join(', ')
    const settings = `import type { ${imported} } from '${up}call.ts'\n`
    files.set(`calls/${file}`, `${settings}${importsOf(used, named, `calls/${file}`)}\n${text}`)
  }
  if (!service.flat) files.set(callsFile(service), treeOf(service))
  return files
}

const fileOf = ({ flat, key }: Service, noun: Noun) =>
  flat ? fileNameOf(noun.key) : `${key}/${fileNameOf(noun.key)}`

const callsFile = ({ flat, key }: Service) => (flat ? `calls/${key}.ts` : `calls/${key}/index.ts`)

function treeOf({ key, title, nouns }: Service): string {
  const imports = nouns.map(
    ({ key, title }) => `import type { ${title}Calls } from './${fileNameOf(key)}'\n`,
  )
  const fields = nouns.map(({ key, title, routes }) => {
    const calls = routes.map(({ key }) => `\`${key}\``).join(', ')
    return `${comment(`Calls: ${calls}.`)}readonly ${key}: ${title}Calls\n`
  })
  const about = comment(`The calls of \`${key}\`.`)
  return `${imports.join('')}\n${about}export interface ${title}Calls {\n${fields.join('')}}\n`
}

function routesFile(service: Service): [string, string] {
  const imports = [
    `import type { RoutesOf } from '../../route.ts'\n`,
    `import type { ${service.title}Calls } from '../${callsFile(service)}'\n\n`,
  ]
  return [`routes/${service.key}.ts`, imports.join('') + routesTable(service)]
}

function schemaFiles(named: NamedSchemas): Files {
  const files = new Set(Array.from(named.values(), ({ file }) => file))
  const written = Array.from(files, (file): [string, string] => {
    const types = typeWriter(named)
    const declarations = [...named]
      .filter(([, schema]) => schema.file === file)
      .map(([name, { schema }]) => types.declaration(name, schema))
    return [file, `${importsOf(types.used, named, file)}\n${declarations.join('\n')}`]
  })
  return new Map(written)
}

const barrelOf = (files: readonly string[]) =>
  files
    .toSorted()
    .map((file) => `export type * from './${file}'\n`)
    .join('')
