import type { ColumnType, Generated } from 'kysely'
import type { Matchable, Sealed } from '../secrets/encryption.ts'

/** Why a grant or a pending grant ended. */
export type EndReason = 'revoked' | 'removed' | 'replayed' | 'withdrawn' | 'owner-removed'

/** The resource that a token is bound to: the MCP server, or null for the resource API. */
export type Resource = 'mcp' | null

/** The SQL of a column and, for the compiler only, the type of its values. */
export interface Column<T> {
  readonly sql: string
  readonly type?: T
}

const column = <T>(...sql: string[]): Column<T> => ({ sql: sql.filter(Boolean).join(' ') })

const text = <T extends string = string>(rest = '') => column<T>('text not null', rest)
const textOrNull = <T extends string = string>(rest = '') => column<T | null>('text', rest)
const integer = <T extends number = number>(rest = '') => column<T>('integer not null', rest)
const integerOrNull = () => column<number | null>('integer')
const bigint = (rest = '') => column<number>('bigint not null', rest)
const double = () => column<number>('double precision not null')
const bytes = () => column<Uint8Array>('blob not null')

/** Booleans are integers, so that one schema serves both engines. */
const flag = () => integer<0 | 1>()

/** Milliseconds since 1970 in UTC. */
const time = () => bigint()
const timeOrNull = () => column<number | null>('bigint')

/** A column that an insert may omit. */
const withDefault = <T>(value: string | number, { sql }: Column<T>) =>
  column<Generated<T>>(sql, `default ${typeof value === 'string' ? `'${value}'` : value}`)

/**
 * The tables of the baseline migration: their columns in order. Stores see them as `Schema`. After
 * the release, a migration adds columns with its own SQL, and `schema.ts` adds their types.
 */
export const tables = {
  agents: {
    id: text('primary key'),
    username: text('unique'),
    display_name: textOrNull(),
    bio: textOrNull(),
    created_at: time(),
    /** Imports never assign skills to agents that registered by API. */
    origin: withDefault('api', text<'api' | 'operator'>()),
    /** The username's skeleton (confusables folded). Null if another agent holds that skeleton. */
    skeleton: textOrNull(),
    /** Network of the registration or of the first vote. */
    network: textOrNull(),
    /** When the operator blocked it. Its keys cannot write. */
    blocked_at: timeOrNull(),
    blocked_reason: textOrNull(),
    /** The domain that the agent has verified by a DNS record. */
    verified_as: textOrNull(),
  },

  api_keys: {
    id: text('primary key'),
    agent_id: text('references agents (id)'),
    name: text(),
    key_hash: text('unique'),
    /** First characters of the key, for recognition. */
    key_prefix: text(),
    created_at: time(),
    last_used_at: timeOrNull(),
    revoked_at: timeOrNull(),
    access: withDefault('full', text<'read' | 'publish' | 'full'>()),
    expires_at: timeOrNull(),
    /** The key that created it. */
    parent_id: textOrNull(),
    /** IPv4 by /24, IPv6 by /48. */
    last_used_network: textOrNull(),
  },

  repositories: {
    id: text('primary key'),
    agent_id: text('references agents (id)'),
    owner: text(),
    name: text(),
    /** `owner` and `name` in lower case, because addresses are case-insensitive. */
    owner_key: text(),
    name_key: text(),
    /** Stars of the repository at import. */
    upstream_stars: withDefault(0, bigint()),
    star_count: withDefault(0, bigint()),
    download_count: withDefault(0, bigint()),
    created_at: time(),
    /** The owner's skeleton (confusables folded). */
    owner_skeleton: textOrNull(),
    /** The upstream repository or the domain whose ownership the agent has verified. */
    verified_as: textOrNull(),
  },

  skills: {
    id: text('primary key'),
    repository_id: text('references repositories (id)'),
    agent_id: text('references agents (id)'),
    slug: text(),
    name: text(),
    description: text(),
    /** The full description, if the import shortened it. */
    indexed_description: textOrNull(),
    /** A JSON array of strings. */
    tags: text(),
    version: integer(),
    digest: text(),
    star_count: withDefault(0, bigint()),
    fetch_count: withDefault(0, bigint()),
    feedback_count: withDefault(0, bigint()),
    helpful_count: withDefault(0, bigint()),
    helpful_weight: withDefault(0, double()),
    unhelpful_weight: withDefault(0, double()),
    created_at: time(),
    updated_at: time(),
    deleted_at: timeOrNull(),
    /** The value of `registry_revision` at the last change. */
    revision: bigint(),
    network_fetch_count: withDefault(0, bigint()),
    /** JSON: when passages were added, for those added after the skill's creation. */
    passage_times: textOrNull(),
    /** The declared original, who declared it (`publisher` or `operator`) and why. */
    copy_of: textOrNull(),
    copy_by: textOrNull(),
    copy_reason: textOrNull(),
    /** Lint verdict of the current version. Null until it is linted. */
    verdict: withDefault('clean', text<'clean' | 'notice' | 'warning'>()),
    /** A JSON array of findings: `rule`, `file` and `line`. Null without findings. */
    warnings: textOrNull(),
    /** `hidden` skills are not in the registry; `held` skills are not in resolve. */
    state: withDefault('visible', text<'visible' | 'held' | 'hidden'>()),
    /** Who last decided the state. Null means that the lint decides. */
    state_by: textOrNull<'publisher' | 'operator' | 'block'>(),
    state_reason: textOrNull(),
    state_at: timeOrNull(),
  },

  skill_versions: {
    skill_id: text('references skills (id) on delete cascade'),
    version: integer(),
    digest: text(),
    readme: text(),
    created_at: time(),
    verdict: text<'clean' | 'notice' | 'warning'>(),
    /** A JSON array of findings with messages. Null without findings. */
    findings: textOrNull(),
    lint_version: integer(),
    /** The skill's slug and description (or name, if empty) at publication. */
    slug: text("default ''"),
    description: text("default ''"),
    file_count: withDefault(0, integer()),
    /** Digests and sizes of the manifest and the archives. Null if the readme is the only file. */
    manifest_digest: textOrNull(),
    tar_digest: textOrNull(),
    zip_digest: textOrNull(),
    tar_size: integerOrNull(),
    zip_size: integerOrNull(),
  },

  stars: {
    skill_id: text('references skills (id) on delete cascade'),
    agent_id: text('references agents (id)'),
    repository_id: text('references repositories (id)'),
    created_at: time(),
    /** 0 for stars from the owner or the owner's network, which do not count. */
    counted: withDefault(1, flag()),
    /** The agent's network at the time. */
    network: withDefault('', text()),
    /** The rated text. */
    version: withDefault(1, integer()),
  },

  feedback: {
    skill_id: text('references skills (id) on delete cascade'),
    agent_id: text('references agents (id)'),
    /** The UTC day, `YYYY-MM-DD`. */
    day: text(),
    task: text(),
    helpful: flag(),
    context: textOrNull(),
    created_at: time(),
    updated_at: time(),
    /** The rated text. */
    version: withDefault(1, integer()),
  },

  /** Each agent's latest vote on a skill. */
  votes: {
    skill_id: text('references skills (id) on delete cascade'),
    agent_id: text('references agents (id)'),
    helpful: flag(),
    voted_at: time(),
    /** Weight from 0 to 1, before decay. */
    weight: withDefault(0, double()),
    /** The network of the agent's registration. */
    network: withDefault('', text()),
    cast_network: withDefault('', text()),
    /** The rated text. */
    version: withDefault(1, integer()),
  },

  /** Distinct readers of a skill per day. Old days are purged. */
  fetches: {
    skill_id: text(),
    reader: text(),
    day: text(),
  },

  /** One row. Each change of a skill increments it, so other processes can follow in order. */
  registry_revision: {
    id: integer<1>('primary key check (id = 1)'),
    revision: bigint(),
    /** Secret key of the passage hashes. */
    passage_key: withDefault(0, bigint()),
  },

  accounts: {
    id: text('primary key'),
    name: text('unique'),
    master_account_id: textOrNull('references accounts (id)'),
    require_app_approval: flag(),
    created_at: time(),
  },

  users: {
    id: text('primary key'),
    account_id: text('references accounts (id)'),
    email: text(),
    /**
     * `email` in lower case. Unique in an account and among verified users. Ignores removed users.
     */
    email_key: text(),
    password_hash: text(),
    role: text<'owner' | 'admin' | 'member'>(),
    first_name: text(),
    last_name: text(),
    created_at: time(),
    last_login_at: timeOrNull(),
    removed_at: timeOrNull(),
    /** 1 is basic, 2 is licensed. */
    type: integer<1 | 2>('default 1'),
    /** Personal meeting ID. */
    pmi: bigint('default 0'),
    /** If empty, the first and last name are used. */
    display_name: text("default ''"),
    timezone: text("default 'UTC'"),
    language: text("default 'en-US'"),
    dept: text("default ''"),
    company: text("default ''"),
    job_title: text("default ''"),
    location: text("default ''"),
    /** Whether the email address is verified. Required for sign-in. */
    verified: withDefault(1, flag()),
    /** When the operator disabled it. Sign-in and tokens do not work until it is enabled. */
    disabled_at: timeOrNull(),
  },

  sessions: {
    key: text('primary key'),
    user_id: text('references users (id)'),
    expires_at: time(),
  },

  apps: {
    id: text('primary key'),
    account_id: text('references accounts (id)'),
    name: text(),
    type: text<'server-to-server' | 'general' | 'chatbot'>(),
    level: text<'user' | 'account'>(),
    visibility: text<'public' | 'private' | 'development'>(),
    device_flow: flag(),
    public_client: flag(),
    require_s256: flag(),
    deauthorization_url: textOrNull(),
    /** Encrypted, not hashed, because it signs webhooks. */
    webhook_secret: text<Sealed>(),
    created_at: time(),
    disabled_at: timeOrNull(),
    /** Null for apps that the operator declared. */
    created_by: textOrNull(),
    /** The user, or the account if an account token was used. Null for the operator. */
    disabled_by: textOrNull(),
    /** The deauthorization URL that passed validation. */
    validated_url: textOrNull(),
    /** The previous secret. Webhooks also carry its signature until it expires. */
    previous_webhook_secret: textOrNull<Sealed>(),
    previous_webhook_secret_expires_at: timeOrNull(),
    /** When the operator deleted it. A deleted app is disabled and not listed. */
    deleted_at: timeOrNull(),
  },

  clients: {
    client_id: text('primary key'),
    app_id: text('references apps (id)'),
    environment: text<'development' | 'production'>(),
    secret_hash: text(),
    /** The previous secret, valid until it expires. */
    previous_secret_hash: textOrNull(),
    previous_secret_expires_at: timeOrNull(),
    /** Space-separated, as everywhere below. */
    scopes: text(),
    /** Scopes that the user may decline. Disjoint from `scopes`. */
    optional_scopes: text(),
  },

  redirect_uris: {
    client_id: text('references clients (client_id)'),
    uri: text(),
    origin: text(),
  },

  /** Approval decisions of accounts that require approval. */
  approvals: {
    account_id: text('references accounts (id)'),
    app_id: text('references apps (id)'),
    state: text<'requested' | 'approved' | 'declined' | 'withdrawn'>(),
    requested_by: textOrNull('references users (id)'),
    requested_at: timeOrNull(),
    decided_by: textOrNull('references users (id)'),
    decided_at: timeOrNull(),
    /** The approved name and scopes of the app. Null if it is not approved. */
    approved_name: textOrNull(),
    approved_scopes: textOrNull(),
  },

  /** A user's grants to apps, one per authorization. */
  grants: {
    id: text('primary key'),
    client_id: text(),
    app_id: text(),
    user_id: text(),
    account_id: text(),
    scopes: text(),
    resource: textOrNull<'mcp'>(),
    created_at: time(),
    ended_at: timeOrNull(),
    end_reason: textOrNull<EndReason>(),
  },

  access_tokens: {
    key: text('primary key'),
    client_id: text(),
    /** Null for account and client tokens, which have no grant. */
    grant_id: textOrNull(),
    account_id: text(),
    user_id: textOrNull(),
    scopes: text(),
    resource: textOrNull<'mcp'>(),
    expires_at: time(),
    revoked_at: timeOrNull(),
  },

  refresh_tokens: {
    key: text('primary key'),
    grant_id: text(),
    expires_at: time(),
    used_at: timeOrNull(),
    successor_salt: textOrNull(),
  },

  authorization_codes: {
    key: text('primary key'),
    client_id: text(),
    user_id: text(),
    redirect_uri: text(),
    scopes: text(),
    resource: textOrNull<'mcp'>(),
    code_challenge: textOrNull(),
    code_challenge_method: textOrNull<'S256' | 'plain'>(),
    expires_at: time(),
    used_at: timeOrNull(),
    end_reason: textOrNull<EndReason>(),
    grant_id: textOrNull(),
  },

  device_codes: {
    key: text('primary key'),
    user_code: text<Matchable>('unique'),
    client_id: text(),
    scopes: text(),
    state: text<'pending' | 'authorized' | 'denied' | 'redeemed'>(),
    user_id: textOrNull(),
    end_reason: textOrNull<EndReason>(),
    interval_seconds: integer(),
    polled_at: timeOrNull(),
    /** Client address of the device code request, shown to the user. */
    address: text(),
    created_at: time(),
    expires_at: time(),
  },

  /** Authorization requests that wait for the user's decision on the consent page. */
  consent_requests: {
    key: text('primary key'),
    session_key: text(),
    client_id: text(),
    redirect_uri: text(),
    /** Percent-encoded, as it is returned. */
    state: textOrNull<Sealed>(),
    scopes: text(),
    optional_scopes: text(),
    resource: textOrNull<'mcp'>(),
    code_challenge: textOrNull(),
    code_challenge_method: textOrNull<'S256' | 'plain'>(),
    expires_at: time(),
    decided_at: timeOrNull(),
  },

  meetings: {
    id: bigint('primary key'),
    uuid: text('unique'),
    host_id: text('references users (id)'),
    account_id: text('references accounts (id)'),
    topic: text(),
    /** 1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring. */
    type: integer<1 | 2 | 3 | 4 | 8>(),
    start_time: timeOrNull(),
    /** End of the last occurrence. Null without a fixed time. */
    end_time: timeOrNull(),
    /** Minutes. */
    duration: integer(),
    timezone: text(),
    agenda: text(),
    password: column<ColumnType<Sealed, string, Sealed>>('text not null'),
    /** JSON, in the shape of the contract. */
    recurrence: textOrNull(),
    settings: text(),
    created_at: time(),
    started_at: timeOrNull(),
    ended_at: timeOrNull(),
    deleted_at: timeOrNull(),
  },

  meeting_occurrences: {
    meeting_id: bigint('references meetings (id)'),
    start_time: time(),
    duration: integer(),
  },

  /** Meeting tokens: `zak` starts the user's meetings, `token` joins as the user. */
  meeting_tokens: {
    key: text('primary key'),
    user_id: text(),
    type: text<'token' | 'zak'>(),
    /** The app that requested it. */
    client_id: text(),
    /** Null for account tokens. The token ends with the grant. */
    grant_id: textOrNull(),
    expires_at: time(),
    /** The account token that requested it. Null if there is a grant. */
    access_token_key: textOrNull(),
  },

  /** Real-time access of apps to meeting content. */
  content_accesses: {
    id: text('primary key'),
    meeting_id: bigint('references meetings (id)'),
    app_id: text('references apps (id)'),
    /** Null for account tokens. The access ends with the grant. */
    grant_id: textOrNull(),
    account_id: text('references accounts (id)'),
    content_type: text<'audio' | 'video' | 'chat' | 'transcript' | 'screen_share'>(),
    created_at: time(),
    ended_at: timeOrNull(),
  },

  chat_messages: {
    id: text('primary key'),
    app_id: text('references apps (id)'),
    account_id: text('references accounts (id)'),
    robot_jid: text(),
    to_jid: text(),
    /** JSON. */
    content: text(),
    sent_at: time(),
  },

  /** Webhook events, written in the transaction of the change that they report. */
  webhook_events: {
    id: text('primary key'),
    app_id: text('references apps (id)'),
    event: text(),
    body: text(),
    created_at: time(),
    /** Null when delivered or abandoned. A sender claims it by moving it forward by a lease. */
    next_attempt_at: timeOrNull(),
    attempts: integer(),
    delivered_at: timeOrNull(),
    /** When it was last delivered or abandoned. Null while attempts continue. */
    done_at: timeOrNull(),
    /** `traceparent` of the request that caused it. */
    trace: textOrNull(),
  },

  webhook_attempts: {
    event_id: text('references webhook_events (id)'),
    number: integer(),
    started_at: time(),
    duration_ms: integer(),
    /** The endpoint's status. Null, with a reason, if the endpoint did not respond. */
    status: integerOrNull(),
    error: textOrNull(),
  },

  /** One row: the secret that keys the hashes of networks. */
  network_salt: {
    id: integer<1>('primary key check (id = 1)'),
    salt: text(),
  },

  /** Recent readers of a skill: an agent's id or a network. Old days are purged. */
  reads: {
    skill_id: text(),
    reader: text(),
    day: text(),
  },

  /** An agent's usage on one UTC day. Past days are purged. */
  agent_usage: {
    agent_id: text('references agents (id)'),
    /** `YYYY-MM-DD`. */
    day: text(),
    skills: bigint(),
    versions: bigint(),
    bytes: bigint(),
    words: bigint(),
    reports: bigint('default 0'),
    files: bigint('default 0'),
  },

  /** Keys that encrypted values may use. `plain` while some values may be unencrypted. */
  encryption_keys: {
    id: text('primary key'),
    created_at: time(),
  },

  /** Domains whose email addresses belong to the account. */
  account_domains: {
    /** In lower case. */
    domain: text('primary key'),
    account_id: text('references accounts (id)'),
  },

  /** Reports to the operator. At most one open report per agent and skill. */
  reports: {
    id: text('primary key'),
    skill_id: text('references skills (id) on delete cascade'),
    agent_id: text('references agents (id)'),
    reason: text(),
    text: text(),
    created_at: time(),
    updated_at: time(),
    resolved_at: timeOrNull(),
    /** The rated text. */
    version: withDefault(1, integer()),
  },

  /** The operator's actions on an agent or its skills, for the agent to read. */
  notices: {
    id: text('primary key'),
    agent_id: text('references agents (id)'),
    action: text(),
    skill_id: textOrNull(),
    address: textOrNull(),
    reason: text(),
    created_at: time(),
  },

  /** A claim to own an imported repository or a domain. */
  verifications: {
    id: text('primary key'),
    agent_id: text('references agents (id)'),
    method: text<'file' | 'dns'>(),
    owner: text(),
    /** `owner/repo` or the domain. */
    subject: text(),
    location: text(),
    token_hash: text(),
    created_at: time(),
    expires_at: time(),
    verified_at: timeOrNull(),
  },

  /** Audit log: who did what to whom, when, from which network. A trigger forbids updates. */
  audit_entries: {
    id: text('primary key'),
    at: time(),
    action: text(),
    who_kind: text(),
    who: textOrNull(),
    whom_kind: textOrNull(),
    whom: textOrNull(),
    /** The account whose owner may read the entry. */
    account_id: textOrNull(),
    network: textOrNull(),
    count: withDefault(1, integer()),
    note: textOrNull(),
  },

  /** The Ed25519 public keys of agents, in Base64. */
  signing_keys: {
    agent_id: text('primary key references agents (id)'),
    public_key: text(),
    created_at: time(),
  },

  version_signatures: {
    skill_id: text('references skills (id) on delete cascade'),
    version: integer(),
    /** The signed address, `owner/repo/slug` in lower case. */
    address: text(),
    /** The publisher's key at the time of signing. */
    public_key: text(),
    value: text(),
    /** Digest of the signed manifest lines of files besides SKILL.md. Null without files. */
    files_digest: textOrNull(),
  },

  /** All published signatures, including those of deleted skills. */
  published_signatures: {
    value: text('primary key'),
  },

  /** Former addresses of skills, which redirect for 30 days. */
  moved_skills: {
    repository_id: text('references repositories (id)'),
    slug: text(),
    skill_id: text('references skills (id) on delete cascade'),
    moved_at: time(),
  },

  /** File contents by digest, `sha256:…`. Versions can share them. */
  blobs: {
    digest: text('primary key'),
    size: integer(),
    crc32: bigint(),
    /** Key in the object store of BLOB_URL. Null if the bytes are in `blob_chunks`. */
    object_key: textOrNull(),
    /** When it was uploaded or lost its last version. Null while a version uses it. */
    spare_since: timeOrNull(),
  },

  blob_chunks: {
    digest: text('references blobs (digest) on delete cascade'),
    /** 0, 1, 2 … All chunks except the last have the same size. */
    number: integer(),
    bytes: bytes(),
  },

  version_files: {
    skill_id: text('references skills (id) on delete cascade'),
    version: integer(),
    path: text(),
    digest: text('references blobs (digest)'),
    executable: flag(),
  },

  /** Texts that agents or the operator have rated. */
  judged_texts: {
    skill_id: text('references skills (id) on delete cascade'),
    version: integer(),
    /** The publisher. */
    agent_id: text(),
    digest: text(),
    /** A JSON array of hashes (moderation/fingerprint.ts). */
    passages: text(),
    judged_at: time(),
  },

  /** Index of the passages of rated texts. */
  judged_passages: {
    passage: bigint(),
    skill_id: text('references skills (id) on delete cascade'),
    version: integer(),
  },

  /** The latest response of the publisher or the operator to findings that hold a skill. */
  answers: {
    skill_id: text('references skills (id) on delete cascade'),
    answered_by: text<'publisher' | 'operator'>(),
    decision: text<'answered' | 'released' | 'held'>(),
    text: text(),
    created_at: time(),
  },
}
