import { counted, Section } from '../ui/parts.tsx'

type Named<T> = Readonly<Record<string, T>>
type Schema = { $ref?: string; properties?: object; required?: string[] }
type Parameter = { name: string; required?: boolean; description?: string }

interface Operation {
  tags: string[]
  summary: string
  security: object[]
  parameters: Parameter[]
  requestBody?: { content: Named<{ schema: Schema }> }
  responses: Named<{ description?: string }>
}

/** The parts of the OpenAPI document that the page renders. */
export interface Document {
  info: { description: string }
  tags: { name: string; description: string }[]
  paths: Named<Named<Operation>>
  components: { schemas: Named<Schema> }
}

export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'servers' ? [] : [{ ...operation, path, method: method.toUpperCase() }],
    ),
  )

const credentials: Named<string> = {
  apiKey: 'API key',
  clientBasic: 'App',
  accessToken: 'Access token',
}

/** Markdown of the document as text. */
const plain = (text = '') => text.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

/** All operations by group, for readers without scripts and until Swagger UI has loaded. */
export const Operations = ({ document }: { document: Document }) => (
  <>
    {document.tags.map(({ name, description }) => (
      <Section id={name.replaceAll(' ', '-')} title={name} level={3} class="operations">
        <p>{plain(description)}</p>
        {operationsOf(document)
          .filter(({ tags }) => tags.includes(name))
          .map(detailsWith(document.components.schemas))}
      </Section>
    ))}
  </>
)

type Listed = ReturnType<typeof operationsOf>[number]

const detailsWith = (schemas: Named<Schema>) => (operation: Listed) => {
  const [[status, first] = [], ...others] = Object.entries(operation.responses)
  const [credential = ''] = Object.keys(operation.security[0] ?? {})
  const [{ schema = {} } = {}] = Object.values(operation.requestBody?.content ?? {})
  const { properties = {}, required = [] } = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  const fields: Parameter[] = Object.keys(properties).map((name) => ({
    name,
    required: required.includes(name),
    description: 'In the body.',
  }))
  return (
    <details class="operation">
      <summary>
        <code>{operation.method}</code> <code>{operation.path}</code> {operation.summary}
        <small>{credentials[credential] ?? 'No credential'}</small>
      </summary>
      <ul>
        {[...operation.parameters, ...fields].map(({ name, required, description }) => (
          <li>
            <code>{name}</code>
            {required && ' (required)'} {plain(description)}
          </li>
        ))}
      </ul>
      <p>
        Answer {status}: {plain(first?.description)}
      </p>
      <details>
        <summary>{counted(others.length, 'other answer')}</summary>
        {others.map(([status]) => status).join(', ')}: <a href="/docs/errors">errors</a>
      </details>
    </details>
  )
}
