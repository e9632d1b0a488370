import type { ColumnType, Generated } from 'kysely'
import type { Matchable, Sealed } from '../secrets/encryption.ts'

/** Milliseconds since 1970 in UTC. */
type Timestamp = number
/** Booleans are integers, so that one schema serves both engines. */
type Flag = 0 | 1
/** A network as `trust/votes/networks.ts` writes it; empty where it is unknown. */
type NetworkKey = string

/** Why a grant, or what was about to become one, has ended. */
export type EndReason = 'revoked' | 'removed' | 'replayed' | 'withdrawn' | 'owner-removed'

/** The tables as SQL has them; only `store/` reads these types. See the migrations for the keys. */
export interface Schema {
  agents: {
    id: string
    username: string
    display_name: string | null
    bio: string | null
    created_at: Timestamp
    /** Agents that came by API are strangers: an import gives them no skills. */
    origin: Generated<'api' | 'operator'>
    /** What the username looks like; null where another agent holds that look. */
    skeleton: string | null
    /** Where it registered from, or first voted from; null while that is unknown. */
    network: NetworkKey | null
    /** When the operator blocked it; its keys write nothing since. */
    blocked_at: Timestamp | null
    blocked_reason: string | null
    /** The domain whose DNS record has proven who it is. */
    verified_as: string | null
  }

  api_keys: {
    id: string
    agent_id: string
    name: string
    key_hash: string
    /** The first characters of the key, so that its owner recognises it. */
    key_prefix: string
    created_at: Timestamp
    last_used_at: Timestamp | null
    revoked_at: Timestamp | null
    access: Generated<'read' | 'publish' | 'full'>
    expires_at: Timestamp | null
    /** The key that made it. */
    parent_id: string | null
    /** IPv4 by /24, IPv6 by /48. */
    last_used_network: string | null
  }

  /** What an agent published on one UTC day; past days are purged. */
  agent_usage: {
    agent_id: string
    /** `YYYY-MM-DD`. */
    day: string
    skills: number
    versions: number
    bytes: number
    words: number
    reports: number
    files: number
  }

  repositories: {
    id: string
    agent_id: string
    owner: string
    name: string
    /** `owner` and `name` in lower case: addresses compare without case. */
    owner_key: string
    name_key: string
    /** What the owner looks like. */
    owner_skeleton: string | null
    /** Stars the repository brought along at import. */
    upstream_stars: Generated<number>
    star_count: Generated<number>
    download_count: Generated<number>
    created_at: Timestamp
    /** What its agent has proven to own: the upstream repository, or the domain it is named after. */
    verified_as: string | null
  }

  skills: {
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
    network_fetch_count: Generated<number>
    feedback_count: Generated<number>
    helpful_count: Generated<number>
    helpful_weight: Generated<number>
    unhelpful_weight: Generated<number>
    created_at: Timestamp
    updated_at: Timestamp
    deleted_at: Timestamp | null
    /** The value of `registry_revision` at the last change. */
    revision: number
    /** What the lint says of the current version; null until it has been linted. */
    verdict: Generated<'clean' | 'notice' | 'warning'>
    /** A JSON array of what was found: `rule`, `file` and `line` of each; null when there is nothing. */
    warnings: string | null
    /** `hidden` is out of the registry, for good if it is deleted too; `held` is out of resolve. */
    state: Generated<'visible' | 'held' | 'hidden'>
    /** Who decided the state last; null: nobody, so that the lint alone decides. */
    state_by: Generated<'publisher' | 'operator' | 'block' | null>
    state_reason: Generated<string | null>
    state_at: Generated<Timestamp | null>
    /** JSON: when the skill first had which passages, of those later than its creation. */
    passage_times: Generated<string | null>
    /** What is said of where the skill comes from, by whom (`publisher` or `operator`) and why. */
    copy_of: Generated<string | null>
    copy_by: Generated<string | null>
    copy_reason: Generated<string | null>
  }

  skill_versions: {
    skill_id: string
    version: number
    digest: string
    readme: string
    created_at: Timestamp
    verdict: 'clean' | 'notice' | 'warning'
    /** A JSON array of what was found, with messages; null when there is nothing. */
    findings: string | null
    /** Version of the lint that gave the verdict. */
    lint_version: number
    /** Slug and description (or, without one, name) of the skill when it was published. */
    slug: string
    description: string
    /** Files beside the readme. */
    file_count: Generated<number>
    /** Digests of the manifest and of the archives, and their sizes; null where there is the readme alone. */
    manifest_digest: string | null
    tar_digest: string | null
    tar_size: number | null
    zip_digest: string | null
    zip_size: number | null
  }

  /** A file of a version, beside the readme. */
  version_files: {
    skill_id: string
    version: number
    path: string
    digest: string
    executable: Flag
  }

  /** Bytes of files by their digest, `sha256:…`; versions may share them. */
  blobs: {
    digest: string
    size: number
    crc32: number
    /** Where the bytes are in the object store of BLOB_URL; null where they are in `blob_chunks`. */
    object_key: string | null
    /** When it was uploaded, or left by a version; null while a version names it. */
    spare_since: Timestamp | null
  }

  blob_chunks: {
    digest: string
    /** 0, 1, 2 …; all but the last are of one size. */
    number: number
    bytes: Uint8Array
  }

  /** The Ed25519 key that an agent signs its versions with; Base64. */
  signing_keys: {
    agent_id: string
    public_key: string
    created_at: Timestamp
  }

  version_signatures: {
    skill_id: string
    version: number
    /** The address that was signed, `owner/repo/slug` in lower case. */
    address: string
    /** The publisher's key when it signed. */
    public_key: string
    value: string
    /** Digest of the manifest's lines for the files beside SKILL.md, which are signed along; null without any. */
    files_digest: string | null
  }

  /** Every signature that was ever published, its skill deleted or not. */
  published_signatures: {
    value: string
  }

  stars: {
    skill_id: string
    agent_id: string
    repository_id: string
    created_at: Timestamp
    /** 0 for a star from the owner or its network, which counts nowhere. */
    counted: Generated<Flag>
    /** Where it was given from. */
    network: Generated<NetworkKey>
    /** The judged text of the skill that it is about. */
    version: Generated<number>
  }

  feedback: {
    skill_id: string
    agent_id: string
    /** The UTC day, `YYYY-MM-DD`. */
    day: string
    task: string
    helpful: Flag
    context: string | null
    created_at: Timestamp
    updated_at: Timestamp
    /** The judged text of the skill that it is about. */
    version: Generated<number>
  }

  /** An agent's latest opinion of a skill. */
  votes: {
    skill_id: string
    agent_id: string
    helpful: Flag
    voted_at: Timestamp
    /** What it adds to the sums, 0 to 1, before the vote ages. */
    weight: Generated<number>
    /** The judged text of the skill that it is about. */
    version: Generated<number>
    /** Where its agent registered from. */
    network: Generated<NetworkKey>
    /** Where it was cast from. */
    cast_network: Generated<NetworkKey>
  }

  /** Distinct readers of a skill per day; old days are purged. */
  fetches: {
    skill_id: string
    reader: string
    day: string
  }

  /** Who read which skill lately: an agent's id, or a network. Old days are purged. */
  reads: {
    skill_id: string
    reader: string
    day: string
  }

  /** One row: what keeps networks from being read out of their keys. */
  network_salt: {
    id: Generated<1>
    salt: string
  }

  /**
   * One row. Every change of a skill raises it inside its transaction, which puts the changes in
   * commit order, so other processes can follow them.
   */
  registry_revision: {
    id: Generated<1>
    revision: number
    /** What passages of readmes are hashed with, so that nobody else can. */
    passage_key: Generated<number>
  }

  /** An address that a skill has left, and that leads to it for 30 days. */
  moved_skills: {
    repository_id: string
    slug: string
    skill_id: string
    moved_at: Timestamp
  }

  /** What an agent tells the operator of a skill; one that is not resolved per agent and skill. */
  reports: {
    id: string
    skill_id: string
    agent_id: string
    reason: string
    text: string
    created_at: Timestamp
    updated_at: Timestamp
    resolved_at: Timestamp | null
    /** The judged text of the skill that it is about. */
    version: Generated<number>
  }

  /** What the operator did to an agent or its skills, for the agent to read. */
  notices: {
    id: string
    agent_id: string
    action: string
    skill_id: string | null
    address: string | null
    reason: string
    created_at: Timestamp
  }

  /** What the publisher or the operator last said of findings that keep a skill's current version out of resolve. */
  answers: {
    skill_id: string
    answered_by: 'publisher' | 'operator'
    decision: 'answered' | 'released' | 'held'
    text: string
    created_at: Timestamp
  }

  /** A text that agents or the operator have judged. */
  judged_texts: {
    skill_id: string
    version: number
    /** The publisher. */
    agent_id: string
    digest: string
    /** A JSON array of hashes (copies/fingerprint.ts). */
    passages: string
    judged_at: Timestamp
  }

  /** The passages of judged texts, to find these by. */
  judged_passages: {
    passage: number
    skill_id: string
    version: number
  }

  /** A claim to own an imported repository or a domain. */
  verifications: {
    id: string
    agent_id: string
    method: 'file' | 'dns'
    owner: string
    /** `owner/repo` or the domain. */
    subject: string
    location: string
    token_hash: string
    created_at: Timestamp
    expires_at: Timestamp
    verified_at: Timestamp | null
  }

  /** One act: who, what, whom, when, from which network. A trigger refuses updates. */
  audit_entries: {
    id: string
    at: Timestamp
    action: string
    who_kind: string
    who: string | null
    whom_kind: string | null
    whom: string | null
    /** The account that the act belongs to, whose owner may read it. */
    account_id: string | null
    network: string | null
    count: Generated<number>
    note: string | null
  }

  accounts: {
    id: string
    name: string
    master_account_id: string | null
    require_app_approval: Flag
    created_at: Timestamp
  }

  /** Emails of the domain are the account's to give out. */
  account_domains: {
    /** In lower case. */
    domain: string
    account_id: string
  }

  users: {
    id: string
    account_id: string
    email: string
    /** `email` in lower case; unique in an account, and among verified users, who were not removed. */
    email_key: string
    /** Whether somebody stands for the email: only then it signs in. */
    verified: Generated<Flag>
    password_hash: string
    role: 'owner' | 'admin' | 'member'
    first_name: string
    last_name: string
    created_at: Timestamp
    last_login_at: Timestamp | null
    removed_at: Timestamp | null
    /** When the operator disabled it: it neither signs in nor stands behind tokens until it is enabled. */
    disabled_at: Generated<Timestamp | null>
    /** 1 is basic, 2 licensed. */
    type: 1 | 2
    /** Number of the user's personal meeting. */
    pmi: number
    /** Empty where the two names stand for it. */
    display_name: string
    timezone: string
    language: string
    dept: string
    company: string
    job_title: string
    location: string
  }

  sessions: {
    key: string
    user_id: string
    expires_at: Timestamp
  }

  apps: {
    id: string
    account_id: string
    name: string
    type: 'server-to-server' | 'general' | 'chatbot'
    level: 'user' | 'account'
    visibility: 'public' | 'private' | 'development'
    device_flow: Flag
    public_client: Flag
    require_s256: Flag
    deauthorization_url: string | null
    /** Not a hash: webhooks are signed with it. */
    webhook_secret: Sealed
    created_at: Timestamp
    disabled_at: Timestamp | null
    /** Null for an app that the operator has declared. */
    created_by: string | null
    /** The user who disabled it, or the account by a token of its own; null for the operator. */
    disabled_by: string | null
    /** When the operator deleted it; it is disabled since, and nobody finds it. */
    deleted_at: Generated<Timestamp | null>
    /** The deauthorization address that has answered the validation request. */
    validated_url: string | null
    /** The secret before the last rotation; webhooks bear its signature too until it expires. */
    previous_webhook_secret: Sealed | null
    previous_webhook_secret_expires_at: Timestamp | null
  }

  clients: {
    client_id: string
    app_id: string
    environment: 'development' | 'production'
    secret_hash: string
    /** The secret before the last rotation, good until it expires. */
    previous_secret_hash: string | null
    previous_secret_expires_at: Timestamp | null
    /** Space-separated, as everywhere below. */
    scopes: string
    /** Those that the user may leave out; not among `scopes`. */
    optional_scopes: string
  }

  redirect_uris: {
    client_id: string
    uri: string
    origin: string
  }

  /** What an account that asks for approval has decided about an app. */
  approvals: {
    account_id: string
    app_id: string
    state: 'requested' | 'approved' | 'declined' | 'withdrawn'
    requested_by: string | null
    requested_at: Timestamp | null
    decided_by: string | null
    decided_at: Timestamp | null
    /** The app's name and scopes that the admin approved; null without an approval. */
    approved_name: string | null
    approved_scopes: string | null
  }

  /** What a user has allowed an app, once per authorization. */
  grants: {
    id: string
    client_id: string
    app_id: string
    user_id: string
    account_id: string
    scopes: string
    created_at: Timestamp
    ended_at: Timestamp | null
    end_reason: EndReason | null
  }

  access_tokens: {
    key: string
    client_id: string
    /** Null for account and client tokens, which end alone. */
    grant_id: string | null
    account_id: string
    user_id: string | null
    scopes: string
    expires_at: Timestamp
    revoked_at: Timestamp | null
  }

  refresh_tokens: {
    key: string
    grant_id: string
    expires_at: Timestamp
    used_at: Timestamp | null
    successor_salt: string | null
  }

  authorization_codes: {
    key: string
    client_id: string
    user_id: string
    redirect_uri: string
    scopes: string
    code_challenge: string | null
    code_challenge_method: 'S256' | 'plain' | null
    expires_at: Timestamp
    used_at: Timestamp | null
    end_reason: EndReason | null
    grant_id: string | null
  }

  device_codes: {
    key: string
    user_code: Matchable
    client_id: string
    scopes: string
    state: 'pending' | 'authorized' | 'denied' | 'redeemed'
    user_id: string | null
    end_reason: EndReason | null
    interval_seconds: number
    polled_at: Timestamp | null
    /** Where the code was asked for from, shown to the user who confirms it. */
    address: string
    created_at: Timestamp
    expires_at: Timestamp
  }

  /** An authorization request that waits for its user's decision on the consent page. */
  consent_requests: {
    key: string
    session_key: string
    client_id: string
    redirect_uri: string
    /** Percent-encoded, as it goes back. */
    state: Sealed | null
    scopes: string
    optional_scopes: string
    code_challenge: string | null
    code_challenge_method: 'S256' | 'plain' | null
    expires_at: Timestamp
    decided_at: Timestamp | null
  }

  meetings: {
    id: number
    uuid: string
    host_id: string
    account_id: string
    topic: string
    /** 1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring. */
    type: 1 | 2 | 3 | 4 | 8
    start_time: Timestamp | null
    /** When the last occurrence is over; null where there is no fixed time. */
    end_time: Timestamp | null
    /** Minutes. */
    duration: number
    timezone: string
    agenda: string
    /** Migrations of before encryption put plain text in. */
    password: ColumnType<Sealed, string, Sealed>
    /** JSON, in the shape of the contract. */
    recurrence: string | null
    settings: string
    created_at: Timestamp
    started_at: Timestamp | null
    ended_at: Timestamp | null
    deleted_at: Timestamp | null
  }

  meeting_occurrences: {
    meeting_id: number
    start_time: Timestamp
    duration: number
  }

  /** What proves to a meeting who comes: `zak` starts meetings of the user, `token` joins as the user. */
  meeting_tokens: {
    key: string
    user_id: string
    type: 'token' | 'zak'
    /** The app that it was made for. */
    client_id: string
    /** Null for account tokens. What ends the grant ends the token. */
    grant_id: string | null
    /** The account token it was made with; null where there is a grant. */
    access_token_key: string | null
    expires_at: Timestamp
  }

  /** That an app reads or hears a meeting while it goes on. */
  content_accesses: {
    id: string
    meeting_id: number
    app_id: string
    /** Null for account tokens. What ends the grant ends the access. */
    grant_id: string | null
    account_id: string
    content_type: 'audio' | 'video' | 'chat' | 'transcript' | 'screen_share'
    created_at: Timestamp
    ended_at: Timestamp | null
  }

  chat_messages: {
    id: string
    app_id: string
    account_id: string
    robot_jid: string
    to_jid: string
    /** JSON. */
    content: string
    sent_at: Timestamp
  }

  /** An event on its way to an app's endpoint, written with what it tells of. */
  webhook_events: {
    id: string
    app_id: string
    event: string
    /** The bytes that are sent, at every attempt. */
    body: string
    created_at: Timestamp
    /** Null when it was delivered or given up. A sender that takes it up sets it on by a lease. */
    next_attempt_at: Timestamp | null
    attempts: number
    delivered_at: Timestamp | null
    /** When it was delivered or given up, for the last time; null while it is on its way. */
    done_at: Timestamp | null
    /** The trace of the request that caused it, as `serializeTrace` writes it. */
    trace: string | null
  }

  webhook_attempts: {
    event_id: string
    number: number
    started_at: Timestamp
    duration_ms: number
    /** What the endpoint answered; null with the reason where nothing came. */
    status: number | null
    error: string | null
  }

  /** Keys that texts of this database may be sealed with; `plain` while some may lie in plain. */
  encryption_keys: {
    id: string
    created_at: Timestamp
  }

  schema_migrations: {
    name: string
    applied_at: Timestamp
  }

  /** One row, whose lock keeps two processes from migrating at once. */
  schema_lock: {
    id: 1
    taken: number
  }
}
