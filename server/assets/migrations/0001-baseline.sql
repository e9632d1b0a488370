create table agents (
  id text not null primary key,
  username text not null unique,
  display_name text,
  bio text,
  created_at bigint not null,
  origin text not null default 'api',
  skeleton text,
  network text,
  blocked_at bigint,
  blocked_reason text,
  verified_as text
);

create table api_keys (
  id text not null primary key,
  agent_id text not null references agents (id),
  name text not null,
  key_hash text not null unique,
  key_prefix text not null,
  created_at bigint not null,
  last_used_at bigint,
  revoked_at bigint,
  access text not null default 'full',
  expires_at bigint,
  parent_id text,
  last_used_network text
);

create table repositories (
  id text not null primary key,
  agent_id text not null references agents (id),
  owner text not null,
  name text not null,
  owner_key text not null,
  name_key text not null,
  upstream_stars bigint not null default 0,
  star_count bigint not null default 0,
  download_count bigint not null default 0,
  created_at bigint not null,
  owner_skeleton text,
  verified_as text,
  constraint repositories_address unique (owner_key, name_key)
);

create table skills (
  id text not null primary key,
  repository_id text not null references repositories (id),
  agent_id text not null references agents (id),
  slug text not null,
  name text not null,
  description text not null,
  indexed_description text,
  tags text not null,
  version integer not null,
  digest text not null,
  star_count bigint not null default 0,
  fetch_count bigint not null default 0,
  feedback_count bigint not null default 0,
  helpful_count bigint not null default 0,
  helpful_weight double precision not null default 0,
  unhelpful_weight double precision not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  revision bigint not null,
  network_fetch_count bigint not null default 0,
  passage_times text,
  copy_of text,
  copy_by text,
  copy_reason text,
  verdict text not null default 'clean',
  warnings text,
  state text not null default 'visible',
  state_by text,
  state_reason text,
  state_at bigint
);

create table skill_versions (
  skill_id text not null references skills (id) on delete cascade,
  version integer not null,
  digest text not null,
  readme text not null,
  created_at bigint not null,
  verdict text not null,
  findings text,
  lint_version integer not null,
  slug text not null default '',
  description text not null default '',
  file_count integer not null default 0,
  manifest_digest text,
  tar_digest text,
  zip_digest text,
  tar_size integer,
  zip_size integer,
  constraint skill_versions_key primary key (skill_id, version)
);

create table stars (
  skill_id text not null references skills (id) on delete cascade,
  agent_id text not null references agents (id),
  repository_id text not null references repositories (id),
  created_at bigint not null,
  counted integer not null default 1,
  network text not null default '',
  version integer not null default 1,
  constraint stars_key primary key (skill_id, agent_id)
);

create table feedback (
  skill_id text not null references skills (id) on delete cascade,
  agent_id text not null references agents (id),
  day text not null,
  task text not null,
  helpful integer not null,
  context text,
  created_at bigint not null,
  updated_at bigint not null,
  version integer not null default 1,
  constraint feedback_key primary key (skill_id, agent_id, day)
);

create table votes (
  skill_id text not null references skills (id) on delete cascade,
  agent_id text not null references agents (id),
  helpful integer not null,
  voted_at bigint not null,
  weight double precision not null default 0,
  network text not null default '',
  cast_network text not null default '',
  version integer not null default 1,
  constraint votes_key primary key (skill_id, agent_id)
);

create table fetches (
  skill_id text not null,
  reader text not null,
  day text not null,
  constraint fetches_key primary key (day, skill_id, reader)
);

create table registry_revision (
  id integer not null primary key check (id = 1),
  revision bigint not null,
  passage_key bigint not null default 0
);

create table accounts (
  id text not null primary key,
  name text not null unique,
  master_account_id text references accounts (id),
  require_app_approval integer not null,
  created_at bigint not null
);

create table users (
  id text not null primary key,
  account_id text not null references accounts (id),
  email text not null,
  email_key text not null,
  password_hash text not null,
  role text not null,
  first_name text not null,
  last_name text not null,
  created_at bigint not null,
  last_login_at bigint,
  removed_at bigint,
  type integer not null default 1,
  pmi bigint not null default 0,
  display_name text not null default '',
  timezone text not null default 'UTC',
  language text not null default 'en-US',
  dept text not null default '',
  company text not null default '',
  job_title text not null default '',
  location text not null default '',
  verified integer not null default 1,
  disabled_at bigint
);

create table sessions (
  key text not null primary key,
  user_id text not null references users (id),
  expires_at bigint not null
);

create table apps (
  id text not null primary key,
  account_id text not null references accounts (id),
  name text not null,
  type text not null,
  level text not null,
  visibility text not null,
  device_flow integer not null,
  public_client integer not null,
  require_s256 integer not null,
  deauthorization_url text,
  webhook_secret text not null,
  created_at bigint not null,
  disabled_at bigint,
  created_by text,
  disabled_by text,
  validated_url text,
  previous_webhook_secret text,
  previous_webhook_secret_expires_at bigint,
  deleted_at bigint,
  constraint apps_name unique (account_id, name)
);

create table clients (
  client_id text not null primary key,
  app_id text not null references apps (id),
  environment text not null,
  secret_hash text not null,
  previous_secret_hash text,
  previous_secret_expires_at bigint,
  scopes text not null,
  optional_scopes text not null,
  constraint clients_environment unique (app_id, environment)
);

create table redirect_uris (
  client_id text not null references clients (client_id),
  uri text not null,
  origin text not null,
  constraint redirect_uris_key primary key (client_id, uri)
);

create table approvals (
  account_id text not null references accounts (id),
  app_id text not null references apps (id),
  state text not null,
  requested_by text references users (id),
  requested_at bigint,
  decided_by text references users (id),
  decided_at bigint,
  approved_name text,
  approved_scopes text,
  constraint approvals_key primary key (account_id, app_id)
);

create table grants (
  id text not null primary key,
  client_id text not null,
  app_id text not null,
  user_id text not null,
  account_id text not null,
  scopes text not null,
  resource text,
  created_at bigint not null,
  ended_at bigint,
  end_reason text
);

create table access_tokens (
  key text not null primary key,
  client_id text not null,
  grant_id text,
  account_id text not null,
  user_id text,
  scopes text not null,
  resource text,
  expires_at bigint not null,
  revoked_at bigint
) without rowid;

create table refresh_tokens (
  key text not null primary key,
  grant_id text not null,
  expires_at bigint not null,
  used_at bigint,
  successor_salt text
) without rowid;

create table authorization_codes (
  key text not null primary key,
  client_id text not null,
  user_id text not null,
  redirect_uri text not null,
  scopes text not null,
  resource text,
  code_challenge text,
  code_challenge_method text,
  expires_at bigint not null,
  used_at bigint,
  end_reason text,
  grant_id text
);

create table device_codes (
  key text not null primary key,
  user_code text not null unique,
  client_id text not null,
  scopes text not null,
  state text not null,
  user_id text,
  end_reason text,
  interval_seconds integer not null,
  polled_at bigint,
  address text not null,
  created_at bigint not null,
  expires_at bigint not null
);

create table consent_requests (
  key text not null primary key,
  session_key text not null,
  client_id text not null,
  redirect_uri text not null,
  state text,
  scopes text not null,
  optional_scopes text not null,
  resource text,
  code_challenge text,
  code_challenge_method text,
  expires_at bigint not null,
  decided_at bigint
);

create table meetings (
  id bigint not null primary key,
  uuid text not null unique,
  host_id text not null references users (id),
  account_id text not null references accounts (id),
  topic text not null,
  type integer not null,
  start_time bigint,
  end_time bigint,
  duration integer not null,
  timezone text not null,
  agenda text not null,
  password text not null,
  recurrence text,
  settings text not null,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  deleted_at bigint
);

create table meeting_occurrences (
  meeting_id bigint not null references meetings (id),
  start_time bigint not null,
  duration integer not null,
  constraint meeting_occurrences_key primary key (meeting_id, start_time)
);

create table meeting_tokens (
  key text not null primary key,
  user_id text not null,
  type text not null,
  client_id text not null,
  grant_id text,
  expires_at bigint not null,
  access_token_key text
);

create table content_accesses (
  id text not null primary key,
  meeting_id bigint not null references meetings (id),
  app_id text not null references apps (id),
  grant_id text,
  account_id text not null references accounts (id),
  content_type text not null,
  created_at bigint not null,
  ended_at bigint
);

create table chat_messages (
  id text not null primary key,
  app_id text not null references apps (id),
  account_id text not null references accounts (id),
  robot_jid text not null,
  to_jid text not null,
  content text not null,
  sent_at bigint not null
);

create table webhook_events (
  id text not null primary key,
  app_id text not null references apps (id),
  event text not null,
  body text not null,
  created_at bigint not null,
  next_attempt_at bigint,
  attempts integer not null,
  delivered_at bigint,
  done_at bigint,
  trace text
);

create table webhook_attempts (
  event_id text not null references webhook_events (id),
  number integer not null,
  started_at bigint not null,
  duration_ms integer not null,
  status integer,
  error text,
  constraint webhook_attempts_key primary key (event_id, number)
);

create table network_salt (
  id integer not null primary key check (id = 1),
  salt text not null
);

create table reads (
  skill_id text not null,
  reader text not null,
  day text not null,
  constraint reads_key primary key (skill_id, reader)
);

create table agent_usage (
  agent_id text not null references agents (id),
  day text not null,
  skills bigint not null,
  versions bigint not null,
  bytes bigint not null,
  words bigint not null,
  reports bigint not null default 0,
  files bigint not null default 0,
  constraint agent_usage_key primary key (day, agent_id)
);

create table encryption_keys (
  id text not null primary key,
  created_at bigint not null
);

create table account_domains (
  domain text not null primary key,
  account_id text not null references accounts (id)
);

create table reports (
  id text not null primary key,
  skill_id text not null references skills (id) on delete cascade,
  agent_id text not null references agents (id),
  reason text not null,
  text text not null,
  created_at bigint not null,
  updated_at bigint not null,
  resolved_at bigint,
  version integer not null default 1
);

create table notices (
  id text not null primary key,
  agent_id text not null references agents (id),
  action text not null,
  skill_id text,
  address text,
  reason text not null,
  created_at bigint not null
);

create table verifications (
  id text not null primary key,
  agent_id text not null references agents (id),
  method text not null,
  owner text not null,
  subject text not null,
  location text not null,
  token_hash text not null,
  created_at bigint not null,
  expires_at bigint not null,
  verified_at bigint
);

create table audit_entries (
  id text not null primary key,
  at bigint not null,
  action text not null,
  who_kind text not null,
  who text,
  whom_kind text,
  whom text,
  account_id text,
  network text,
  count integer not null default 1,
  note text
);

create table signing_keys (
  agent_id text not null primary key references agents (id),
  public_key text not null,
  created_at bigint not null
);

create table version_signatures (
  skill_id text not null references skills (id) on delete cascade,
  version integer not null,
  address text not null,
  public_key text not null,
  value text not null,
  files_digest text,
  constraint version_signatures_key primary key (skill_id, version)
);

create table published_signatures (
  value text not null primary key
);

create table moved_skills (
  repository_id text not null references repositories (id),
  slug text not null,
  skill_id text not null references skills (id) on delete cascade,
  moved_at bigint not null,
  constraint moved_skills_key primary key (repository_id, slug)
);

create table blobs (
  digest text not null primary key,
  size integer not null,
  crc32 bigint not null,
  object_key text,
  spare_since bigint
);

create table blob_chunks (
  digest text not null references blobs (digest) on delete cascade,
  number integer not null,
  bytes blob not null,
  constraint blob_chunks_key primary key (digest, number)
);

create table version_files (
  skill_id text not null references skills (id) on delete cascade,
  version integer not null,
  path text not null,
  digest text not null references blobs (digest),
  executable integer not null,
  constraint version_files_key primary key (skill_id, version, path)
);

create table judged_texts (
  skill_id text not null references skills (id) on delete cascade,
  version integer not null,
  agent_id text not null,
  digest text not null,
  passages text not null,
  judged_at bigint not null,
  constraint judged_texts_key primary key (skill_id, version)
);

create table judged_passages (
  passage bigint not null,
  skill_id text not null references skills (id) on delete cascade,
  version integer not null,
  constraint judged_passages_key primary key (passage, skill_id, version)
);

create table answers (
  skill_id text not null references skills (id) on delete cascade,
  answered_by text not null,
  decision text not null,
  text text not null,
  created_at bigint not null,
  constraint answers_of_skill primary key (skill_id, answered_by)
);

create unique index agents_skeleton on agents (skeleton);
create index agents_network on agents (network, created_at);
create index api_keys_agent on api_keys (agent_id);
create index api_keys_parent on api_keys (parent_id);
create index repositories_agent on repositories (agent_id);
create index repositories_stars on repositories (star_count desc, id);
create index repositories_downloads on repositories (download_count desc, id);
create index repositories_owner_skeleton on repositories (owner_skeleton);
create unique index skills_address on skills (repository_id, slug) where deleted_at is null;
create index skills_slug on skills (repository_id, slug);
create index skills_agent on skills (agent_id, created_at);
create index skills_verdict on skills (verdict);
create index skills_revision on skills (revision, id);
create index skills_copy_of on skills (copy_of) where copy_of is not null;
create index skill_versions_lint on skill_versions (lint_version);
create index stars_repository on stars (repository_id, agent_id);
create index stars_agent on stars (agent_id);
create index feedback_recent on feedback (skill_id, updated_at desc);
create index votes_network on votes (skill_id, network);
create index votes_agent on votes (agent_id, voted_at);
create unique index users_owner on users (account_id) where role = 'owner' and removed_at is null;
create index users_account on users (account_id, id);
create unique index users_pmi on users (pmi);
create unique index users_email on users (email_key) where removed_at is null and verified = 1;
create unique index users_account_email on users (email_key, account_id) where removed_at is null;
create index sessions_user on sessions (user_id);
create index redirect_uris_origin on redirect_uris (origin);
create index grants_user on grants (user_id, app_id);
create index grants_account on grants (account_id, app_id);
create index grants_ended on grants (ended_at) where ended_at is not null;
create index refresh_tokens_used on refresh_tokens (used_at) where used_at is not null;
create index authorization_codes_user on authorization_codes (user_id);
create index device_codes_user on device_codes (user_id);
create index meetings_host on meetings (host_id, created_at, id, type, end_time, started_at, ended_at) where deleted_at is null;
create index meeting_tokens_expiry on meeting_tokens (expires_at);
create index meeting_tokens_access_token on meeting_tokens (access_token_key) where access_token_key is not null;
create unique index content_accesses_key on content_accesses (meeting_id, app_id, account_id, content_type, coalesce(grant_id, '')) where ended_at is null;
create index chat_messages_app on chat_messages (app_id, sent_at, id);
create index webhook_events_due on webhook_events (app_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_events_app on webhook_events (app_id, created_at, id);
create index webhook_events_done on webhook_events (done_at) where done_at is not null;
create index reads_day on reads (day);
create index account_domains_account on account_domains (account_id);
create unique index reports_open on reports (skill_id, agent_id) where resolved_at is null;
create index notices_agent on notices (agent_id, created_at desc, id);
create index verifications_agent on verifications (agent_id);
create index audit_entries_at on audit_entries (at, id);
create index audit_entries_account on audit_entries (account_id, at, id);
create index moved_skills_skill on moved_skills (skill_id);
create index moved_skills_time on moved_skills (moved_at);
create index blobs_spare on blobs (spare_since) where spare_since is not null;
create index blobs_here on blobs (digest) where object_key is null;
create index version_files_digest on version_files (digest);
create index judged_texts_agent on judged_texts (agent_id, judged_at);
create index judged_texts_digest on judged_texts (digest);
create index judged_passages_skill on judged_passages (skill_id);
