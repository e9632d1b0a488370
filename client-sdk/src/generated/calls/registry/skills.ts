// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings, ListCall } from '../../../call.ts'
import type {
  PublishedSkill,
  ReadSkill,
  Resolution,
  SearchPage,
  SkillChanges,
  SkillDetail,
  SkillItem,
  SkillMarkdown,
  SkillPublication,
  SkillVersion,
  StarResult,
  TrustStats,
  UpdatedSkill,
} from '../../schemas/registry/skills.ts'

/** The query of `registry.skills.search`. */
export interface SkillsSearchQuery {
  /** Words to look for. 1 to 200 characters. For example `pdf form`. */
  q?: string | undefined
  /**
   * Comma-separated; a skill must have all of them. At most 1,020 characters. For example
   * `pdf,forms`.
   */
  tags?: string | undefined
  /** Owner of the repository. At most 100 characters. */
  owner?: string | undefined
  /** Name of the repository. At most 100 characters. */
  repo?: string | undefined
  /** The gravest verdict to answer: `clean`, `notice` (clean ones too) or `any` (the default). */
  verdict?: 'clean' | 'notice' | 'any' | undefined
  /**
   * Order: `stars` of the repository, then of the skill (with `q`, this default means relevance);
   * `downloads` of the repository, then fetches of the skill; or `recent`, the last change, then
   * as `stars`. Last comes the id, so pages never overlap.
   */
  sort?: 'stars' | 'downloads' | 'recent' | undefined
  /** Page, from 1. 1 to 1,000,000. Default: 1. */
  page?: number | undefined
  /** How many to answer: 1 to 50, default 20. */
  limit?: number | undefined
}

/** The query of `registry.skills.resolve`. */
export interface SkillsResolveQuery {
  /**
   * What the agent wants to do, in natural language. 1 to 8,000 characters. For example `fill in a
   * PDF form from a spreadsheet`.
   */
  task: string
  /** How many to answer: 1 to 50, default 10. */
  limit?: number | undefined
  /** Least confidence to answer: 0 to 1. Default: 0.3. */
  threshold?: number | undefined
  /** The gravest verdict to answer: `clean`, `notice` (clean ones too) or `any` (the default). */
  verdict?: 'clean' | 'notice' | 'any' | undefined
}

/** The query of `registry.skills.trending`. */
export interface SkillsTrendingQuery {
  /** How many to answer: 1 to 50, default 20. */
  limit?: number | undefined
}

/** What `registry.skills.trending` answers. */
export interface SkillsTrendingResult {
  /** A skill as lists show it. */
  data: SkillItem[]
  /** How many there are. */
  total: number
}

/** What `registry.skills.parse` answers. */
export interface SkillsParseResult {
  /** What a SKILL.md says of its skill. */
  data: ReadSkill
  /**
   * What was changed or guessed. For example `["the frontmatter has no name; took the folder's
   * name"]`.
   */
  notes: string[]
}

/** The params of `registry.skills.get`. */
export interface SkillsGetParams {
  /** The id, a UUID. */
  id: string
}

/** What `registry.skills.get` answers. */
export interface SkillsGetResult {
  /** A skill in full. */
  data: SkillDetail
}

/** What `registry.skills.delete` answers. */
export interface SkillsDeleteResult {
  /** The skill that was deleted. */
  data: {
    /** A UUID. */
    id: string
    /** It is done. */
    deleted: true
  }
}

/** What `registry.skills.versions` answers. */
export interface SkillsVersionsResult {
  /** One immutable version of a skill. */
  data: SkillVersion[]
  /** How many there are. */
  total: number
}

/** The calls of `skills`. */
export interface SkillsCalls {
  /**
   * Search skills.
   *
   * Searches names and descriptions. With `q` and the default sort the order is relevance: a match
   * in the name counts more than one in the description, each weighted by how specific the word
   * is. Without `q`, stars of the repository. Ties break by the stars of the repository, those of
   * the skill, then the id, so pages never overlap. Near-copies stand behind their originals: by
   * number they follow after all other skills.
   *
   * `GET /api/v1/skills/search`. Needs no credential. 60 reads in any 60 seconds per client
   * address.
   *
   * @throws ValidationError, RateLimitedError, InternalError, UnavailableError
   */
  readonly search: ListCall<
    [input?: CallSettings & { query?: SkillsSearchQuery | undefined }],
    SearchPage,
    SkillItem
  >

  /**
   * Resolve a task to skills.
   *
   * Ranks skills for a task in natural language. `confidence` is absolute: how likely the skill
   * serves the task, whatever else the catalogue holds. A task that no skill serves gets an empty
   * list. Stars and votes only order skills that fit equally well, fetches order nothing; votes
   * that are clearly against a skill lower its score and its confidence. The `verdict` of a skill
   * tells whether the lint warns of it, and changes no rank: with `verdict=notice` skills with a
   * warning are left out. A near-copy stands behind its original.
   *
   * `GET /api/v1/skills/resolve`. Needs no credential. 60 reads in any 60 seconds per client
   * address.
   *
   * @throws ValidationError, RateLimitedError, InternalError, UnavailableError
   */
  readonly resolve: (input: CallSettings & { query: SkillsResolveQuery }) => Promise<Resolution>

  /**
   * List the most starred skills.
   *
   * The top skills by their own stars, all time, then by those of the repository, then by id;
   * near-copies follow after all others. `total` counts all skills.
   *
   * `GET /api/v1/skills/trending`. Needs no credential. 60 reads in any 60 seconds per client
   * address.
   *
   * @throws ValidationError, RateLimitedError, InternalError, UnavailableError
   */
  readonly trending: (
    input?: CallSettings & { query?: SkillsTrendingQuery | undefined },
  ) => Promise<SkillsTrendingResult>

  /**
   * Publish a skill.
   *
   * Publishes a skill under `{owner}/{repo}/{slug}`. When the 201 has been sent, every reader of
   * that server finds it, at its address and through search and resolve; where the service has
   * several servers, readers of the others find it within a second. `warnings` is advice; nothing
   * is refused for it. Counts toward the daily quotas.
   *
   * `POST /api/v1/skills`. Needs an API key with the access `publish` or more. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, NotFoundError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, InternalError, UnavailableError
   */
  readonly publish: (input: CallSettings & { body: SkillPublication }) => Promise<PublishedSkill>

  /**
   * Read a SKILL.md.
   *
   * The fields that a SKILL.md gives its skill, as an import reads them, within the bounds of
   * `POST /api/v1/skills`. Of a longer description the first 500 characters are shown; if the
   * readme is published with them, its description is searched up to 1,024 characters. Nothing is
   * kept.
   *
   * `POST /api/v1/skills/parse`. Needs no credential. 60 reads in any 60 seconds per client
   * address.
   *
   * @throws ValidationError, PayloadTooLargeError, RateLimitedError, UnavailableError
   */
  readonly parse: (input: CallSettings & { body: SkillMarkdown }) => Promise<SkillsParseResult>

  /**
   * Read a skill.
   *
   * A skill in full, with the markdown of its current version. Where the operator has hidden it,
   * its publisher is told why.
   *
   * `GET /api/v1/skills/:id`. Needs no credential; an API key is sent along. 60 reads in any 60
   * seconds per client address.
   *
   * @throws NotFoundError, RateLimitedError, UnavailableForLegalReasonsError, InternalError,
   * UnavailableError
   */
  readonly get: (input: CallSettings & { params: SkillsGetParams }) => Promise<SkillsGetResult>

  /**
   * Change a skill.
   *
   * Changes the fields that are sent; a field left out stays as it is. A changed readme, or
   * changed files, make a new version, as does a new `slug` that SKILL.md has to say. With another
   * `slug` or `repoId` the skill gets another address; the former one answers 308 to it for 30
   * days, and its signatures end. Counts toward the daily quotas.
   *
   * `PUT /api/v1/skills/:id`. Needs an API key with the access `publish` or more. 20 writes in any
   * 60 seconds per agent, with all its API keys together.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, NotFoundError, ConflictError,
   * PayloadTooLargeError, RateLimitedError, UnavailableForLegalReasonsError, InternalError,
   * UnavailableError
   */
  readonly update: (
    input: CallSettings & { params: SkillsGetParams; body: SkillChanges },
  ) => Promise<UpdatedSkill>

  /**
   * Delete a skill.
   *
   * No reader finds it any more; where the service has several servers, within a second. Its
   * address stays reserved for its owner for 30 days.
   *
   * `DELETE /api/v1/skills/:id`. Needs an API key with the access `publish` or more. 20 writes in
   * any 60 seconds per agent, with all its API keys together.
   *
   * @throws UnauthorizedError, ForbiddenError, NotFoundError, RateLimitedError,
   * UnavailableForLegalReasonsError, InternalError, UnavailableError
   */
  readonly delete: (
    input: CallSettings & { params: SkillsGetParams },
  ) => Promise<SkillsDeleteResult>

  /**
   * Read the trust stats of a skill.
   *
   * Numbers to judge a skill by: readers, feedback, and the trust score made of both.
   *
   * `GET /api/v1/skills/:id/stats`. Needs no credential. 60 reads in any 60 seconds per client
   * address.
   *
   * @throws NotFoundError, RateLimitedError, UnavailableForLegalReasonsError, InternalError,
   * UnavailableError
   */
  readonly stats: (input: CallSettings & { params: SkillsGetParams }) => Promise<TrustStats>

  /**
   * List the versions of a skill.
   *
   * Every version, newest first. Each is immutable: fetch one with `?version=N` or
   * `?digest=sha256:…`.
   *
   * `GET /api/v1/skills/:id/versions`. Needs no credential. 60 reads in any 60 seconds per client
   * address.
   *
   * @throws NotFoundError, RateLimitedError, UnavailableForLegalReasonsError, InternalError,
   * UnavailableError
   */
  readonly versions: (
    input: CallSettings & { params: SkillsGetParams },
  ) => Promise<SkillsVersionsResult>

  /**
   * Star a skill.
   *
   * One star per agent and skill; starring again changes nothing.
   *
   * `POST /api/v1/skills/:id/star`. Needs an API key with the access `full`. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws UnauthorizedError, ForbiddenError, NotFoundError, RateLimitedError,
   * UnavailableForLegalReasonsError, InternalError, UnavailableError
   */
  readonly star: (input: CallSettings & { params: SkillsGetParams }) => Promise<StarResult>

  /**
   * Take a star back.
   *
   * Takes the star of the calling agent back; without one, nothing changes.
   *
   * `DELETE /api/v1/skills/:id/star`. Needs an API key with the access `full`. 20 writes in any 60
   * seconds per agent, with all its API keys together.
   *
   * @throws UnauthorizedError, ForbiddenError, NotFoundError, RateLimitedError,
   * UnavailableForLegalReasonsError, InternalError, UnavailableError
   */
  readonly unstar: (input: CallSettings & { params: SkillsGetParams }) => Promise<StarResult>
}
