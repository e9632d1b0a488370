import { ConnectionError, TimeoutError, UnexpectedResponseError } from '../../errors.ts'
import {
  InternalError,
  NotFoundError,
  UnavailableError,
  UnavailableForLegalReasonsError,
} from '../../generated/registry-errors.ts'
import { jsonIn } from '../../read.ts'
import { type Verdict, verdictOf } from '../../registry.ts'
import type { Wire } from '../../transport.ts'
import { plain } from '../command.ts'
import { digestOf, type Manifest, type ManifestFile, readManifest } from './manifest.ts'
import { notFollowed, readAnswer } from './read-answer.ts'

/** A version of a skill at a registry. */
export interface Located {
  /** `owner/repo/skill`, the one that it has moved to where it has moved. */
  readonly address: string
  readonly registry: string
  readonly id: string
  readonly version: number
  readonly verdict: Verdict
  readonly rules: readonly string[]
}

/** What a registry is asked: an address of it, and a version unless it is the current one. */
export interface Asked {
  readonly registry: string
  readonly address: string
  readonly version?: number | undefined
}

/** Most bytes of a readme with its headers' worth of room, and of a manifest's JSON. */
const limits = { readme: 512 * 1024, manifest: 4 * 1024 * 1024 }

/** Whether no registry has answered as one: that says nothing of the skill, and a cache makes up for it. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof UnavailableError ||
  error instanceof InternalError ||
  error instanceof UnexpectedResponseError

type Named = Omit<Asked, 'registry'>

/** `owner/repo/skill, version 3`. */
export const namedOf = ({ address, version }: Named): string =>
  version === undefined ? plain(address) : `${plain(address)}, version ${version}`

/** A skill as a sentence begins with it. */
const subjectOf = (named: Named) => namedOf(named) + (named.version === undefined ? '' : ',')

/** Most addresses that a skill has moved through. */
const mostMoves = 3

/** Finds a skill at its registry. Throws where it is hidden, deleted or withdrawn, and says so. */
export async function locate(asked: Asked, wire: Wire): Promise<Located> {
  let { address } = asked
  for (let moves = 0; ; moves++) {
    const version = asked.version === undefined ? '' : `&version=${asked.version}`
    const url = `${asked.registry}/${encoded(address)}?format=md${version}`
    const accept = 'text/markdown, application/json'
    const reading = { limit: limits.readme, accept, redirects: true, wire }
    const answer = await readAnswer(url, reading).catch((error: unknown) =>
      explained(error, { ...asked, address }, wire),
    )
    const { status, headers } = answer
    if (status === 200) return locatedOf({ ...asked, address }, headers)
    const to = status === 308 ? movedTo(headers.get('location'), url) : undefined
    if (to === undefined || moves === mostMoves) throw notFollowed(url, answer)
    address = to
  }
}

/** The last three segments; the host is left out, so that the answer cannot send us elsewhere. */
function movedTo(location: string | null, from: string): string | undefined {
  if (location === null || !URL.canParse(location, from)) return undefined
  const segments = new URL(location, from).pathname.split('/').slice(-3).map(decoded)
  return segments.length === 3 && segments.every(isSegment) ? segments.join('/') : undefined
}

/** Whether a text can be one part of an address. */
export const isSegment = (text: string): boolean =>
  /^[\p{L}\p{N}._-]{1,100}$/u.test(text) && !/^\.+$/.test(text)

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function locatedOf(asked: Asked, headers: Headers): Located {
  const id = headers.get('skillpass-id') ?? ''
  const version = headers.get('skillpass-version') ?? ''
  const isVersion =
    /^[1-9]\d{0,8}$/.test(version) && [undefined, Number(version)].includes(asked.version)
  if (!/^[\w-]{1,64}$/.test(id) || !isVersion) {
    throw new Error(`${asked.registry} does not tell id and version of ${namedOf(asked)}.`)
  }
  const { address, registry } = asked
  const verdict = verdictOf(headers.get('skillpass-verdict'))
  return { address, registry, id, version: Number(version), ...verdict }
}

/** Says of a skill that is not handed out what has become of it. */
async function explained(error: unknown, asked: Asked, wire: Wire): Promise<never> {
  const subject = subjectOf(asked)
  if (error instanceof UnavailableForLegalReasonsError) {
    throw new Error(
      `${subject} was withdrawn: ${plain(error.message)} (${error.status} of ${asked.registry})`,
    )
  }
  if (!(error instanceof NotFoundError)) throw error
  if (asked.version !== undefined) {
    const { address, registry } = asked
    const current = await locate({ address, registry }, wire)
    if (current.version === asked.version) {
      throw new Error(`${registry} has ${subject} but does not hand out all of its files.`)
    }
    throw new Error(
      `${subject} is not there any more or never was: ${registry} has version ${current.version} now.`,
    )
  }
  throw new Error(
    `${subject} is not there: ${asked.registry} has no skill of this address, or has it no more.`,
  )
}

/** The manifest of what was found. */
export async function manifestOf(located: Located, wire: Wire): Promise<Manifest> {
  const { registry, id, version } = located
  const url = `${registry}/api/v1/skills/${encodeURIComponent(id)}/files?version=${version}`
  const reading = { limit: limits.manifest, accept: 'application/json', wire }
  const answer = await readAnswer(url, reading).catch((error: unknown) =>
    explained(error, located, wire),
  )
  const manifest = readManifest(jsonIn(new TextDecoder().decode(answer.bytes)), namedOf(located))
  if (manifest.version !== version) {
    throw new Error(`${url} answers with version ${manifest.version}, not ${version}.`)
  }
  return manifest
}

/** The bytes of a file, of the size and digest that its manifest says. */
export async function download(
  { registry, address, version }: Asked,
  file: ManifestFile,
  wire: Wire,
): Promise<Uint8Array> {
  const url = `${registry}/${encoded(address)}/files/${encoded(file.path)}?version=${version}`
  const reading = { limit: file.size, accept: '*/*', wire }
  const answer = await readAnswer(url, reading).catch((error: unknown) =>
    explained(error, { registry, address, version }, wire),
  )
  const { length } = answer.bytes
  const digest = digestOf(answer.bytes)
  if (length === file.size && digest === file.digest) return answer.bytes
  throw new Error(
    `${plain(file.path)} of ${subjectOf({ address, version })} is not what its manifest says: ` +
      `${digest} of ${length} bytes instead of ${file.digest} of ${file.size}.`,
  )
}
