import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Config } from '../../config/config.ts'
import type { Service } from '../../http/service.ts'

export interface Document {
  info: { version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, object>
}

/** Fields of the OAuth flows. */
const oauthUrls = ['authorizationUrl', 'tokenUrl', 'refreshUrl']

/** Reads the OpenAPI document and inserts the base URLs of this installation's services. */
export function readDocument(
  { authUrl, baseUrl }: Pick<Config, 'authUrl' | 'baseUrl'>,
  services: readonly Service[],
): Document {
  const file = createRequire(import.meta.url).resolve('@skillpass/openapi/openapi.json')
  const committed: Document = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    oauthUrls.includes(key) ? authUrl + new URL(value).pathname : value,
  )
  const paths = Object.entries(committed.paths).map(([path, item]) => {
    const service = services.find(({ owns }) => owns(path))
    const isElsewhere = service !== undefined && service.name !== 'registry'
    return [path, isElsewhere ? { servers: [{ url: service.url }], ...item } : item]
  })
  return { ...committed, servers: [{ url: baseUrl }], paths: Object.fromEntries(paths) }
}
