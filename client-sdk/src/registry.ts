import type { CallOptions } from './call.ts'
import type { Service } from './calls.ts'
import { IntegrityError, SignatureError, VerdictError } from './errors.ts'
import { NotFoundError, UnavailableForLegalReasonsError } from './generated/registry-errors.ts'
import { registryRoutes } from './generated/tables.ts'
import type { RegistryCalls, ResolvedSkill } from './generated/types.ts'
import { toRequest } from './request.ts'
import { bodyOf } from './response.ts'
import { checkSignature, type RequireSigned, unsigned } from './signatures.ts'
import { send } from './transport.ts'

/** Checks of the fetched markdown. */
interface Checks {
  /**
   * Whether to verify the digest of the markdown, and its signature if it has one. Default: true.
   */
  readonly verify?: boolean | undefined
  /**
   * Whether to require a signature: true for any key of the publisher, or the keys you trust.
   * Default: false.
   */
  readonly requireSigned?: RequireSigned | undefined
}

/** Settings of `fetchSkill`. */
export interface FetchOptions extends CallOptions, Checks {
  /** Version number. Default: the current version. */
  readonly version?: number | undefined
  /** A label such as `1.4.0`, a range such as `^1.2`, or a dist-tag, in place of `version`. */
  readonly at?: string | undefined
}

/** Address of a skill: `owner/repo/skill`. */
export interface SkillAddress {
  readonly owner: string
  readonly repo: string
  readonly skill: string
}

/** The markdown of one version. */
export interface FetchedMarkdown {
  readonly markdown: string
  /** `sha256:` and the hexadecimal digest of the markdown. */
  readonly digest: string
  readonly version: number
  /** Id of the skill, for stars and feedback; null if the service does not send it. */
  readonly id: string | null
  /** Public key (Base64) of the verified signature; null if the version is not signed. */
  readonly signedBy: string | null
  /**
   * Signed digest of the manifest lines of all files except SKILL.md, `sha256:…`; null without
   * other files or without a signature.
   */
  readonly filesDigest: string | null
  /** Lint verdict of this version. */
  readonly verdict: Verdict
  /** Ids of the lint rules with findings; empty if the verdict is `clean`. */
  readonly rules: readonly string[]
}

/** Settings of `resolveAndFetch`. */
export interface ResolveAndFetchOptions extends CallOptions, Checks {
  /** Minimum confidence, 0 to 1. Default: the threshold of the service. */
  readonly threshold?: number | undefined
  /** Maximum number of candidates to try if better ones are deleted or rejected. Default: 3. */
  readonly limit?: number | undefined
  /** Most severe verdict to accept. Default: `notice`, which excludes skills with a warning. */
  readonly allow?: 'clean' | 'notice' | 'warning' | undefined
}

/** The markdown of a skill that serves a task. */
export interface FetchedSkill extends FetchedMarkdown {
  readonly skill: ResolvedSkill['skill']
  /** Confidence that the skill serves the task, 0 to 1. */
  readonly confidence: number
}

/** Registry functions that combine several calls. */
export interface RegistryExtras {
  /**
   * Resolves a task and returns the markdown of the best skill without a warning; null if no skill reaches
   * the threshold. Prefers an original over its near-copies if both serve the task. Tries the next candidate
   * if one is deleted or rejected, and throws the first error if none is left. Fetches only from `baseUrl`.
   *
   * @example
   * const found = await client.registry.resolveAndFetch('fill in a PDF form', { threshold: 0.5 })
   * if (found) console.log(found.skill.name, found.confidence, found.markdown)
   * @throws IntegrityError if the markdown does not match its digest.
   * @throws SignatureError if a required signature is missing, or a signature does not verify.
   * @throws VerdictError if skills serve the task, but all have a more severe verdict than `allow`.
   */
  resolveAndFetch(task: string, options?: ResolveAndFetchOptions): Promise<FetchedSkill | null>

  /**
   * Returns the markdown of a skill after checking its digest and signature. It does not check the verdict;
   * see `verdict` and `rules` of the result.
   *
   * @example
   * const address = { owner: 'report-writer', repo: 'skills', skill: 'pdf-form-filler' }
   * const { markdown, signedBy } = await client.registry.fetchSkill(address, { requireSigned: true })
   * @throws IntegrityError if the markdown does not match its digest.
   * @throws SignatureError if a required signature is missing, or a signature does not verify.
   */
  fetchSkill(address: SkillAddress, options?: FetchOptions): Promise<FetchedMarkdown>
}

/** Builds the registry functions that combine several calls. */
export function registryExtras(registry: RegistryCalls, service: Service): RegistryExtras {
  return {
    async resolveAndFetch(task, options = {}) {
      const { threshold, limit = 3, allow = 'notice', ...call } = options
      const requested = threshold === undefined ? { task } : { task, threshold }
      const resolve = (verdict: 'clean' | 'notice' | 'any', limit: number) =>
        registry.skills.resolve({ query: { ...requested, limit, verdict }, ...call })
      const { data } = await resolve(allow === 'warning' ? 'any' : allow, limit)
      let rejection: unknown
      for (const { skill, confidence, fetchUrl } of originalsFirst(data)) {
        try {
          const fetched = await fetchVerified(service, addressOf(fetchUrl), call)
          const { verdict, rules } = fetched
          if (severity[verdict] > severity[allow]) reject(skill, verdict, rules)
          return { skill, confidence, ...fetched }
        } catch (error) {
          if (isGone(error)) continue
          if (!isRejection(error)) throw error
          rejection ??= error
        }
      }
      if (rejection !== undefined) throw rejection
      if (allow === 'warning' || data.length > 0) return null
      const [rejected] = (await resolve('any', 1)).data
      if (!rejected) return null
      const { skill } = rejected
      return reject(
        skill,
        skill.verdict,
        skill.warnings.map(({ rule }) => rule),
      )
    },
    fetchSkill: (address, options = {}) => fetchVerified(service, address, options),
  }
}

/**
 * Moves each original before its near-copies. Ignores originals that are not among the hits, since
 * they need not serve the task.
 */
function originalsFirst(data: readonly ResolvedSkill[]): ResolvedSkill[] {
  const hits = new Map(data.map((hit) => [hit.skill.id, hit]))
  const ordered = new Set<ResolvedSkill>()
  for (const hit of data) {
    const original = hit.copyOf && hits.get(hit.copyOf.id)
    if (original) ordered.add(original)
    ordered.add(hit)
  }
  return [...ordered]
}

/** Rank of each verdict. */
export const severity = { clean: 0, notice: 1, warning: 2 }

/** Lint verdict of a version. */
export type Verdict = keyof typeof severity

function reject(skill: ResolvedSkill['skill'], verdict: Verdict, found: readonly string[]): never {
  const rules = [...new Set(found)]
  const { owner, name } = skill.repo
  const address = `${owner}/${name}/${skill.slug}`
  const message = `${address} serves this task, but the lint found: ${rules.join(', ')}.`
  throw new VerdictError({ message, address, verdict, rules })
}

/** Returns whether the skill was deleted or hidden after it was resolved. */
function isGone(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof UnavailableForLegalReasonsError
}

/** Returns whether the error concerns only this skill, so that another candidate may succeed. */
function isRejection(error: unknown): boolean {
  return (
    error instanceof VerdictError ||
    error instanceof SignatureError ||
    error instanceof IntegrityError
  )
}

async function fetchVerified(
  service: Service,
  address: SkillAddress,
  { version: requested, at, verify = true, requireSigned = false, ...call }: FetchOptions,
): Promise<FetchedMarkdown> {
  const route = registryRoutes.rawSkill.fetch
  const selected = { ...(requested !== undefined && { version: requested }), ...(at && { at }) }
  const query = { format: 'md', ...selected }
  const request = toRequest(service, route, { params: { ...address }, query })
  const response = await send(service.transport, request, call)
  const markdown = String(bodyOf(route, response, service.readError))
  const digest = await digestOf(response.bytes)
  const etag = response.headers.get('etag')?.replace(/^W\//, '')
  const { name, url } = request
  const reject = (message: string): never => {
    throw new IntegrityError({ message, request: name, status: response.status, body: markdown })
  }
  if (verify && etag !== `"${digest}"`) {
    reject(`The markdown of ${url} has the digest ${digest}, but the ETag ${etag ?? 'is missing'}.`)
  }
  // Check the signature for the requested version, so that an older signed version is not accepted.
  const version =
    requested ??
    versionOf(response.headers.get('skillpass-version')) ??
    reject(`The response of ${url} has no version.`)
  // A moved skill is signed for its new address. If a signature is required, it must be for the
  // requested address, so that a redirect cannot substitute another signed skill.
  const isElsewhere = requireSigned === false && response.url !== ''
  const { owner, repo, skill: slug } = isElsewhere ? addressOf(response.url) : address
  const signature = response.headers.get('skillpass-signature')
  const signed = { owner, repo, slug, version, digest }
  const isChecked = verify || requireSigned !== false
  const checked = isChecked ? await checkSignature(signed, signature, requireSigned) : unsigned
  const verdict = verdictOf(response.headers.get('skillpass-verdict'))
  const id = response.headers.get('skillpass-id')
  return { markdown, digest, version, id, ...checked, ...verdict }
}

/**
 * Parses a version number. Accepts one spelling only, since the signature covers the number as
 * text.
 */
function versionOf(field: string | null): number | undefined {
  return /^[1-9]\d*$/.test(field ?? '') ? Number(field) : undefined
}

/** Parses `Skillpass-Verdict`. The verdict is `clean` without the header. */
export function verdictOf(field: string | null): { verdict: Verdict; rules: string[] } {
  const [, word, list = ''] =
    /^(clean|notice|warning)(?:;rules="([\w,-]*)")?/.exec(field ?? '') ?? []
  const verdict = word === 'notice' || word === 'warning' ? word : 'clean'
  return { verdict, rules: list.split(',').filter((rule) => rule !== '') }
}

/** Returns the last three segments of the path. Ignores the host, which may not be the registry. */
function addressOf(fetchUrl: string): SkillAddress {
  const segments = new URL(fetchUrl, 'http://localhost').pathname.split('/').slice(-3)
  const [owner = '', repo = '', skill = ''] = segments.map(decodeURIComponent)
  return { owner, repo, skill }
}

/** Returns the SHA-256 digest. Browsers require https or localhost for WebCrypto. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
