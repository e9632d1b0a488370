import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Config } from '../../config/config.ts'
import type { Service } from '../../http/service.ts'

export interface Document {
  info: { version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, object>
  components: { securitySchemes: { oauth: { flows: Record<string, Record<string, unknown>> } } }
}

/** Reads the OpenAPI document and inserts the base URLs of this installation's services. */
export function readDocument(
  { authUrl, baseUrl }: Pick<Config, 'authUrl' | 'baseUrl'>,
  services: readonly Service[],
): Document {
  const file = createRequire(import.meta.url).resolve('@skillpass/openapi/openapi.json')
  const committed: Document = JSON.parse(readFileSync(file, 'utf8'))
  const paths = Object.entries(committed.paths).map(([path, item]) => {
    const service = services.find(({ owns }) => owns(path))
    const isElsewhere = service !== undefined && service.name !== 'registry'
    return [path, isElsewhere ? { servers: [{ url: service.url }], ...item } : item]
  })
  const { oauth, ...others } = committed.components.securitySchemes
  const here = (value: unknown) =>
    typeof value === 'string' ? value.replace(committed.servers[0]?.url ?? '', authUrl) : value
  const flows = mapValues(oauth.flows, (flow) => mapValues(flow, here))
  return {
    ...committed,
    servers: [{ url: baseUrl }],
    paths: Object.fromEntries(paths),
    components: {
      ...committed.components,
      securitySchemes: { ...others, oauth: { ...oauth, flows } },
    },
  }
}

const mapValues = <V, W>(record: Record<string, V>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
