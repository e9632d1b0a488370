import { counted } from '../ui/parts.tsx'

interface Reference {
  $ref?: string
}

interface Parameter {
  name: string
  required?: boolean
  description?: string
}

interface Schema extends Reference {
  properties?: Record<string, unknown>
  required?: string[]
}

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description?: string }>
}

/** The parts of the OpenAPI document that the page renders. */
export interface Document {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Methods of a path, without its other keys. */
const isMethod = (key: string) => /^(get|post|put|patch|delete)$/.test(key)

export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isMethod(method) ? [{ ...operation, path, method: method.toUpperCase() }] : [],
    ),
  )

const credentials: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  clientBasic: 'App',
  accessToken: 'Access token',
}

const credentialOf = ({ security: [first = {}] }: Operation) =>
  credentials[Object.keys(first)[0] ?? ''] ?? 'No credential'

/** Markdown of the document as text. */
const plain = (text = '') => text.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** All operations by group, for readers without scripts and until Swagger UI has loaded. */
export const Operations = ({ document }: { document: Document }) => (
  <>
    {document.tags.map(({ name, description }) => (
      <section class="operations" aria-labelledby={name.replaceAll(' ', '-')}>
        <h3 id={name.replaceAll(' ', '-')}>{name}</h3>
        <p>{plain(description)}</p>
        {operationsOf(document)
          .filter(({ tags }) => tags.includes(name))
          .map((operation) => (
            <OperationDetails {...operation} schemas={document.components.schemas} />
          ))}
      </section>
    ))}
  </>
)

type DetailsProps = ReturnType<typeof operationsOf>[number] & { schemas: Record<string, Schema> }

function OperationDetails({ schemas, method, path, ...operation }: DetailsProps) {
  const [first, ...others] = Object.entries(operation.responses)
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const schema = schemas[body?.schema.$ref?.split('/').at(-1) ?? ''] ?? body?.schema
  const fields = Object.keys(schema?.properties ?? {}).map((name) => ({
    name,
    required: schema?.required?.includes(name) ?? false,
    description: 'In the body.',
  }))
  const parameters: Parameter[] = [...(operation.parameters ?? []), ...fields]
  return (
    <details class="operation">
      <summary>
        <code>{method}</code> <code>{path}</code> {operation.summary}
        <small>{credentialOf(operation)}</small>
      </summary>
      <ul>
        {parameters.map(({ name, required, description }) => (
          <li>
            <code>{name}</code>
            {required && ' (required)'} {plain(description)}
          </li>
        ))}
      </ul>
      {first && (
        <p>
          Answer {first[0]}: {plain(first[1].description)}
        </p>
      )}
      {others.length > 0 && (
        <details>
          <summary>{counted(others.length, 'other answer')}</summary>
          {others.map(([status]) => status).join(', ')}: <a href="/docs/errors">errors</a>
        </details>
      )}
    </details>
  )
}
