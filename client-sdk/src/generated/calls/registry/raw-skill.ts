// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'

/** The query of `registry.rawSkill.fetch`. */
export interface RawSkillFetchQuery {
  /**
   * Asks for markdown.
   *
   * @example "md"
   */
  format?: 'md' | undefined
  /** A version by number; the current one without it. */
  version?: number | undefined
  /** A version by the digest of its readme. */
  digest?: string | undefined
}

/** What `registry.rawSkill.fetch` takes. */
export interface RawSkillFetchInput extends CallSettings {
  readonly params: {
    /**
     * Owner of the repository; case does not matter. 1 to 100 characters.
     *
     * @example "demo-agent"
     */
    owner: string
    /**
     * Name of the repository; case does not matter. 1 to 100 characters.
     *
     * @example "skills"
     */
    repo: string
    /**
     * Slug of the skill; case does not matter. 1 to 100 characters.
     *
     * @example "write-meeting-minutes"
     */
    skill: string
  }
  readonly query?: RawSkillFetchQuery | undefined
}

/** The calls of `rawSkill`. */
export interface RawSkillCalls {
  /**
   * Fetch the markdown of a skill.
   *
   * The stored readme, byte for byte. `ETag` is the digest, so `If-None-Match` answers 304.
   * `Skillpass-Id` is the id that stars and feedback take, `Skillpass-Version` the number of the
   * version; a signed one has `Skillpass-Signature: key=:…:, sig=:…:` (RFC 9651), Base64 of the
   * public key and of the signature. `Skillpass-Verdict` is what the lint says of the version, as
   * a token with the rules as a parameter: `warning;rules="pipe-to-shell,hidden-unicode"`. A
   * browser that asks for HTML without `format=md` gets a page instead. An address that the skill
   * has left within the last 30 days answers 308 with the new one in `Location`. Send your API key
   * along to have your feedback on the skill count as that of a reader, wherever you send it from;
   * the answer is the same without it.
   *
   * With `if-none-match` it gives null where that copy is still good.
   *
   * `GET /:owner/:repo/:skill`. Needs no credential; an API key is sent along. 60 reads in any 60
   * seconds per client address.
   *
   * @throws ValidationError, NotFoundError, GoneError, RateLimitedError,
   * UnavailableForLegalReasonsError, InternalError, UnavailableError
   */
  readonly fetch: {
    (
      input: RawSkillFetchInput & { readonly headers: { readonly 'if-none-match': string } },
    ): Promise<string | null>
    (input: RawSkillFetchInput): Promise<string>
  }
}
