import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, isPostgres } from '../handle.ts'
import { tables } from '../tables.ts'

export async function up(trx: Db): Promise<void> {
  const guards = isPostgres(trx) ? onPostgres : onSqlite
  for (const statement of [...createTables(isPostgres(trx)), ...indexes, ...guards]) {
    await sql.raw(statement).execute(trx)
  }
  await sql`insert into registry_revision (id, revision, passage_key)
    values (1, 0, ${randomInt(1, 2 ** 31)})`.execute(trx)
  await sql`insert into network_salt (id, salt)
    values (1, ${randomBytes(32).toString('base64url')})`.execute(trx)
}

export async function down(trx: Db): Promise<void> {
  for (const name of Object.keys(tables).toReversed()) await trx.schema.dropTable(name).execute()
  if (isPostgres(trx)) await sql`drop function refuse_audit_update()`.execute(trx)
}

const createTables = (onPostgres: boolean) =>
  Object.entries(tables).map(([name, columns]) => {
    const lines = Object.entries(columns).map(([column, { sql }]) => `${column} ${sql}`)
    const { [name]: constraint } = constraints
    if (constraint) lines.push(constraint)
    const options = !onPostgres && withoutRowid.has(name) ? 'without rowid' : ''
    const table = `create table ${name} (${lines.join(', ')}) ${options}`
    return onPostgres ? table.replace(' blob ', ' bytea ') : table
  })

const withoutRowid = new Set(['access_tokens', 'refresh_tokens'])

/** Keys of more than one column. */
const constraints: Readonly<Record<string, string>> = {
  repositories: 'constraint repositories_address unique (owner_key, name_key)',
  skill_versions: 'constraint skill_versions_key primary key (skill_id, version)',
  stars: 'constraint stars_key primary key (skill_id, agent_id)',
  feedback: 'constraint feedback_key primary key (skill_id, agent_id, day)',
  votes: 'constraint votes_key primary key (skill_id, agent_id)',
  fetches: 'constraint fetches_key primary key (day, skill_id, reader)',
  apps: 'constraint apps_name unique (account_id, name)',
  clients: 'constraint clients_environment unique (app_id, environment)',
  redirect_uris: 'constraint redirect_uris_key primary key (client_id, uri)',
  approvals: 'constraint approvals_key primary key (account_id, app_id)',
  meeting_occurrences: 'constraint meeting_occurrences_key primary key (meeting_id, start_time)',
  webhook_attempts: 'constraint webhook_attempts_key primary key (event_id, number)',
  reads: 'constraint reads_key primary key (skill_id, reader)',
  agent_usage: 'constraint agent_usage_key primary key (day, agent_id)',
  version_signatures: 'constraint version_signatures_key primary key (skill_id, version)',
  moved_skills: 'constraint moved_skills_key primary key (repository_id, slug)',
  blob_chunks: 'constraint blob_chunks_key primary key (digest, number)',
  version_files: 'constraint version_files_key primary key (skill_id, version, path)',
  judged_texts: 'constraint judged_texts_key primary key (skill_id, version)',
  judged_passages: 'constraint judged_passages_key primary key (passage, skill_id, version)',
  answers: 'constraint answers_of_skill primary key (skill_id, answered_by)',
}

const indexes = `
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
create index judged_passages_skill on judged_passages (skill_id)`.split(';')

/** Forbids updates of audit entries. Only retention deletes them. */
const onSqlite = [
  `create trigger audit_entries_append_only before update on audit_entries
    begin select raise(abort, 'audit entries are append-only'); end`,
]
const onPostgres = [
  `create function refuse_audit_update() returns trigger language plpgsql as $$
    begin raise exception 'audit entries are append-only'; end $$`,
  `create trigger audit_entries_append_only before update on audit_entries
    for each row execute function refuse_audit_update()`,
  // Most files are small or already compressed, so Postgres should not try to compress them.
  'alter table blob_chunks alter column bytes set storage external',
]
