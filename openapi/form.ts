import { type Components, resolve, type Schema } from './schemas.ts'

/**
 * Completes the schema of a form. `requires` lists the fields that a specification requires but the
 * contract declares optional. A form with several variants becomes one object with the fields of
 * all variants: from `oneOf`, some generators read no fields, and others send those of every
 * variant.
 */
export function completeForm(
  schemas: Components,
  form: Schema | { $ref: string },
  requires: readonly string[],
): void {
  const whole = resolve(schemas, form)
  const variants = (whole.oneOf ?? [whole]).map((variant) => resolve(schemas, variant))
  for (const variant of variants) requireFields(variant, requires)
  if (!whole.oneOf) return
  Object.assign(whole, { type: 'object', ...mergeFields(schemas, variants) })
  delete whole.oneOf
  delete whole.discriminator
  for (const [name, schema] of Object.entries(schemas)) {
    if (variants.includes(schema)) delete schemas[name]
  }
}

function requireFields(schema: Schema, fields: readonly string[]) {
  const { properties = {}, required = [] } = schema
  const needed = fields.filter((name) => name in properties)
  if (needed.length > 0) schema.required = [...new Set([...required, ...needed])]
}

/** Merges the fields of all variants. A field is required if all variants require it. */
function mergeFields(schemas: Components, variants: readonly Schema[]) {
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const isRequired = (name: string) => (variant: Schema) =>
    variant.required?.includes(name) === true
  const fields = names.map((name): [string, Schema] => {
    const having = variants.filter(({ properties }) => name in (properties ?? {}))
    const [field = {}, ...others] = having.map((variant) => fieldOf(schemas, variant, name))
    const grants = having.map(
      (variant) =>
        `\`${fieldOf(schemas, variant, 'grant_type').enum?.[0]}\`${isRequired(name)(variant) ? ' (required)' : ''}`,
    )
    const only = having.length < variants.length ? `${grants.join(', ')}: ` : ''
    const values = [field, ...others].flatMap((one) => one.enum ?? [])
    const description = `${only}${field.description}`
    return [name, { ...field, description, ...(field.enum && { enum: values }) }]
  })
  return {
    required: names.filter((name) => variants.every(isRequired(name))),
    properties: Object.fromEntries(fields),
  }
}

const fieldOf = (schemas: Components, { properties }: Schema, name: string): Schema =>
  resolve(schemas, properties?.[name] ?? {})
