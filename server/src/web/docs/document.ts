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

/** The registry's address in the committed document. */
const committedUrl = /^http:\/\/localhost:3000(?=\/|$)/

/** Reads the OpenAPI document and inserts the base URLs of this installation's services. */
export function readDocument(
  { authUrl, baseUrl }: Pick<Config, 'authUrl' | 'baseUrl'>,
  services: readonly Service[],
): Document {
  const file = createRequire(import.meta.url).resolve('@skillpass/openapi/openapi.json')
  const committed: Document = JSON.parse(readFileSync(file, 'utf8'), (key, value) => {
    if (oauthUrls.includes(key)) return authUrl + new URL(value).pathname
    return typeof value === 'string' ? value.replace(committedUrl, () => baseUrl) : value
  })
  const paths = Object.entries(committed.paths).map(([path, item]) => {
    const service = services.find(({ owns }) => owns(path))
    const isElsewhere = service !== undefined && service.name !== 'registry'
    return [path, isElsewhere ? { servers: [{ url: service.url }], ...item } : item]
  })
  return { ...committed, paths: Object.fromEntries(paths) }
}
