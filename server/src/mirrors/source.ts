import { bounds } from '@skillpass/contract'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { sendRequest } from '../runtime/outbound/send-request.ts'
import type { NewFile } from '../skills/bundles/version-files.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { digestOf } from '../text/digest.ts'

/** The text of a version, and its files besides the readme. */
export interface SourceText extends Pick<SkillRecord, 'name' | 'description' | 'tags'> {
  readonly readme: string
  readonly label?: string | null
  readonly files: readonly (NewFile & { read(): Promise<Uint8Array> })[]
}

interface SourceVersion {
  readonly version: string
  readonly digest: string
  readonly withdrawn?: { readonly reason: string; readonly security: boolean } | null
}

/** A skill at a source. It has no versions if it was deleted. */
export interface SourceSkill {
  /** Its name there. */
  readonly source: string
  readonly versions: readonly SourceVersion[]
  readonly current?: SourceVersion & {
    /** Changes with the fields of the skill. */
    readonly stamp: string
    readonly url: string
    /** Its repository here. */
    readonly repo: string
    readonly slug: string
    /** Whether it must not become public here. */
    readonly isPrivate: boolean
    /** Reads the text. Throws CONFLICT for another digest than that of the version. */
    read(): Promise<SourceText>
  }
}

export interface Source {
  readonly url: URL
  readonly apiKey: string | undefined
  readonly fetch: typeof fetch
  /** Aborts when the server stops. */
  readonly signal: AbortSignal
  /** Position in the changes of the source, or the ETag of its index. Null to compare all skills. */
  cursor: string | null
  /** Skills that were published here. */
  readonly known: readonly string[]
  /** Skills that could not be followed, to try again. */
  readonly failed: readonly string[]
}

const limits = { maxBytes: bounds.bundleBytes, timeout: 30_000 }
const maxRedirects = 5

/**
 * Creates the `fetch` of a mirror, which follows redirects. Only requests to the mirror's own origin
 * carry a key, and only they may reach private addresses, if the settings allow them.
 */
export const createSourceFetch =
  ({ config }: OperatorContext, { origin }: URL): typeof fetch =>
  async (input, init) => {
    let url = new URL(String(input))
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const headers = new Headers(init?.headers)
      const isOwn = url.origin === origin
      if (!isOwn) headers.delete('authorization')
      const sent = { url: url.href, headers: Object.fromEntries(headers) }
      const allowsPrivate = isOwn && config.allowsPrivateWebhooks
      const signal = init?.signal ?? undefined
      const result = await sendRequest({ ...sent, allowsPrivate, signal, ...limits })
      if (result.kind !== 'answered') throw new Error(result.reason)
      const { status, headers: received, bytes } = result
      if (status < 300 || status >= 400 || received.location === undefined) {
        const fields = Object.entries(received).map(([name, value]) => [name, String(value)])
        const answer = { status, headers: Object.fromEntries(fields) as Record<string, string> }
        return new Response(status === 304 ? null : bytes, answer)
      }
      url = new URL(received.location, url)
    }
    throw new Error(`The source redirects more than ${maxRedirects} times.`)
  }

/** Returns bytes that have the digest that the source names. Throws CONFLICT for others. */
export function checked<B extends string | Uint8Array>(what: string, digest: string, bytes: B): B {
  const found = digestOf(bytes)
  if (found === digest) return bytes
  return fail('CONFLICT', `${what} has the digest ${found}, but the source names ${digest}.`)
}
