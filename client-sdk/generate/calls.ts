import { openingScopes, rateLimits } from '@skillpass/contract'
import { z } from 'zod'
import { answersOf, errorsOf, pagesOf, registryCodes } from './answers.ts'
import { comment } from './comments.ts'
import { capitalized, type FoundRoute, type Noun } from './routes.ts'
import { type NamedSchemas, referenceOf, type Schema, schemaOf } from './schemas.ts'
import { type TypeWriter, typeWriter } from './types.ts'

/** The types of the calls of one noun, and which named schemas they use. */
export interface Calls {
  readonly text: string
  readonly used: ReadonlySet<string>
}

/** Writes the calls of a noun: an interface of them all, before it what each takes and gives. */
export function callsOf(noun: Noun, named: NamedSchemas, file: string): Calls {
  const types = typeWriter(named)
  const written = noun.routes.map((found) => {
    const name = noun.title + capitalized(found.key)
    return callOf(name, found, { types, named, file })
  })
  const fields = written.map(({ field }) => field).join('\n')
  const own = written.map(({ own }) => own).join('\n')
  const text = `${own}\n${comment(`The calls of \`${noun.key}\`.`)}export interface ${noun.title}Calls {\n${fields}}\n`
  return { text, used: types.used }
}

interface Writing {
  readonly types: TypeWriter
  readonly named: NamedSchemas
  readonly file: string
}

function callOf(name: string, found: FoundRoute, writing: Writing) {
  const input = inputOf(name, found, writing)
  const result = resultOf(name, found, writing)
  const argument = input.isNeeded ? `input: ${name}Input` : `input?: ${name}Input`
  const plain = `(${argument}): Promise<${result.type}>`
  const pages = pagesOf(found)
  const isConditional = 304 in found.route.responses
  const about = describe(found)
  const more = [
    ...(isConditional ? [conditional(name, result.type)] : []),
    plain,
    ...(pages
      ? [`${all}all(${argument}): AsyncGenerator<${result.itemOf(pages.list)}, void, undefined>`]
      : []),
  ]
  const field =
    more.length > 1
      ? `${about}readonly ${found.key}: {\n${more.join('\n')}\n}\n`
      : `${about}readonly ${found.key}: (${argument}) => Promise<${result.type}>\n`
  return { own: input.text + result.text, field }
}

const all = comment(
  'Every item of all pages, each page fetched when it is reached, from the page that the query names on.',
)

const conditional = (name: string, result: string) =>
  `(input: ${name}Input & { readonly headers: { readonly 'if-none-match': string } }): Promise<${result} | null>`

/** What a call takes: what the contract declares, and the settings of a call. */
function inputOf(name: string, found: FoundRoute, writing: Writing) {
  const { route, metadata } = found
  const body = 'body' in route ? route.body : undefined
  // Secrets must not stand in addresses: what may be sent in either place goes in the body.
  const sent = metadata.form ? (body instanceof z.ZodType ? body : route.query) : body
  const parts = [
    part('params', route.pathParams, 'output'),
    part('query', metadata.form ? undefined : route.query, 'output'),
    part('body', sent, 'input'),
  ].filter((part) => part !== undefined)
  const declared: string[] = []
  const fields = parts.map(({ key, schema, io }) => {
    const converted = schemaOf(schema, io, writing.named, writing.file)
    const isOptional = key !== 'body' && !hasNeeded(converted, writing.named)
    const form = key === 'body' && metadata.form ? ' | string' : ''
    const type =
      key === 'params'
        ? writing.types.typeOf(converted)
        : named(`${name}${capitalized(key)}`, converted)
    const entry = isOptional ? `${key}?: ${type}${form} | undefined` : `${key}: ${type}${form}`
    return { entry, isOptional }
  })
  const text = `${declared.map((text) => `${text}\n`).join('')}${comment(`What \`${found.where}\` takes.`)}export interface ${name}Input extends CallSettings {\n${fields.map(({ entry }) => `readonly ${entry}\n`).join('')}}\n\n`
  return { text, isNeeded: fields.some(({ isOptional }) => !isOptional) }

  function named(name: string, schema: Schema): string {
    if (referenceOf(schema) !== undefined || schema.type !== 'object')
      return writing.types.typeOf(schema)
    const about = {
      description: `The ${name.endsWith('Query') ? 'query' : 'body'} of \`${found.where}\`.`,
      ...schema,
    }
    declared.push(writing.types.declaration(name, about))
    return name
  }
}

type Key = 'params' | 'query' | 'body'

function part(key: Key, schema: unknown, io: 'input' | 'output') {
  return schema instanceof z.ZodType ? { key, schema, io } : undefined
}

/** Whether a value of a schema must have a field that has no default. */
function hasNeeded(schema: Schema, named: NamedSchemas): boolean {
  const reference = referenceOf(schema)
  const found = reference === undefined ? schema : named.get(reference)?.schema
  if (found?.type !== 'object') return true
  const { required = [], properties = {} } = found
  return required.some((name) => {
    const field = properties[name]
    return typeof field !== 'object' || field.default === undefined
  })
}

/** What a call gives: the body of the success answer. */
function resultOf(name: string, found: FoundRoute, { types, named, file }: Writing) {
  const successes = answersOf(found).filter(({ status }) => status >= 200 && status < 300)
  const [first] = successes
  const schemas = [...new Set(successes.flatMap(({ schema }) => schema ?? []))]
  const [schema] = schemas
  if (!first || schemas.length > 1) throw new Error(`${found.where} has no one success answer.`)
  const itemOf = (list: string): string => {
    throw new Error(`${found.where} has no list ${list}.`)
  }
  if (first.type === null) return { text: '', type: 'undefined', itemOf }
  if (!schema) return { text: '', type: 'string', itemOf }
  const converted = schemaOf(schema, 'output', named, file)
  const reference = referenceOf(converted)
  const shape = reference === undefined ? converted : named.get(reference)?.schema
  const type = reference === undefined ? `${name}Result` : types.typeOf(converted)
  const about = { description: `What \`${found.where}\` answers.`, ...converted }
  return {
    type,
    text: reference === undefined ? `${types.declaration(type, about)}\n` : '',
    itemOf(list: string) {
      const field = shape?.properties?.[list]
      const items = typeof field === 'object' ? field.items : undefined
      return typeof items === 'object' && !Array.isArray(items) ? types.typeOf(items) : itemOf(list)
    },
  }
}

/** What a route does, for whom, and how it says no. */
function describe(found: FoundRoute): string {
  const { route, metadata } = found
  const limit = metadata.limit === 'none' ? '' : ` ${rateLimits[metadata.limit].description}`
  return comment(
    route.summary && `${route.summary}.`,
    route.description,
    304 in route.responses
      ? 'With `if-none-match` it gives null where that copy is still good.'
      : undefined,
    `\`${route.method} ${route.path}\`. ${credentialOf(found)}${limit}`,
    thrownBy(found),
  )
}

function credentialOf({ metadata }: FoundRoute): string {
  const { auth, access = 'full', scopes, takesApiKey } = metadata
  if (auth === 'apiKey')
    return `Needs an API key with the access \`${access}\`${access === 'full' ? '' : ' or more'}.`
  if (auth === 'client') return 'Needs the id of the app, and the secret where it has one.'
  if (auth === 'accessToken')
    return `Needs an access token${
      scopes
        ? ` with one of the scopes ${openingScopes(scopes)
            .map((scope) => `\`${scope}\``)
            .join(', ')}`
        : ''
    }.`
  return takesApiKey ? 'Needs no credential; an API key is sent along.' : 'Needs no credential.'
}

function thrownBy(found: FoundRoute): string | undefined {
  const statuses = errorsOf(found)
  if (statuses.length === 0) return undefined
  if (found.where.startsWith('registry.')) {
    const classes = statuses.map((status) => classOf(registryCodes.get(status) ?? found.where))
    return `@throws ${classes.join(', ')}`
  }
  const service = found.where.startsWith('oauth.') ? 'OAuthRequestError' : 'PlatformRequestError'
  return `@throws ${service} (${statuses.join(', ')})`
}

/** NOT_FOUND is thrown as NotFoundError. */
const classOf = (code: string) =>
  `${code.toLowerCase().split('_').map(capitalized).join('')}Error`.replace('ErrorError', 'Error')
