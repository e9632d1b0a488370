import ajvModule from '@redocly/ajv'
import { buildOpenApi } from '@skillpass/openapi'

const ajv = new ajvModule.default({
  // OpenAPI adds keywords to JSON Schema.
  strict: false,
  validateSchema: false,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    int32: { type: 'number', validate: (value: number) => Math.abs(value) < 2 ** 31 },
    uri: (text: string) => URL.canParse(text),
    int64: { type: 'number', validate: Number.isSafeInteger },
  },
})

/**
 * Whether an integer needs `format: int64`: Java and C# read an integer without a format as 32
 * bits.
 */
function withInt32(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return value
  return value.type === 'integer' && !('format' in value) ? { ...value, format: 'int32' } : value
}

const { paths, ...others } = buildOpenApi()
ajv.addSchema(JSON.parse(JSON.stringify({ paths, ...others }), withInt32), 'document')

/**
 * Describes how a JSON body differs from the OpenAPI document. Returns undefined if it does not.
 */
export function documentDifference(
  route: { method: string; path: string },
  status: number,
  body: unknown,
): string | undefined {
  const path = route.path.replace(/[:*](\w+)/g, '{$1}')
  const method = route.method.toLowerCase()
  const answer = paths[path]?.[method]?.responses[status]
  if (!answer) return `the document has no ${status} of ${method} ${path}`
  const pointer = encodeURI(path).replaceAll('/', '~1')
  const at = answer.$ref ?? `#/paths/${pointer}/${method}/responses/${status}`
  const validate = ajv.getSchema(`document${at}/content/application~1json/schema`)
  if (!validate) return `the document has no JSON for ${status} of ${method} ${path}`
  return validate(body) ? undefined : `${status} ${ajv.errorsText(validate.errors)}`
}
