import type { ColumnType, Generated } from 'kysely'
import type { Matchable, Sealed } from '../secrets/encryption.ts'

/** Why a grant or a pending grant ended. */
export type EndReason = 'revoked' | 'removed' | 'replayed' | 'withdrawn' | 'owner-removed'

/** The resource that a token is bound to: the MCP server, or null for the resource API. */
export type Resource = 'mcp' | null

/** Who may read a repository: everybody, or its owner and the owner's members. */
export type Visibility = 'public' | 'private'

/** What a member may do: everything, publish, or read. */
export type MemberRole = 'owner' | 'publisher' | 'reader'

/**
 * The tables after all migrations. Only `store/` uses these types. Booleans are integers, so that
 * one schema serves both engines, and times are milliseconds since 1970 in UTC.
 */
export interface Schema {
  /** Client assertions that were used, until they expire. */
  client_assertions: {
    /** Hash of the client id and the `jti`. */
    key: string
    expires_at: number
  }

  /** Agents that have sent the bytes of a blob. */
  blob_uploads: {
    digest: string
    agent_id: string
  }

  schema_migrations: {
    name: string
    applied_at: number
  }

  /** One row. Its lock prevents concurrent migrations. */
  schema_lock: {
    id: 1
    taken: number
  }

  /** Running servers. A crashed one counts until its row is a minute old. */
  schema_users: {
    id: string
    name: string
    seen_at: number
  }

  agents: {
    id: string
    username: string
    display_name: string | null
    bio: string | null
    created_at: number
    /** Imports never assign skills to agents that registered by API. */
    origin: Generated<'api' | 'operator'>
    /** The username's skeleton (confusables folded). Null if another agent holds that skeleton. */
    skeleton: string | null
    /** Network of the registration or of the first vote. */
    network: string | null
    /** When the operator blocked it. Its keys cannot write. */
    blocked_at: number | null
    blocked_reason: string | null
    /** The domain that the agent has verified by a DNS record. */
    verified_as: string | null
    /** Organizations own repositories like agents, but have members in place of keys. */
    kind: Generated<'agent' | 'organization'>
    /** Visibility of an organization's new repositories. */
    default_visibility: Generated<Visibility>
    /** What an owner of the organization must approve before readers see it. */
    approval: Generated<'none' | 'skills' | 'versions'>
    /** When an organization was deleted. Its name stays taken. */
    deleted_at: number | null
  }

  members: {
    organization_id: string
    agent_id: string
    role: MemberRole
    created_at: number
  }

  /** An invitation of an agent to an organization, or of a new agent to register. */
  invitations: {
    id: string
    /** Null if the operator invites to register only. */
    organization_id: string | null
    /** The invited agent. Null for an invitation by code. */
    agent_id: string | null
    role: MemberRole
    code_hash: string | null
    /** Null for the operator. */
    created_by: string | null
    created_at: number
    expires_at: number
  }

  /** A repository's transfer to another owner that has not been accepted. */
  transfers: {
    id: string
    repository_id: string
    to_id: string
    requested_by: string
    created_at: number
    expires_at: number
  }

  /** Former addresses of transferred repositories, in lower case. */
  moved_repositories: {
    owner_key: string
    name_key: string
    repository_id: string
    moved_at: number
  }

  api_keys: {
    id: string
    agent_id: string
    name: string
    key_hash: string
    /** First characters of the key, for recognition. */
    key_prefix: string
    created_at: number
    last_used_at: number | null
    revoked_at: number | null
    access: Generated<'read' | 'publish' | 'full'>
    expires_at: number | null
    /** Whether the agent received it at registration. */
    is_registration: Generated<0 | 1>
    /** IPv4 by /24, IPv6 by /48. */
    last_used_network: string | null
    /** The only owner, an agent or an organization, for which the key works. */
    limit_owner_id: string | null
    limit_repository_id: string | null
    use_count: Generated<number>
    /** The commit whose workflow received the key by trusted publishing. */
    source_commit: string | null
  }

  trusted_publishers: {
    id: string
    owner_id: string
    repository_id: string | null
    issuer: string
    source_repository: string
    workflow: string
    environment: string | null
    created_by: string
    created_at: number
  }

  /** A source whose skills an organization publishes too. */
  mirrors: {
    id: string
    organization_id: string
    url: string
    api_key: Sealed | null
    /** Pause between two runs, ms. */
    every: number
    /** Position in the changes of the source, or the ETag of its index. */
    cursor: string | null
    next_run_at: number
    last_run_at: number | null
    result: string | null
    /** JSON: pairs of a skill at the source and why it is not followed. */
    problems: string
  }

  /** A version at the source of a mirror, and what it is here. */
  mirrored_versions: {
    mirror_id: string
    /** Name of the skill at the source. */
    source: string
    version: string
    /** As the source named it first. */
    digest: string
    /** Changes with the fields of the skill. */
    stamp: string
    skill_id: string
    own_version: number
    /** Whether it was withdrawn here because it is at the source. */
    is_withdrawn: 0 | 1
  }

  repositories: {
    id: string
    agent_id: string
    owner: string
    name: string
    /** `owner` and `name` in lower case, because addresses are case-insensitive. */
    owner_key: string
    name_key: string
    /** Stars of the repository at import. */
    upstream_stars: Generated<number>
    star_count: Generated<number>
    download_count: Generated<number>
    created_at: number
    /** The owner's skeleton (confusables folded). */
    owner_skeleton: string | null
    /** The upstream repository or the domain whose ownership the agent has verified. */
    verified_as: string | null
    visibility: Generated<Visibility>
  }

  skills: {
    id: string
    repository_id: string
    agent_id: string
    slug: string
    name: string
    description: string
    /** The full description, if the import shortened it. */
    indexed_description: string | null
    /** A JSON array of strings. */
    tags: string
    /** The current version. 0 if all are withdrawn or none is approved: readers see no skill. */
    version: number
    digest: string
    star_count: Generated<number>
    fetch_count: Generated<number>
    feedback_count: Generated<number>
    helpful_count: Generated<number>
    helpful_weight: Generated<number>
    unhelpful_weight: Generated<number>
    created_at: number
    updated_at: number
    deleted_at: number | null
    /** The value of `registry_revision` at the last change. */
    revision: number
    network_fetch_count: Generated<number>
    /** JSON: when passages were added, for those added after the skill's creation. */
    passage_times: string | null
    /** The declared original, who declared it (`publisher` or `operator`) and why. */
    copy_of: string | null
    copy_by: string | null
    copy_reason: string | null
    /** Lint verdict of the current version. Null until it is linted. */
    verdict: Generated<'clean' | 'notice' | 'warning'>
    /** A JSON array of findings: `rule`, `file` and `line`. Null without findings. */
    warnings: string | null
    /** `hidden` skills are not in the registry; `held` skills are not in resolve. */
    state: Generated<'visible' | 'held' | 'hidden'>
    /** Who last decided the state. Null means that the lint decides. */
    state_by: 'publisher' | 'operator' | 'block' | null
    state_reason: string | null
    state_at: number | null
    /** Short name of the license, if its readme or its import names one. */
    license: string | null
    /** Web address from which the skill was imported. */
    source: string | null
    /** Columns of the current version. */
    label: string | null
    source_commit: string | null
    deprecated: string | null
  }

  skill_versions: {
    skill_id: string
    version: number
    digest: string
    readme: string
    created_at: number
    verdict: 'clean' | 'notice' | 'warning'
    /** A JSON array of findings with messages. Null without findings. */
    findings: string | null
    lint_version: number
    /** The skill's slug and description (or name, if empty) at publication. */
    slug: string
    description: string
    file_count: Generated<number>
    /** Digests and sizes of the manifest and the archives. Null if the readme is the only file. */
    manifest_digest: string | null
    tar_digest: string | null
    zip_digest: string | null
    tar_size: number | null
    zip_size: number | null
    /** JSON: the other fields of the skill with this version. Null before they were recorded. */
    fields: string | null
    /** A semantic version, unique in the skill. */
    label: string | null
    /** The commit of the source from which a trusted publisher built it. */
    source_commit: string | null
    /** Id of the agent that published it. */
    published_by: string | null
    /** JSON of `Withdrawal`. Null for other versions. */
    withdrawn: string | null
    /** JSON of `Deprecation`. Null for other versions. */
    deprecated: string | null
    /** Null if nobody had to approve it. */
    approval: 'waiting' | 'approved' | 'declined' | null
    /** What the approver wrote. */
    approval_note: string | null
  }

  /** Names that publishers move from version to version. */
  dist_tags: {
    skill_id: string
    tag: string
    version: number
  }

  stars: {
    skill_id: string
    agent_id: string
    repository_id: string
    created_at: number
    /** 0 for stars from the owner or the owner's network, which do not count. */
    counted: Generated<0 | 1>
    /** The agent's network at the time. */
    network: Generated<string>
    /** The version that was current. */
    version: Generated<number>
  }

  feedback: {
    skill_id: string
    agent_id: string
    /** The UTC day, `YYYY-MM-DD`. */
    day: string
    task: string
    helpful: 0 | 1
    context: string | null
    created_at: number
    updated_at: number
    /** The version that was current. */
    version: Generated<number>
  }

  /** Each agent's latest vote on a skill. */
  votes: {
    skill_id: string
    agent_id: string
    helpful: 0 | 1
    voted_at: number
    /** Weight from 0 to 1, before decay. */
    weight: Generated<number>
    /** The network of the agent's registration. */
    network: Generated<string>
    cast_network: Generated<string>
    /** The version that was current. */
    version: Generated<number>
  }

  /** Distinct readers of a skill per day. Old days are purged. */
  fetches: {
    skill_id: string
    reader: string
    day: string
  }

  /** One row. Each change of a skill increments it, so other processes can follow in order. */
  registry_revision: {
    id: 1
    revision: number
    /** Secret key of the passage hashes. */
    passage_key: Generated<number>
  }

  accounts: {
    id: string
    name: string
    master_account_id: string | null
    require_app_approval: 0 | 1
    created_at: number
    /** The name's skeleton (`titleSkeleton`). Names that people choose may not look alike. */
    name_skeleton: Generated<string>
  }

  users: {
    id: string
    account_id: string
    email: string
    /**
     * `email` in lower case. Unique in an account and among verified users. Ignores removed users.
     */
    email_key: string
    password_hash: string
    role: 'owner' | 'admin' | 'member'
    first_name: string
    last_name: string
    created_at: number
    last_login_at: number | null
    removed_at: number | null
    /** 1 is basic, 2 is licensed. */
    type: 1 | 2
    /** Personal meeting ID. */
    pmi: number
    /** If empty, the first and last name are used. */
    display_name: string
    timezone: string
    language: string
    dept: string
    company: string
    job_title: string
    location: string
    /** Whether the email address is verified. Required for sign-in. */
    verified: Generated<0 | 1>
    /** When the operator disabled it. Sign-in and tokens do not work until it is enabled. */
    disabled_at: number | null
  }

  /** A browser that an agent is signed in to, or that shows a code to sign in. */
  browser_sessions: {
    key: string
    api_key_id: string | null
    code: string | null
    network: string
    expires_at: number
  }

  sessions: {
    key: string
    user_id: string
    expires_at: number
    /** Where the user signed in: network (/24 or /48), and browser in words. Empty if unknown. */
    network: Generated<string>
    browser: Generated<string>
  }

  apps: {
    id: string
    account_id: string
    name: string
    type: 'server-to-server' | 'general' | 'chatbot'
    level: 'user' | 'account'
    visibility: 'public' | 'private' | 'development'
    device_flow: 0 | 1
    public_client: 0 | 1
    require_s256: 0 | 1
    deauthorization_url: string | null
    /** Encrypted, not hashed, because it signs webhooks. */
    webhook_secret: Sealed
    created_at: number
    disabled_at: number | null
    /** Null for apps that the operator declared. */
    created_by: string | null
    /** The user, or the account if an account token was used. Null for the operator. */
    disabled_by: string | null
    /** The deauthorization URL that passed validation. */
    validated_url: string | null
    /** The previous secret. Webhooks also carry its signature until it expires. */
    previous_webhook_secret: Sealed | null
    previous_webhook_secret_expires_at: number | null
    /** When the operator deleted it. A deleted app is disabled and not listed. */
    deleted_at: number | null
    /** What readers take the name for, without decoration. Empty for none. */
    skeleton: string
    /** Space-separated names of the events that it subscribes to. */
    events: Generated<string>
  }

  clients: {
    client_id: string
    app_id: string
    environment: 'development' | 'production'
    secret_hash: string
    /** The previous secret, valid until it expires. */
    previous_secret_hash: string | null
    previous_secret_expires_at: number | null
    /** Space-separated, as everywhere below. */
    scopes: string
    /** Scopes that the user may decline. Disjoint from `scopes`. */
    optional_scopes: string
  }

  redirect_uris: {
    client_id: string
    uri: string
    origin: string
  }

  /** Approval decisions of accounts that require approval. */
  approvals: {
    account_id: string
    app_id: string
    state: 'requested' | 'approved' | 'declined' | 'withdrawn'
    requested_by: string | null
    requested_at: number | null
    decided_by: string | null
    decided_at: number | null
    /** The approved name and scopes of the app. Null if it is not approved. */
    approved_name: string | null
    approved_scopes: string | null
  }

  /** A user's grants to apps, one per authorization. */
  grants: {
    id: string
    client_id: string
    app_id: string
    user_id: string
    account_id: string
    scopes: string
    resource: 'mcp' | null
    created_at: number
    ended_at: number | null
    end_reason: EndReason | null
  }

  access_tokens: {
    key: string
    client_id: string
    /** Null for account and client tokens, which have no grant. */
    grant_id: string | null
    account_id: string
    user_id: string | null
    scopes: string
    resource: 'mcp' | null
    expires_at: number
    revoked_at: number | null
  }

  refresh_tokens: {
    key: string
    grant_id: string
    expires_at: number
    used_at: number | null
    successor_salt: string | null
  }

  authorization_codes: {
    key: string
    client_id: string
    user_id: string
    redirect_uri: string
    scopes: string
    resource: 'mcp' | null
    code_challenge: string | null
    code_challenge_method: 'S256' | 'plain' | null
    expires_at: number
    used_at: number | null
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
    polled_at: number | null
    /** Client address of the device code request, shown to the user. */
    address: string
    created_at: number
    expires_at: number
  }

  /** Authorization requests that wait for the user's decision on the consent page. */
  consent_requests: {
    key: string
    session_key: string
    client_id: string
    redirect_uri: string
    /** Percent-encoded, as it is returned. */
    state: Sealed | null
    scopes: string
    optional_scopes: string
    resource: 'mcp' | null
    code_challenge: string | null
    code_challenge_method: 'S256' | 'plain' | null
    expires_at: number
    decided_at: number | null
  }

  meetings: {
    id: number
    uuid: string
    host_id: string
    account_id: string
    topic: string
    /** 1 is instant, 2 scheduled, 3 recurring without fixed times, 4 personal, 8 recurring. */
    type: 1 | 2 | 3 | 4 | 8
    start_time: number | null
    /** End of the last occurrence. Null without a fixed time. */
    end_time: number | null
    /** Minutes. */
    duration: number
    timezone: string
    agenda: string
    password: ColumnType<Sealed, string, Sealed>
    /** JSON, in the shape of the contract. */
    recurrence: string | null
    settings: string
    created_at: number
    started_at: number | null
    ended_at: number | null
    deleted_at: number | null
  }

  /** `start_time` is the planned start, which identifies the occurrence. */
  meeting_occurrences: {
    meeting_id: number
    start_time: number
    duration: number
    /** Start, if it is not the planned one. */
    moved_to: number | null
    /** JSON: topic, agenda and settings that differ from those of the meeting. */
    changes: Generated<string>
    /** When it was deleted. It stays deleted as long as its date is planned. */
    cancelled_at: number | null
  }

  /** A meeting from its start to its end. `number` counts the starts, from 1. */
  meeting_instances: {
    uuid: string
    meeting_id: number
    number: number
    started_at: number
    ended_at: number | null
  }

  /** `number` counts those who joined the instance, from 1. */
  meeting_participants: {
    id: string
    instance: string
    number: number
    /** Null for guests. */
    user_id: string | null
    name: string
    email: string
    joined_at: number
    left_at: number | null
  }

  meeting_recordings: {
    id: string
    instance: string
    started_at: number
    ended_at: number
    /** Hash of the download token, which starts with the time of issue. */
    token_key: string
  }

  /** Meeting tokens: `zak` starts the user's meetings, `token` joins as the user. */
  meeting_tokens: {
    key: string
    user_id: string
    type: 'token' | 'zak'
    /** The app that requested it. */
    client_id: string
    /** Null for account tokens. The token ends with the grant. */
    grant_id: string | null
    expires_at: number
    /** The account token that requested it. Null if there is a grant. */
    access_token_key: string | null
  }

  /** Real-time access of apps to meeting content. */
  content_accesses: {
    id: string
    meeting_id: number
    app_id: string
    /** Null for account tokens. The access ends with the grant. */
    grant_id: string | null
    account_id: string
    content_type: 'audio' | 'video' | 'chat' | 'transcript' | 'screen_share'
    created_at: number
    ended_at: number | null
  }

  chat_messages: {
    id: string
    app_id: string
    account_id: string
    robot_jid: string
    to_jid: string
    /** JSON. */
    content: string
    sent_at: number
  }

  /** Webhook events, written in the transaction of the change that they report. */
  webhook_events: {
    id: string
    /** Id of the app or of the organization's webhook. */
    app_id: string
    event: string
    body: string
    created_at: number
    /** Null when delivered or abandoned. A sender claims it by moving it forward by a lease. */
    next_attempt_at: number | null
    attempts: number
    delivered_at: number | null
    /** When it was last delivered or abandoned. Null while attempts continue. */
    done_at: number | null
    /** `traceparent` of the request that caused it. */
    trace: string | null
    /** Orders events of the same time. 0 for events of earlier releases. */
    sequence: Generated<number>
  }

  organization_webhooks: {
    id: string
    organization_id: string
    url: string
    /** Space-separated types of events. */
    events: string
    secret: Sealed
    created_at: number
  }

  /** What happened to skills and repositories. The revision and the number order the events. */
  registry_events: {
    revision: number
    number: number
    at: number
    /** 1 if everybody may read it, 0 for those who may read private skills of the owner. */
    is_public: 0 | 1
    owner_id: string
    repository_id: string
    /** Id of the skill, or of the repository. */
    subject_id: string
    /** Owner and name of the repository, in lower case. */
    owner_key: string
    repo_key: string
    /** JSON. */
    body: string
  }

  /** Clients that read a version on a UTC day. */
  version_usage: {
    skill_id: string
    day: string
    version: number
    fetches: number
    installs: number
  }

  webhook_attempts: {
    event_id: string
    number: number
    started_at: number
    duration_ms: number
    /** The endpoint's status. Null, with a reason, if the endpoint did not respond. */
    status: number | null
    error: string | null
  }

  /** The last calls of each app. */
  app_calls: {
    id: string
    app_id: string
    /** The user of the access token. */
    user_id: string | null
    at: number
    method: string
    /** The path of the contract, without values. */
    route: string
    status: number
    /** Key of an error table of the contract. */
    error: string | null
    message: string | null
  }

  /** One row: the secret that keys the hashes of networks. */
  network_salt: {
    id: 1
    salt: string
  }

  /** Recent readers of a skill: an agent's id or a network. Old days are purged. */
  reads: {
    skill_id: string
    reader: string
    day: string
  }

  /** An agent's usage on one UTC day. Past days are purged. */
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

  /** Keys that encrypted values may use. `plain` while some values may be unencrypted. */
  encryption_keys: {
    id: string
    created_at: number
  }

  /** Domains whose email addresses belong to the account. */
  account_domains: {
    /** In lower case. */
    domain: string
    account_id: string
  }

  /** Reports to the operator. At most one is open per skill and agent or network. */
  reports: {
    id: string
    skill_id: string
    /** Null for a reader's report. */
    agent_id: string | null
    reason: string
    text: string
    created_at: number
    updated_at: number
    resolved_at: number | null
    /** The version that was current. */
    version: Generated<number>
    /** Key of the reader's network. Null for agents and unknown networks. */
    network: string | null
    /** Hash of the secret in the address that shows a reader the end of the report. */
    key: string | null
    /** The operator's decision, for the reporter. Null while the report is open. */
    decision: string | null
  }

  /** The operator's actions on an agent or its skills, for the agent to read. */
  notices: {
    id: string
    agent_id: string
    action: string
    skill_id: string | null
    address: string | null
    reason: string
    created_at: number
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
    created_at: number
    expires_at: number
    verified_at: number | null
  }

  /** Audit log: who did what to whom, when, from which network. A trigger forbids updates. */
  audit_entries: {
    id: string
    at: number
    action: string
    who_kind: string
    who: string | null
    whom_kind: string | null
    whom: string | null
    /** The account whose owner may read the entry. */
    account_id: string | null
    network: string | null
    count: Generated<number>
    note: string | null
  }

  /** The Ed25519 public keys of agents, in Base64. */
  signing_keys: {
    agent_id: string
    public_key: string
    created_at: number
  }

  version_signatures: {
    skill_id: string
    version: number
    /** The signed address, `owner/repo/slug` in lower case. */
    address: string
    /** The publisher's key at the time of signing. */
    public_key: string
    value: string
    /** Digest of the signed manifest lines of files besides SKILL.md. Null without files. */
    files_digest: string | null
  }

  /** All published signatures, including those of deleted skills. */
  published_signatures: {
    value: string
  }

  /** Former addresses of skills, which redirect for 30 days. */
  moved_skills: {
    repository_id: string
    slug: string
    skill_id: string
    moved_at: number
  }

  /** File contents by digest, `sha256:…`. Versions can share them. */
  blobs: {
    digest: string
    size: number
    crc32: number
    /** Key in the object store of BLOB_URL. Null if the bytes are in `blob_chunks`. */
    object_key: string | null
    /** When it was uploaded or lost its last version. Null while a version uses it. */
    spare_since: number | null
  }

  blob_chunks: {
    digest: string
    /** 0, 1, 2 … All chunks except the last have the same size. */
    number: number
    bytes: Uint8Array
  }

  version_files: {
    skill_id: string
    version: number
    path: string
    digest: string
    executable: 0 | 1
  }

  /** Texts that agents or the operator have judged. */
  judged_texts: {
    skill_id: string
    version: number
    /** The publisher. */
    agent_id: string
    digest: string
    /** A JSON array of hashes (copies/fingerprint.ts). */
    passages: string
    judged_at: number
  }

  /** Index of the passages of judged texts. */
  judged_passages: {
    passage: number
    skill_id: string
    version: number
  }

  /** The latest response of the publisher or the operator to findings that hold a skill. */
  answers: {
    skill_id: string
    answered_by: 'publisher' | 'operator'
    decision: 'answered' | 'released' | 'held'
    text: string
    created_at: number
  }
}
