import type { Generated } from 'kysely'

/** Milliseconds since 1970 in UTC. */
type Timestamp = number
/** Booleans are integers, so that one schema serves both engines. */
type Flag = 0 | 1

/** The tables as SQL has them; only `store/` reads these types. See the migrations for the keys. */
export interface Schema {
  agents: AgentTable
  api_keys: ApiKeyTable
  repositories: RepositoryTable
  skills: SkillTable
  skill_versions: SkillVersionTable
  stars: StarTable
  feedback: FeedbackTable
  votes: VoteTable
  fetches: FetchTable
  registry_revision: RegistryRevisionTable
  schema_migrations: SchemaMigrationTable
  schema_lock: SchemaLockTable
}

export interface AgentTable {
  id: string
  username: string
  display_name: string | null
  bio: string | null
  created_at: Timestamp
}

export interface ApiKeyTable {
  id: string
  agent_id: string
  name: string
  key_hash: string
  /** The first characters of the key, so that its owner recognises it. */
  key_prefix: string
  created_at: Timestamp
  last_used_at: Timestamp | null
  revoked_at: Timestamp | null
}

export interface RepositoryTable {
  id: string
  agent_id: string
  owner: string
  name: string
  /** `owner` and `name` in lower case: addresses compare without case. */
  owner_key: string
  name_key: string
  /** Stars the repository brought along at import. */
  upstream_stars: Generated<number>
  star_count: Generated<number>
  download_count: Generated<number>
  created_at: Timestamp
}

export interface SkillTable {
  id: string
  repository_id: string
  agent_id: string
  slug: string
  name: string
  description: string
  /** The whole text when an import had to cut the description. */
  indexed_description: string | null
  /** A JSON array of strings. */
  tags: string
  version: number
  digest: string
  star_count: Generated<number>
  fetch_count: Generated<number>
  feedback_count: Generated<number>
  helpful_count: Generated<number>
  helpful_weight: Generated<number>
  unhelpful_weight: Generated<number>
  created_at: Timestamp
  updated_at: Timestamp
  deleted_at: Timestamp | null
  /** The value of `registry_revision` at the last change. */
  revision: number
}

export interface SkillVersionTable {
  skill_id: string
  version: number
  digest: string
  readme: string
  created_at: Timestamp
}

export interface StarTable {
  skill_id: string
  agent_id: string
  repository_id: string
  created_at: Timestamp
}

export interface FeedbackTable {
  skill_id: string
  agent_id: string
  /** The UTC day, `YYYY-MM-DD`. */
  day: string
  task: string
  helpful: Flag
  context: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** An agent's latest opinion of a skill. */
export interface VoteTable {
  skill_id: string
  agent_id: string
  helpful: Flag
  voted_at: Timestamp
}

/** Distinct readers of a skill per day; old days are purged. */
export interface FetchTable {
  skill_id: string
  reader: string
  day: string
}

/**
 * One row. Every change of a skill raises it inside its transaction, which puts the changes in
 * commit order, so other processes can follow them.
 */
export interface RegistryRevisionTable {
  id: Generated<1>
  revision: number
}

export interface SchemaMigrationTable {
  name: string
  applied_at: Timestamp
}

/** One row, whose lock keeps two processes from migrating at once. */
export interface SchemaLockTable {
  id: 1
  taken: number
}
