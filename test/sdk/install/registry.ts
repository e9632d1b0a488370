import { manifestText } from '@skillpass/contract'
import { sha256 } from '../../support/bundles.ts'
import { serveHttp } from '../../support/http-server.ts'

export interface StubFile {
  readonly path: string
  readonly text: string
  readonly executable?: boolean
}

/** A version of `acme/skills/forms`, the only skill of the stub registry. */
export interface StubVersion {
  readonly files: readonly StubFile[]
  /** Changes the manifest before it is sent. */
  readonly lie?: (manifest: StubManifest) => unknown
}

export interface StubManifest {
  version: number
  digest: string
  size: number
  files: { path: string; digest: string; size: number; executable: boolean; url: string }[]
}

/** A response that replaces that of the registry. */
export interface StubResponse {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | object
  /** Whether the body never ends. */
  readonly endless?: true
  /** Whether no response is sent. */
  readonly silent?: true
}

export const address = 'acme/skills/forms'

/** Returns the manifest of files without validation. */
export function manifestOf(version: number, files: readonly StubFile[]): StubManifest {
  const lines = files.map(({ path, text, executable = false }) => ({
    path,
    digest: `sha256:${sha256(text)}`,
    size: Buffer.byteLength(text),
    executable,
    // The client downloads only from the registry, whatever address a manifest names.
    url: `http://elsewhere.test/${path}`,
  }))
  const size = lines.reduce((sum, file) => sum + file.size, 0)
  return { version, digest: digestOf(lines), size, files: lines }
}

/** Returns the correct digest of a manifest. */
export const digestOf = (files: StubManifest['files']): string =>
  `sha256:${sha256(manifestText(files))}`

/**
 * Starts a registry of one skill with these versions, oldest first. `answer` may replace the
 * response to a path with query.
 */
export async function startRegistry(
  versions: StubVersion[],
  answer: (url: string, count: number) => StubResponse | undefined = () => undefined,
) {
  const requests: string[] = []
  const served = await serveHttp((request, response) => {
    const { url = '' } = request
    requests.push(url)
    const replaced = answer(url, requests.length) ?? answerOf(versions, url)
    if (replaced.silent) return
    const { status = 200, headers = {}, body = '' } = replaced
    const isText = typeof body === 'string'
    const type = isText ? 'application/octet-stream' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...headers })
    if (replaced.endless) {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    } else response.end(isText ? body : JSON.stringify(body))
  })
  return { ...served, requests, versions }
}

/** Returns the response for an unknown address. */
export const missing = (): StubResponse => ({
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' } },
})

function answerOf(versions: readonly StubVersion[], url: string): StubResponse {
  const { pathname, searchParams } = new URL(url, 'http://registry.test')
  const number = Number(searchParams.get('version') ?? versions.length)
  const version = versions[number - 1]
  if (!version) return missing()
  if (pathname === `/${address}`) {
    const headers = { 'skillpass-id': 'made-1', 'skillpass-version': `${number}` }
    return { headers, body: '# Forms\n' }
  }
  if (pathname === '/api/v1/skills/made-1/files') {
    const manifest = manifestOf(number, version.files)
    return { body: { data: version.lie?.(manifest) ?? manifest } }
  }
  const path = decodeURIComponent(pathname.slice(`/${address}/files/`.length))
  const file = version.files.find((file) => file.path === path)
  return file ? { body: file.text } : missing()
}
