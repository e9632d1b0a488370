import type { CallOptions } from './call.ts'
import type { CalledService } from './calls.ts'
import { IntegrityError, SignatureError, VerdictError } from './errors.ts'
import { NotFoundError, UnavailableForLegalReasonsError } from './generated/registry-errors.ts'
import { registryRoutes } from './generated/tables.ts'
import type { RegistryCalls, ResolvedSkill } from './generated/types.ts'
import { toRequest } from './request.ts'
import { bodyOf } from './response.ts'
import { checkSignature, type RequireSigned, unsigned } from './signatures.ts'
import { send } from './transport.ts'

/** How markdown is checked before it is handed out. */
interface Checks {
  /** Whether to compare the markdown with its digest, and its signature where it has one; true by default. */
  readonly verify?: boolean | undefined
  /** Whether the publisher must have signed it; false by default. Public keys say whose signature counts. */
  readonly requireSigned?: RequireSigned | undefined
}

/** Settings of `fetchSkill`. */
export interface FetchOptions extends CallOptions, Checks {
  /** A version by number; the current one without it. */
  readonly version?: number | undefined
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
  /** Id of the skill, as stars and feedback take it; null where the service does not tell it. */
  readonly id: string | null
  /** Public key (Base64) whose signature has been verified; null where the version is not signed. */
  readonly signedBy: string | null
  /**
   * `sha256:` and the hexadecimal digest of the manifest's lines for the files beside SKILL.md, which the
   * signature covers; null where there are none, or it is not signed.
   */
  readonly filesDigest: string | null
  /** What the lint says of this version. */
  readonly verdict: Verdict
  /** Ids of the rules that name something in it; empty where the verdict is clean. */
  readonly rules: readonly string[]
}

/** Settings of `resolveAndFetch`. */
export interface ResolveAndFetchOptions extends CallOptions, Checks {
  /** Least confidence, 0 to 1; without it, the service's own. */
  readonly threshold?: number | undefined
  /** How many candidates to try should the better ones be gone or refused; 3 by default. */
  readonly limit?: number | undefined
  /** The gravest verdict to hand out; 'notice' by default, so that no skill with a warning is. */
  readonly allow?: 'clean' | 'notice' | 'warning' | undefined
}

/** A skill for a task, ready to be read. */
export interface FetchedSkill extends FetchedMarkdown {
  readonly skill: ResolvedSkill['skill']
  /** How likely the skill serves the task, 0 to 1. */
  readonly confidence: number
}

/** What the registry's part of the client has beside the contract's routes. */
export interface RegistryExtras {
  /**
   * Resolves a task and fetches the markdown of the best skill that has no warning; null where no skill
   * reaches the threshold. In place of a near-copy it takes the original where that serves the task as
   * well, and the next skill in place of one that is gone or refused; it throws once none is left. The
   * markdown always comes from the client's own `baseUrl`.
   *
   * @example
   * const found = await client.registry.resolveAndFetch('fill in a PDF form', { threshold: 0.5 })
   * if (found) console.log(found.skill.name, found.confidence, found.markdown)
   * @throws IntegrityError where the markdown is not what its digest says.
   * @throws SignatureError where `requireSigned` is not met, or a signature does not verify.
   * @throws VerdictError where skills serve the task, but each has a graver verdict than `allow`.
   */
  resolveAndFetch(task: string, options?: ResolveAndFetchOptions): Promise<FetchedSkill | null>

  /**
   * Fetches the markdown of a skill with its verdict, whatever that is, and checks digest and signature.
   *
   * @example
   * const address = { owner: 'report-writer', repo: 'skills', skill: 'pdf-form-filler' }
   * const { markdown, signedBy } = await client.registry.fetchSkill(address, { requireSigned: true })
   * @throws IntegrityError and SignatureError as `resolveAndFetch` does.
   */
  fetchSkill(address: SkillAddress, options?: FetchOptions): Promise<FetchedMarkdown>
}

/** Builds what is derived from several calls of the registry. */
export function registryExtras(registry: RegistryCalls, caller: CalledService): RegistryExtras {
  return {
    async resolveAndFetch(task, options = {}) {
      const { threshold, limit = 3, allow = 'notice', ...call } = options
      const asked = threshold === undefined ? { task } : { task, threshold }
      const resolve = (verdict: 'clean' | 'notice' | 'any', limit: number) =>
        registry.skills.resolve({ query: { ...asked, limit, verdict }, ...call })
      const { data } = await resolve(allow === 'warning' ? 'any' : allow, limit)
      let refusal: unknown
      for (const { skill, confidence, fetchUrl } of originalsFirst(data)) {
        try {
          const fetched = await fetchVerified(caller, addressOf(fetchUrl), call)
          const { verdict, rules } = fetched
          if (gravity[verdict] > gravity[allow]) refuse(skill, verdict, rules)
          return { skill, confidence, ...fetched }
        } catch (error) {
          if (isGone(error)) continue
          if (!isRefusal(error)) throw error
          refusal ??= error
        }
      }
      if (refusal !== undefined) throw refusal
      if (allow === 'warning' || data.length > 0) return null
      const [refused] = (await resolve('any', 1)).data
      if (!refused) return null
      const { skill } = refused
      return refuse(
        skill,
        skill.verdict,
        skill.warnings.map(({ rule }) => rule),
      )
    },
    fetchSkill: (address, options = {}) => fetchVerified(caller, address, options),
  }
}

/**
 * The hits, with each original before its near-copies. An original that is no hit is not taken: what a
 * publisher says its skill copies need not serve the task.
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

/** How grave a verdict is. */
export const gravity = { clean: 0, notice: 1, warning: 2 }

/** What the lint says of a version. */
export type Verdict = keyof typeof gravity

function refuse(skill: ResolvedSkill['skill'], verdict: Verdict, found: readonly string[]): never {
  const rules = [...new Set(found)]
  const { owner, name } = skill.repo
  const address = `${owner}/${name}/${skill.slug}`
  const message = `${address} serves this task, but the lint found: ${rules.join(', ')}.`
  throw new VerdictError({ message, address, verdict, rules })
}

/** A skill may be deleted or hidden between resolve and fetch; then the next one serves. */
function isGone(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof UnavailableForLegalReasonsError
}

/** Whether one skill's text is not to be handed out, which says nothing of the next. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof VerdictError ||
    error instanceof SignatureError ||
    error instanceof IntegrityError
  )
}

async function fetchVerified(
  caller: CalledService,
  address: SkillAddress,
  { version: asked, verify = true, requireSigned = false, ...call }: FetchOptions,
): Promise<FetchedMarkdown> {
  const route = registryRoutes.rawSkill.fetch
  const query = { format: 'md', ...(asked !== undefined && { version: asked }) }
  const request = toRequest(caller, route, { params: { ...address }, query })
  const answer = await send(caller.wire, request, call)
  const markdown = String(bodyOf(route, answer, caller.readRefusal))
  const digest = await digestOf(answer.bytes)
  const etag = answer.headers.get('etag')?.replace(/^W\//, '')
  const { name, url } = request
  const refuse = (message: string): never => {
    throw new IntegrityError({ message, request: name, status: answer.status, body: markdown })
  }
  if (verify && etag !== `"${digest}"`) {
    refuse(`The markdown of ${url} has ${digest}, its ETag says ${etag ?? 'nothing'}.`)
  }
  // The signature must be of the version that was asked for: an older signed one must not pass for it.
  const version =
    asked ??
    versionOf(answer.headers.get('skillpass-version')) ??
    refuse(`The answer of ${url} does not tell its version.`)
  // A skill that has moved is signed for its new address. Who asks for a signature asks for it here,
  // so that no answer leads to another signed skill.
  const isElsewhere = requireSigned === false && answer.url !== ''
  const { owner, repo, skill: slug } = isElsewhere ? addressOf(answer.url) : address
  const signature = answer.headers.get('skillpass-signature')
  const signed = { owner, repo, slug, version, digest }
  const isChecked = verify || requireSigned !== false
  const checked = isChecked ? await checkSignature(signed, signature, requireSigned) : unsigned
  const verdict = verdictOf(answer.headers.get('skillpass-verdict'))
  const id = answer.headers.get('skillpass-id')
  return { markdown, digest, version, id, ...checked, ...verdict }
}

/** The number of a version as the service writes it: other spellings could pass for a signed one. */
function versionOf(field: string | null): number | undefined {
  return /^[1-9]\d*$/.test(field ?? '') ? Number(field) : undefined
}

/** What `Skillpass-Verdict` says of the markdown; a service without it has no verdicts. */
export function verdictOf(field: string | null): { verdict: Verdict; rules: string[] } {
  const [, word, list = ''] =
    /^(clean|notice|warning)(?:;rules="([\w,-]*)")?/.exec(field ?? '') ?? []
  const verdict = word === 'notice' || word === 'warning' ? word : 'clean'
  return { verdict, rules: list.split(',').filter((rule) => rule !== '') }
}

/** The last three segments; the host is left out, so that the answer cannot send us elsewhere. */
function addressOf(fetchUrl: string): SkillAddress {
  const segments = new URL(fetchUrl, 'http://localhost').pathname.split('/').slice(-3)
  const [owner = '', repo = '', skill = ''] = segments.map(decodeURIComponent)
  return { owner, repo, skill }
}

/** WebCrypto: in browsers it needs https or localhost. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
