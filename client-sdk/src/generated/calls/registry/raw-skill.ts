// Generated from the contract by `npm run generate`: change that, not this file.

import type { BytesCall, CallSettings, ConditionalCall } from '../../../call.ts'

/** The params of `registry.rawSkill.file`. */
export interface RawSkillFileParams {
  /** Owner of the repository; case does not matter. 1 to 100 characters. For example `demo-agent`. */
  owner: string
  /** Name of the repository; case does not matter. 1 to 100 characters. For example `skills`. */
  repo: string
  /**
   * Slug of the skill; case does not matter. 1 to 100 characters. For example
   * `write-meeting-minutes`.
   */
  skill: string
  /**
   * Path of the file in the folder of the skill; its slashes stay as they are. For example
   * `SKILL.md`.
   */
  path: string
}

/** The query of `registry.rawSkill.file`. */
export interface RawSkillFileQuery {
  /** A version by number; the current one without it. */
  version?: number | undefined
}

/** The params of `registry.rawSkill.archive`. */
export interface RawSkillArchiveParams {
  /** Owner of the repository; case does not matter. 1 to 100 characters. For example `demo-agent`. */
  owner: string
  /** Name of the repository; case does not matter. 1 to 100 characters. For example `skills`. */
  repo: string
  /**
   * Slug of the skill; case does not matter. 1 to 100 characters. For example
   * `write-meeting-minutes`.
   */
  skill: string
}

/** The query of `registry.rawSkill.fetch`. */
export interface RawSkillFetchQuery {
  /** Asks for markdown. For example `md`. */
  format?: 'md' | undefined
  /** A version by number; the current one without it. */
  version?: number | undefined
  /** A version by the digest of its readme. */
  digest?: string | undefined
}

/** The calls of `rawSkill`. */
export interface RawSkillCalls {
  /**
   * Fetch a file of a skill.
   *
   * The bytes of one file of a version; `SKILL.md` with its front matter completed. `ETag` is the
   * digest. A `Range` of bytes is answered with 206. Always sent as an attachment: no browser runs
   * what a stranger has published.
   *
   * With `if-none-match` it gives null where that copy is still good.
   *
   * `GET /:owner/:repo/:skill/files/*path`. Needs no credential. 600 files, archives and lists of
   * files in any 60 seconds per client address, counted apart from other reads.
   *
   * @throws ValidationError, NotFoundError, RangeNotSatisfiableError, RateLimitedError,
   * UnavailableForLegalReasonsError, InternalError, UnavailableError
   */
  readonly file: BytesCall<
    [input: CallSettings & { params: RawSkillFileParams; query?: RawSkillFileQuery | undefined }]
  >

  /**
   * Fetch a skill as a tar archive.
   *
   * All files of a version in one archive, without a folder around them. One version gives the
   * same bytes everywhere and at any time, so that its digest can be kept; for the sake of that
   * nothing in it is compressed.
   *
   * With `if-none-match` it gives null where that copy is still good.
   *
   * `GET /:owner/:repo/:skill/archive.tar.gz`. Needs no credential. 600 files, archives and lists
   * of files in any 60 seconds per client address, counted apart from other reads.
   *
   * @throws ValidationError, NotFoundError, RateLimitedError, UnavailableForLegalReasonsError,
   * InternalError, UnavailableError
   */
  readonly archive: BytesCall<
    [input: CallSettings & { params: RawSkillArchiveParams; query?: RawSkillFileQuery | undefined }]
  >

  /**
   * Fetch a skill as a zip archive.
   *
   * As the tar archive: the same files, the same bytes everywhere and at any time.
   *
   * With `if-none-match` it gives null where that copy is still good.
   *
   * `GET /:owner/:repo/:skill/archive.zip`. Needs no credential. 600 files, archives and lists of
   * files in any 60 seconds per client address, counted apart from other reads.
   *
   * @throws ValidationError, NotFoundError, RateLimitedError, UnavailableForLegalReasonsError,
   * InternalError, UnavailableError
   */
  readonly zip: BytesCall<
    [input: CallSettings & { params: RawSkillArchiveParams; query?: RawSkillFileQuery | undefined }]
  >

  /**
   * Fetch the markdown of a skill.
   *
   * The stored readme, byte for byte. `ETag` is the digest, so `If-None-Match` answers 304.
   * `Skillpass-Id` is the id that stars and feedback take, `Skillpass-Version` the number of the
   * version; a signed one has `Skillpass-Signature: key=:…:, sig=:…:` (RFC 9651), Base64 of the
   * public key and of the signature, and `, files="sha256:…"` where files beside SKILL.md are
   * signed along. `Skillpass-Verdict` is what the lint says of the version, as a token with the
   * rules as a parameter: `warning;rules="pipe-to-shell,hidden-unicode"`. A browser that asks for
   * HTML without `format=md` gets a page instead. An address that the skill has left within the
   * last 30 days answers 308 with the new one in `Location`. Send your API key along to have your
   * feedback on the skill count as that of a reader, wherever you send it from; the answer is the
   * same without it.
   *
   * With `if-none-match` it gives null where that copy is still good.
   *
   * `GET /:owner/:repo/:skill`. Needs no credential; an API key is sent along. 60 reads in any 60
   * seconds per client address.
   *
   * @throws ValidationError, NotFoundError, RateLimitedError, UnavailableForLegalReasonsError,
   * InternalError, UnavailableError
   */
  readonly fetch: ConditionalCall<
    [
      input: CallSettings & {
        params: RawSkillArchiveParams
        query?: RawSkillFetchQuery | undefined
      },
    ],
    string
  >
}
