import { type Components, resolve, type Schema } from './schemas.ts'

/** A parameter of the query. */
export interface QueryParameter {
  readonly name: string
  readonly in: 'query'
  readonly required?: true
  readonly description: string
  readonly schema: Schema
  readonly example?: unknown
}

/** Never in an address, which logs keep. */
const secret = 'client_secret'

/**
 * The parameters of a form as those of the query, which is where the OAuth spec has them (§4). Where
 * the form is one of several, a parameter says with which grants it goes and which need it. Only what the example
 * names has an example here, since tools send all that have one.
 */
export function queryOfForm(
  schemas: Components,
  form: Schema | { $ref: string },
  example: object,
  requires: readonly string[],
): QueryParameter[] {
  const whole = resolve(schemas, form)
  const choices = (whole.oneOf ?? [whole]).map((choice) => resolve(schemas, choice))
  const names = new Set(choices.flatMap(({ properties }) => Object.keys(properties ?? {})))
  names.delete(secret)
  const examples = new Map<string, unknown>(Object.entries(example))
  return [...names].map((name) => {
    const having = choices.filter(({ properties }) => name in (properties ?? {}))
    const [first = {}] = having.map((choice) => fieldOf(schemas, choice, name))
    const { description, example: _, ...schema } = first
    const needs = ({ required = [] }: Schema) => [...required, ...requires].includes(name)
    const grantOf = (choice: Schema) =>
      `\`${grantTypeOf(choice)}\`${needs(choice) ? ' (required)' : ''}`
    const everywhere = having.length === choices.length
    return {
      name,
      in: 'query' as const,
      ...(everywhere && having.every(needs) && { required: true as const }),
      description: everywhere
        ? `${description}`
        : `${having.map(grantOf).join(', ')}: ${description}`,
      schema: schema.enum
        ? { ...schema, enum: having.flatMap((choice) => fieldOf(schemas, choice, name).enum ?? []) }
        : schema,
      ...(examples.has(name) && { example: examples.get(name) }),
    }
  })
}

const fieldOf = (schemas: Components, { properties }: Schema, name: string): Schema =>
  resolve(schemas, properties?.[name] ?? {})

const grantTypeOf = ({ properties: { grant_type: grant = {} } = {} }: Schema) =>
  '$ref' in grant ? undefined : grant.enum?.[0]
