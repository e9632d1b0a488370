import { pagesOf } from './answers.ts'
import { comment } from './comments.ts'
import { descriptionOf } from './descriptions.ts'
import { inputOf } from './inputs.ts'
import { resultOf } from './results.ts'
import { capitalized, type FoundRoute, type Noun } from './routes.ts'
import type { NamedSchemas } from './schemas.ts'
import { typeWriter, type Writing } from './types.ts'

/** The types of the calls of one noun, and which named schemas they use. */
export interface Calls {
  readonly text: string
  readonly used: ReadonlySet<string>
}

/** Writes the calls of a noun: an interface of them all, before it what each takes and gives. */
export function callsOf(noun: Noun, named: NamedSchemas, file: string): Calls {
  const types = typeWriter(named)
  const written = noun.routes.map((found) =>
    callOf(noun.title + capitalized(found.key), found, { types, named, file }),
  )
  const fields = written.map(({ field }) => field).join('\n')
  const about = comment(`The calls of \`${noun.key}\`.`)
  const calls = `${about}export interface ${noun.title}Calls {\n${fields}}\n`
  return { text: [...written.map(({ own }) => own), calls].join('\n'), used: types.used }
}

/** The field of a call; its own types are named after `name`. */
function callOf(name: string, found: FoundRoute, writing: Writing) {
  const input = inputOf(name, found, writing)
  const result = resultOf(name, found, writing)
  const argument = input.isNeeded ? `input: ${name}Input` : `input?: ${name}Input`
  const { key } = found
  const about = descriptionOf(found)
  const forms = [
    ...(304 in found.route.responses ? [conditional(name, result.type)] : []),
    `(${argument}): Promise<${result.type}>`,
    ...(pagesOf(found) ? [iteration(found, argument, result.itemType)] : []),
    ...(result.isBytes ? [stream(found, argument)] : []),
  ]
  // Editors show the comment of the field for each of its forms.
  const type =
    forms.length > 1 ? `{\n${forms.join('\n')}\n}` : `(${argument}) => Promise<${result.type}>`
  return { own: input.text + result.text, field: `${about}readonly ${key}: ${type}\n` }
}

const conditional = (name: string, result: string) =>
  `(input: ${name}Input & { readonly headers: { readonly 'if-none-match': string } }): Promise<${result} | null>`

const iteration = ({ where, route }: FoundRoute, argument: string, item: string) =>
  `${comment(
    'Every item of all pages, from the page that the query names on, each page fetched when it is reached.',
    `@example\nfor await (const item of client.${where}.all(${route.pathParams ? 'input' : ''})) console.log(item)`,
  )}all(${argument}): AsyncGenerator<${item}, void, undefined>`

const stream = ({ where }: FoundRoute, argument: string) =>
  `${comment(
    'The bytes as they come, for what is not to be held in memory as a whole.',
    `@example\nconst parts = await client.${where}.stream(input)`,
  )}stream(${argument}): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>`
