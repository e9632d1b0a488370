import type { ManifestLine } from '../../contract/registry/file-path.ts'
import { ConnectionError, TimeoutError, UnexpectedResponseError } from '../../errors.ts'
import {
  GoneError,
  InternalError,
  NotFoundError,
  UnavailableError,
  UnavailableForLegalReasonsError,
} from '../../generated/registry-errors.ts'
import { type Verdict, verdictOf } from '../../registry.ts'
import { parseJson } from '../../untrusted.ts'
import { printable } from '../command.ts'
import { boundedGet, type KeyedTransport, redirectError } from './bounded-get.ts'
import { digestOf, type Manifest, readManifest } from './manifest.ts'

/** A version of a skill at a registry. */
export interface Located {
  /** `owner/repo/skill`; the new address if the skill has moved. */
  readonly address: string
  readonly registry: string
  readonly id: string
  readonly version: number
  readonly verdict: Verdict
  readonly rules: readonly string[]
  /** Why the publisher advises against the version, as sentences. Empty if it does not. */
  readonly advice: readonly string[]
  readonly isWithdrawn: boolean
  readonly allowWithdrawn?: boolean | undefined
}

/** A requested skill. Without a version, the current one. */
export interface SkillRequest {
  readonly registry: string
  readonly address: string
  readonly version?: number | undefined
  /** A label, range, dist-tag or number in place of `version`. */
  readonly at?: string | undefined
  /** Whether to accept a version that is withdrawn for security. */
  readonly allowWithdrawn?: boolean | undefined
  /** HEAD does not count as a read, but its errors have no reason. Default: GET. */
  readonly method?: 'GET' | 'HEAD'
}

/** Maximum number of bytes of each response. */
const limits = { readme: 512 * 1024, manifest: 4 * 1024 * 1024 }

/** Returns whether the registry was unavailable, so that the cache may be used instead. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof UnavailableError ||
  error instanceof InternalError ||
  error instanceof UnexpectedResponseError

type Named = Pick<SkillRequest, 'address' | 'version'>

/** Returns `owner/repo/skill, version 3`, or only the address. */
export const labelOf = ({ address, version }: Named): string =>
  version === undefined ? printable(address) : `${printable(address)}, version ${version}`

/** Returns a skill as the subject of a sentence, with a comma after the version. */
const subjectOf = (named: Named) => labelOf(named) + (named.version === undefined ? '' : ',')

const maxMoves = 3

/**
 * Finds a skill at its registry and follows moves. Throws an error that explains why a skill is
 * unavailable.
 */
export async function locate(requested: SkillRequest, transport: KeyedTransport): Promise<Located> {
  let { address } = requested
  for (let moves = 0; ; moves++) {
    const url = `${requested.registry}/${encoded(address)}?format=md${selected(requested)}`
    const accept = 'text/markdown, application/json'
    const reading = {
      registry: requested.registry,
      limit: limits.readme,
      accept,
      redirects: true,
      transport,
      method: requested.method,
    }
    const response = await boundedGet(url, reading).catch((error: unknown) =>
      explained(error, { ...requested, address }, transport),
    )
    const { status, headers } = response
    if (status === 200) return locatedOf({ ...requested, address }, headers)
    const to = status === 308 ? movedTo(headers.get('location'), url) : undefined
    if (to === undefined || moves === maxMoves) throw redirectError(url, response)
    address = to
  }
}

export const withdrawnRemedy = 'To install it nevertheless, use --allow-withdrawn.'

/** Returns the parameters of a URL that select a version. */
function selected({ version, at, allowWithdrawn }: Omit<SkillRequest, 'registry' | 'address'>) {
  const [name, value] = version === undefined ? ['at', at] : ['version', version]
  const part = value === undefined ? '' : `&${name}=${encodeURIComponent(value)}`
  return allowWithdrawn ? `${part}&allow_withdrawn=true` : part
}

/**
 * Returns the last three segments of a redirect. Ignores its host, so that it cannot leave the
 * registry.
 */
function movedTo(location: string | null, from: string): string | undefined {
  if (location === null || !URL.canParse(location, from)) return undefined
  const segments = new URL(location, from).pathname.split('/').slice(-3).map(decoded)
  return segments.length === 3 && segments.every(isSegment) ? segments.join('/') : undefined
}

/** Returns whether a text is valid as one part of an address. */
export const isSegment = (text: string): boolean =>
  /^[\p{L}\p{N}._-]{1,100}$/u.test(text) && !/^\.+$/.test(text)

/** Returns an address as the path of a URL. */
export const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function locatedOf(requested: SkillRequest, headers: Headers): Located {
  const id = headers.get('skillpass-id') ?? ''
  const version = headers.get('skillpass-version') ?? ''
  const isVersion =
    /^[1-9]\d{0,8}$/.test(version) && [undefined, Number(version)].includes(requested.version)
  if (!/^[\w-]{1,64}$/.test(id) || !isVersion) {
    throw new Error(
      `${requested.registry} did not send the id and version of ${labelOf(requested)}.`,
    )
  }
  const { address, registry, allowWithdrawn } = requested
  const verdict = verdictOf(headers.get('skillpass-verdict'))
  const named = labelOf({ address, version: Number(version) })
  const [withdrawn, deprecated] = ['withdrawn', 'deprecated'].map((name) =>
    textOf(headers.get(`skillpass-${name}`)),
  )
  const advice = [
    ...(withdrawn === undefined ? [] : [`${named}, is withdrawn: ${withdrawn}`]),
    ...(deprecated === undefined ? [] : [`${named}, is deprecated: ${deprecated}`]),
  ]
  const states = { advice, isWithdrawn: withdrawn !== undefined, allowWithdrawn }
  return { address, registry, id, version: Number(version), ...verdict, ...states }
}

/** Reads a Display String (RFC 9651), and what to use instead if it has this parameter. */
function textOf(field: string | null): string | undefined {
  if (field === null) return undefined
  const [, text = '', , use] = /^%"([^"]*)"(;use=%"([^"]*)")?/.exec(field) ?? []
  const [said, instead] = [text, use && ` Use ${use} instead.`].map((part) => decoded(part ?? ''))
  return printable(`${said}${instead}`)
}

/** Throws an error that explains why a skill is unavailable. Throws other errors unchanged. */
async function explained(
  error: unknown,
  requested: SkillRequest,
  transport: KeyedTransport,
): Promise<never> {
  const subject = subjectOf(requested)
  if (error instanceof GoneError) {
    throw new Error(`${printable(error.message)} ${withdrawnRemedy}`)
  }
  if (error instanceof UnavailableForLegalReasonsError) {
    throw new Error(
      `${subject} was withdrawn: ${printable(error.message)} (${error.status} of ${requested.registry})`,
    )
  }
  if (!(error instanceof NotFoundError)) throw error
  if (requested.version !== undefined) {
    const { address, registry } = requested
    const current = await locate({ address, registry }, transport)
    if (current.version === requested.version) {
      throw new Error(`${registry} has ${subject} but does not serve all of its files.`)
    }
    throw new Error(
      `${subject} does not exist: the current version at ${registry} is ${current.version}.`,
    )
  }
  throw new Error(
    `${subject} does not exist at ${requested.registry}. It may have been deleted or hidden.`,
  )
}

/** Fetches and validates the manifest of a version. */
export async function manifestOf(located: Located, transport: KeyedTransport): Promise<Manifest> {
  const { registry, id, version, allowWithdrawn } = located
  const query = selected({ version, allowWithdrawn }).slice(1)
  const url = `${registry}/api/v1/skills/${encodeURIComponent(id)}/files?${query}`
  const reading = { registry, limit: limits.manifest, accept: 'application/json', transport }
  const response = await boundedGet(url, reading).catch((error: unknown) =>
    explained(error, located, transport),
  )
  const manifest = readManifest(
    parseJson(new TextDecoder().decode(response.bytes)),
    labelOf(located),
  )
  if (manifest.version !== version) {
    throw new Error(`${url} returned version ${manifest.version} instead of ${version}.`)
  }
  return manifest
}

/** Downloads a file. Throws unless its size and digest match the manifest. */
export async function download(
  { registry, address, ...which }: SkillRequest,
  file: ManifestLine,
  transport: KeyedTransport,
): Promise<Uint8Array> {
  const { version } = which
  const query = selected(which).slice(1)
  const url = `${registry}/${encoded(address)}/files/${encoded(file.path)}?${query}`
  const reading = { registry, limit: file.size, accept: '*/*', transport }
  const response = await boundedGet(url, reading).catch((error: unknown) =>
    explained(error, { registry, address, version }, transport),
  )
  const { length } = response.bytes
  const digest = digestOf(response.bytes)
  if (length === file.size && digest === file.digest) return response.bytes
  throw new Error(
    `${printable(file.path)} of ${subjectOf({ address, version })} does not match the manifest: ` +
      `${digest} of ${length} bytes instead of ${file.digest} of ${file.size}.`,
  )
}
