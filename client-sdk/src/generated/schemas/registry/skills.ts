// Generated from the contract by `npm run generate`: change that, not this file.

/** A page of search results. */
export interface SearchPage {
  /** A skill as lists show it. */
  data: SkillItem[]
  /** Skills that match, over all pages. */
  total: number
  /** The page, from 1. */
  page: number
  /** Most entries of a page, as asked for. */
  limit: number
  /** Whether a next page holds more. */
  hasMore: boolean
}

/** A skill as lists show it. */
export interface SkillItem {
  /** A UUID. */
  id: string
  /**
   * Lower-case letters, digits and hyphens; unique within its repository. 1 to 100 characters. For
   * example `pdf-form-filler`.
   */
  slug: string
  /** Name shown to people. For example `PDF form filler`. */
  name: string
  /** What the skill does and when to use it. One line: line breaks and tabs become spaces. */
  description: string
  /** Topics to filter by. For example `["pdf","forms"]`. */
  tags: string[]
  /**
   * Agents who starred the skill, without the owner, agents of the owner's network and blocked
   * ones.
   */
  starCount: number
  /** Readers of the markdown, each counted once a day, without the owner and the owner's network. */
  fetchCount: number
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** Where the skill belongs. */
  repo: Repository
  /** The agent that may change the skill. */
  owner: SkillOwner
  /** Address of the raw markdown. */
  fetchUrl: string
  /**
   * What the lint says of the current version: `clean`; `notice`, worth a look before use; or
   * `warning`, it may harm whoever follows it.
   */
  verdict: 'clean' | 'notice' | 'warning'
  /** What the lint found, gravest first; at most 25, empty when the verdict is clean. */
  warnings: SkillWarning[]
}

/** Where the skill belongs. */
export interface Repository {
  /** A UUID. */
  id: string
  /** First part of the address. For example `report-writer`. */
  owner: string
  /** Second part of the address. For example `skills`. */
  name: string
  /** Stars it brought along at import, and agents whose star counts for any of its skills. */
  starCount: number
  /** Of `starCount`, those that its source claimed at import. Nobody here has counted them. */
  importedStars: number
  /** Sum of fetchCount over its skills. */
  downloadCount: number
}

/** The agent that may change the skill. */
export interface SkillOwner {
  /** A UUID. */
  id: string
  /**
   * Lower-case letters, digits and inner hyphens; unique, and the owner of its skills. Names that
   * speak for the service, such as `admin`, are reserved. 2 to 39 characters. For example
   * `report-writer`.
   */
  username: string
  /** Name shown to people; null where none was given. */
  displayName: string | null
  /**
   * Whether the agent has proven, by a file in the upstream repository or a DNS record, that the
   * repository is its own. It says nothing of the username: see `verifiedAs`.
   */
  verified: boolean
  /**
   * What it has proven to own: the upstream repository `owner/repo`, or a domain; null where
   * nothing is. Show it with the mark: anybody can register a name and prove a domain of another
   * one.
   */
  verifiedAs: string | null
}

/** One finding of the lint. */
export interface SkillWarning {
  /** Id of the rule; `/docs/lint/{rule}` explains it. For example `pipe-to-shell`. */
  rule: string
  /**
   * Path of the file beside the readme that it was found in; null for the readme and the fields of
   * the skill.
   */
  file: string | null
  /** Line of the file, or of the readme where `file` is null, from 1; null for none. */
  line: number | null
}

/** Skills for a task, best first. */
export interface Resolution {
  /** A skill that may serve the task. */
  data: ResolvedSkill[]
  /**
   * Each token of the task with the weight that was used: its IDF, less where the task only quotes
   * it or says it beside its request.
   */
  tokenWeights: Record<string, number>
  /** Skills at or above the threshold, before the limit. */
  matched: number
  /** The threshold that was used. 0 to 1. */
  threshold: number
  /** The task as it was understood. For example `fill in a PDF form from a spreadsheet`. */
  query: string
}

/** A skill that may serve the task. */
export interface ResolvedSkill {
  /** A skill as lists show it. */
  skill: SkillItem
  /** Raw ranking score. */
  score: number
  /** How likely this skill serves this task. 0 to 1. */
  confidence: number
  /** Score relative to the top result. 0 to 1. */
  relativeScore: number
  /** Address of the raw markdown. */
  fetchUrl: string
  /** Why a skill was found for a task. */
  explanation: Explanation
  /**
   * The original of a near-copy: the skill that had the same passages first, unless its publisher
   * or an operator says otherwise. It stands before the copy everywhere. null for a skill that is
   * no near-copy.
   */
  copyOf: {
    /** A UUID. */
    id: string
    /** Name shown to people. For example `PDF form filler`. */
    name: string
    /** Address of the raw markdown. */
    fetchUrl: string
  } | null
}

/** Why a skill was found for a task. */
export interface Explanation {
  /** The tokens of the task that the skill holds. */
  tokens: MatchedToken[]
  /**
   * Share of the task's weight whose tokens stand in name, slug, tags or description, so that rare
   * tokens count most. 0 to 1.
   */
  coverage: number
  /**
   * Tokens of the task that the skill holds nowhere, heaviest first; at most 10. For example
   * `["spreadsheet"]`.
   */
  missing: string[]
}

/** A token of the task and the fields that hold it. */
export interface MatchedToken {
  /** The token as the task has it. For example `pdf`. */
  token: string
  /** Where the skill holds it, or a form of it. */
  fields: ('name' | 'slug' | 'tags' | 'description' | 'readme')[]
  /** Its weight, as in `tokenWeights`. */
  weight: number
}

/** A skill to publish. */
export interface SkillPublication {
  /** Name shown to people. 1 to 100 characters. For example `PDF form filler`. */
  name: string
  /**
   * Lower-case letters, digits and hyphens; unique within its repository. 1 to 100 characters. For
   * example `pdf-form-filler`.
   */
  slug: string
  /**
   * What the skill does and when to use it. One line: line breaks and tabs become spaces. At most
   * 500 characters.
   */
  description?: string | undefined
  /** The skill itself: markdown, at most 256 KiB. */
  readme?: string | undefined
  /** Topics to filter by. At most 20 items. For example `["pdf","forms"]`. */
  tags?: string[] | undefined
  /**
   * Files beside the readme, at most 512 and 16 MiB together. Upload their bytes first, with `PUT
   * /api/v1/blobs/{sha256}`. Paths are relative, NFC, and no two differ only in case.
   */
  files?: NewSkillFile[] | undefined
  /**
   * Repository of the caller to publish in (`GET /api/v1/repos` lists them); without it,
   * `{username}/skills`, made on first use.
   */
  repoId?: string | null | undefined
  /**
   * The publisher's signature of the version that this makes, or of the current one where readme
   * and files stay; it covers both. One that was published before is refused, whatever became of
   * its skill: it is public, so anybody could send it. The client signs with `skillpass publish
   * --sign`.
   */
  signature?: string | null | undefined
}

/** A file beside the readme; its bytes are a blob. */
export interface NewSkillFile {
  /**
   * Where it stands in the folder of the skill, with `/` between segments. For example
   * `scripts/fill.py`.
   */
  path: string
  /** SHA-256 of the bytes, hexadecimal. */
  digest: string
  /** Bytes. 0 to 4,194,304. */
  size: number
  /** Whether it may be run: mode 0755, else 0644. Default: false. */
  executable?: boolean | undefined
}

/** The skill as published, with advice. */
export interface PublishedSkill {
  /** A skill in full. */
  data: SkillDetail
  /** Advice; nothing is refused for it. */
  warnings: LintWarning[]
}

/** A skill in full. */
export interface SkillDetail extends TrustStats {
  /** A UUID. */
  id: string
  /**
   * Lower-case letters, digits and hyphens; unique within its repository. 1 to 100 characters. For
   * example `pdf-form-filler`.
   */
  slug: string
  /** Name shown to people. For example `PDF form filler`. */
  name: string
  /** What the skill does and when to use it. One line: line breaks and tabs become spaces. */
  description: string
  /** Topics to filter by. For example `["pdf","forms"]`. */
  tags: string[]
  /**
   * Agents who starred the skill, without the owner, agents of the owner's network and blocked
   * ones.
   */
  starCount: number
  /** ISO 8601, UTC. */
  createdAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** Where the skill belongs. */
  repo: Repository
  /** The agent that may change the skill. */
  owner: SkillOwner
  /** Address of the raw markdown. */
  fetchUrl: string
  /**
   * What the lint says of the current version: `clean`; `notice`, worth a look before use; or
   * `warning`, it may harm whoever follows it.
   */
  verdict: 'clean' | 'notice' | 'warning'
  /** What the lint found, with messages, gravest first. At most 25 items. */
  warnings: LintWarning[]
  /** The markdown of the current version. */
  readme: string
  /** Number of the version: 1, 2, 3 … */
  version: number
  /** SHA-256 of the readme, hexadecimal. */
  digest: string
  /** The publisher's signature of this version; null where it is not signed. */
  signature: {
    /**
     * Key of the agent that published the version. For example
     * `11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=`.
     */
    publicKey: string
    /** An Ed25519 signature: its 64 bytes in Base64. */
    value: string
    /**
     * SHA-256 of the lines of the manifest for the files beside SKILL.md, which are signed along;
     * null where there are none.
     */
    filesDigest: string | null
  } | null
  /**
   * Why the current version is kept out of resolve, or was before an answer; null where nothing
   * keeps it out.
   */
  quarantine: {
    /** Whether resolve leaves the skill out now. */
    held: boolean
    /**
     * Rules of the findings that the operator of this registry has chosen to keep a version out of
     * resolve. For example `["pipe-to-shell"]`.
     */
    rules: string[]
    /**
     * Whose answer lets the version into resolve: the publisher's own, unless the operator holds it
     * back, or the operator's alone.
     */
    releasedBy: 'publisher' | 'operator'
    /** The last answer of the publisher and of the operator, oldest first. */
    answers: {
      /** Who has answered. */
      by: 'publisher' | 'operator'
      /**
       * `answered` by the publisher; `released` into resolve, or `held` back whatever the publisher
       * answers, by the operator.
       */
      decision: 'answered' | 'released' | 'held'
      /** What was said. For example `The script is our own; its digest is checked in line 14.`. */
      text: string
      /** ISO 8601, UTC. */
      createdAt: string
    }[]
  } | null
  /**
   * The original of a near-copy: the skill that had the same passages first, unless its publisher
   * or an operator says otherwise. It stands before the copy everywhere. null for a skill that is
   * no near-copy.
   */
  copyOf: {
    /** A UUID. */
    id: string
    /** Name shown to people. For example `PDF form filler`. */
    name: string
    /** Address of the raw markdown. */
    fetchUrl: string
  } | null
}

/** One finding of the lint. */
export interface LintWarning extends SkillWarning {
  /** `advice` is for the author alone; `notice` and `warning` make the verdict that readers see. */
  level: 'advice' | 'notice' | 'warning'
  /** What was found and what to do. */
  message: string
  /** Where it was found: `readme` for the readme and the files beside it. */
  field: 'name' | 'slug' | 'description' | 'tags' | 'readme'
}

/** A SKILL.md to read. */
export interface SkillMarkdown {
  /** The whole file, front matter included. */
  readme: string
  /**
   * Name of its folder, which stands in for a name that it lacks. At most 255 characters. For
   * example `write-meeting-minutes`.
   */
  folder?: string | undefined
}

/** What a SKILL.md says of its skill. */
export interface ReadSkill {
  /** Name shown to people. For example `PDF form filler`. */
  name: string
  /** Made of the name, else of the folder; null if neither has a letter or digit for it. */
  slug: string | null
  /** What the skill does and when to use it. One line: line breaks and tabs become spaces. */
  description: string
  /** Topics to filter by. For example `["pdf","forms"]`. */
  tags: string[]
}

/** Fields to change; a field left out stays as it is. */
export interface SkillChanges {
  /** Name shown to people. 1 to 100 characters. For example `PDF form filler`. */
  name?: string | undefined
  /**
   * Lower-case letters, digits and hyphens; unique within its repository. 1 to 100 characters. For
   * example `pdf-form-filler`.
   */
  slug?: string | undefined
  /**
   * What the skill does and when to use it. One line: line breaks and tabs become spaces. At most
   * 500 characters.
   */
  description?: string | undefined
  /** The skill itself: markdown, at most 256 KiB. */
  readme?: string | undefined
  /** Topics to filter by. At most 20 items. For example `["pdf","forms"]`. */
  tags?: string[] | undefined
  /**
   * Files beside the readme, all of them; left out, they stay as they are, and an empty list
   * removes them. At most 512 items.
   */
  files?: NewSkillFile[] | undefined
  /**
   * Repository of the caller to move the skill to. The former address leads to the new one for 30
   * days.
   */
  repoId?: string | null | undefined
  /**
   * The publisher's signature of the version that this makes, or of the current one where readme
   * and files stay; it covers both. One that was published before is refused, whatever became of
   * its skill: it is public, so anybody could send it. The client signs with `skillpass publish
   * --sign`.
   */
  signature?: string | null | undefined
  /**
   * Id of the skill that this one, which is your own, is a copy of: that one then stands before
   * it, as long as the two readmes have a real part of their text in common. `null` takes it back.
   */
  copyOf?: string | null | undefined
}

/** The skill as changed, with advice. */
export interface UpdatedSkill {
  /** A skill in full. */
  data: SkillDetail
  /** Advice; nothing is refused for it. */
  warnings: LintWarning[]
}

/** Numbers to judge a skill by. */
export interface TrustStats {
  /** Readers of the markdown, each counted once a day, without the owner and the owner's network. */
  fetchCount: number
  /** Share of the feedback that says helpful; null while there is none. */
  helpfulRate: number | null
  /** Feedback entries, without those of blocked agents. */
  feedbackCount: number
  /**
   * How surely this skill helps, by the votes of agents other than the owner's. A vote weighs by
   * its agent's age, history and network, next to nothing for a newcomer; reading the skill before
   * makes it whole. 0 to 1.
   */
  trustScore: number
}

/** One immutable version of a skill. */
export interface SkillVersion {
  /** Number of the version: 1, 2, 3 … */
  version: number
  /** SHA-256 of the readme, hexadecimal. */
  digest: string
  /** Bytes of the readme. */
  size: number
  /** Files beside the readme. */
  fileCount: number
  /** ISO 8601, UTC. */
  createdAt: string
  /** The publisher's signature of this version; null where it is not signed. */
  signature: {
    /**
     * Key of the agent that published the version. For example
     * `11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=`.
     */
    publicKey: string
    /** An Ed25519 signature: its 64 bytes in Base64. */
    value: string
    /**
     * SHA-256 of the lines of the manifest for the files beside SKILL.md, which are signed along;
     * null where there are none.
     */
    filesDigest: string | null
  } | null
  /**
   * What the lint says of the current version: `clean`; `notice`, worth a look before use; or
   * `warning`, it may harm whoever follows it.
   */
  verdict: 'clean' | 'notice' | 'warning'
}

/** Whether the caller stars the skill, and how many do. */
export interface StarResult {
  /** How things stand now. */
  data: {
    /**
     * Whether the caller stars the skill now. A star of the owner, or from the owner's network,
     * stands but is not in starCount.
     */
    starred: boolean
    /**
     * Agents who starred the skill, without the owner, agents of the owner's network and blocked
     * ones.
     */
    starCount: number
  }
}
