import { type Components, resolve, type Schema } from './schemas.ts'

/**
 * Completes the schema of a form. `requires` names the fields that a specification requires and the
 * contract leaves optional, because something else may stand in for them or because they have an
 * error of their own when they are missing. A form of several shapes also lists the fields of them
 * all, because some generators and Swagger UI read no fields from `oneOf`.
 */
export function completeForm(
  schemas: Components,
  form: Schema | { $ref: string },
  requires: readonly string[],
): void {
  const whole = resolve(schemas, form)
  const shapes = (whole.oneOf ?? [whole]).map((shape) => resolve(schemas, shape))
  for (const shape of shapes) requireFields(shape, requires)
  if (whole.oneOf) Object.assign(whole, { type: 'object', ...fieldsOfAll(schemas, shapes) })
}

function requireFields(schema: Schema, fields: readonly string[]) {
  const { properties = {}, required = [] } = schema
  const needed = fields.filter((name) => name in properties)
  if (needed.length > 0) schema.required = [...new Set([...required, ...needed])]
}

/** The fields of any shape. Those that every shape requires are required; the others name their grants. */
function fieldsOfAll(schemas: Components, shapes: readonly Schema[]) {
  const names = [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const isRequired = (name: string) => (shape: Schema) => shape.required?.includes(name) === true
  const fields = names.map((name): [string, Schema] => {
    const having = shapes.filter(({ properties }) => name in (properties ?? {}))
    const [field = {}, ...others] = having.map((shape) => fieldOf(schemas, shape, name))
    const grants = having.map(
      (shape) =>
        `\`${fieldOf(schemas, shape, 'grant_type').enum?.[0]}\`${isRequired(name)(shape) ? ' (required)' : ''}`,
    )
    const only = having.length < shapes.length ? `${grants.join(', ')}: ` : ''
    const values = [field, ...others].flatMap((one) => one.enum ?? [])
    const description = `${only}${field.description}`
    return [name, { ...field, description, ...(field.enum && { enum: values }) }]
  })
  return {
    required: names.filter((name) => shapes.every(isRequired(name))),
    properties: Object.fromEntries(fields),
  }
}

const fieldOf = (schemas: Components, { properties }: Schema, name: string): Schema =>
  resolve(schemas, properties?.[name] ?? {})
