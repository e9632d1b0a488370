import { contract } from '#contract'
import type { Caller, CallResult, Calls } from './calls.ts'
import { IntegrityError, NotFoundError } from './errors.ts'
import { toRequest } from './request.ts'
import { bodyOf } from './response.ts'
import { type CallOptions, send } from './transport.ts'

type Registry = (typeof contract)['registry']
type Resolved = CallResult<Registry['skills']['resolve']>['data'][number]

/** Settings of `resolveAndFetch`. */
export interface ResolveAndFetchOptions extends CallOptions {
  /** Least confidence, 0 to 1; without it, the service's own. */
  readonly threshold?: number | undefined
  /** How many candidates to try should the better ones be deleted meanwhile; 3 by default. */
  readonly limit?: number | undefined
  /** Whether to compare the markdown with its digest; true by default. */
  readonly verify?: boolean | undefined
}

/** A skill for a task, ready to be read. */
export interface FetchedSkill {
  readonly skill: Resolved['skill']
  /** How likely the skill serves the task, 0 to 1. */
  readonly confidence: number
  readonly markdown: string
  /** `sha256:` and the hexadecimal digest of the markdown. */
  readonly digest: string
}

/** What the registry's part of the client has beside the contract's routes. */
export interface RegistryExtras {
  /**
   * Resolves a task and fetches the markdown of the best skill; null where no skill reaches the
   * threshold. The markdown always comes from the client's own `baseUrl`.
   *
   * @example
   * const found = await client.registry.resolveAndFetch('fill in a PDF form', { threshold: 0.5 })
   * if (found) console.log(found.skill.name, found.confidence, found.markdown)
   * @throws IntegrityError where the markdown is not what its digest says.
   */
  resolveAndFetch(task: string, options?: ResolveAndFetchOptions): Promise<FetchedSkill | null>
}

/** Builds what is derived from several calls of the registry. */
export function registryExtras(registry: Calls<Registry>, caller: Caller): RegistryExtras {
  return {
    async resolveAndFetch(task, options = {}) {
      const { threshold, limit = 3, verify = true, ...call } = options
      const query = threshold === undefined ? { task, limit } : { task, limit, threshold }
      const { data } = await registry.skills.resolve({ query, ...call })
      for (const { skill, confidence, fetchUrl } of data) {
        const fetched = await fetchVerified(caller, fetchUrl, verify, call).catch(unlessGone)
        if (fetched) return { skill, confidence, ...fetched }
      }
      return null
    },
  }
}

/** A skill may be deleted between resolve and fetch; then the next one serves. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error
}

async function fetchVerified(caller: Caller, url: string, verify: boolean, call: CallOptions) {
  const route = contract.registry.rawSkill.fetch
  const request = toRequest(caller, route, { params: addressOf(url), query: { format: 'md' } })
  const answer = await send(caller.wire, request, call)
  const markdown = String(bodyOf(route, answer, caller.readRefusal))
  const digest = await digestOf(answer.bytes)
  const etag = answer.headers.get('etag')?.replace(/^W\//, '')
  if (verify && etag !== `"${digest}"`) {
    const message = `The markdown of ${request.url} has ${digest}, its ETag says ${etag ?? 'nothing'}.`
    throw new IntegrityError({ message, status: answer.status, body: markdown })
  }
  return { markdown, digest }
}

/** The last three segments; the host is left out, so that the answer cannot send us elsewhere. */
function addressOf(fetchUrl: string) {
  const segments = new URL(fetchUrl, 'http://localhost').pathname.split('/').slice(-3)
  const [owner, repo, skill] = segments.map(decodeURIComponent)
  return { owner, repo, skill }
}

/** WebCrypto: in browsers it needs https or localhost. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
