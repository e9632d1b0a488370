import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const tables = `
create table registry_events (
  revision bigint not null, number integer not null, at bigint not null,
  is_public integer not null, owner_id text not null, repository_id text not null,
  subject_id text not null, owner_key text not null, repo_key text not null, body text not null,
  primary key (revision, number));
create index registry_events_owner on registry_events (owner_key, revision, number);
create index registry_events_repository on registry_events (repository_id);
create table organization_webhooks (
  id text primary key not null, organization_id text not null references agents (id),
  url text not null, events text not null, secret text not null, created_at bigint not null);
create index organization_webhooks_organization on organization_webhooks (organization_id);
create table version_usage (
  skill_id text not null references skills (id) on delete cascade, day text not null,
  version integer not null, fetches bigint not null, installs bigint not null,
  primary key (skill_id, day, version));
create index version_usage_day on version_usage (day)`

const columns = `id, app_id, event, body, created_at, next_attempt_at, attempts, delivered_at,
  done_at, trace, sequence`

/** SQLite cannot change the foreign key of a column, so the table is written anew. */
const rewrite = (reference: string) => `
create table kept_attempts as select * from webhook_attempts;
drop table webhook_attempts;
create table new_webhook_events (
  id text not null primary key, app_id text not null${reference}, event text not null,
  body text not null, created_at bigint not null, next_attempt_at bigint, attempts integer not null,
  delivered_at bigint, done_at bigint, trace text, sequence bigint not null default 0);
insert into new_webhook_events (${columns}) select ${columns} from webhook_events;
drop table webhook_events;
alter table new_webhook_events rename to webhook_events;
create index webhook_events_due on webhook_events (app_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_events_app on webhook_events (app_id, created_at, id);
create index webhook_events_done on webhook_events (done_at) where done_at is not null;
create index webhook_events_sequence on webhook_events (sequence);
create table webhook_attempts (
  event_id text not null references webhook_events (id), number integer not null,
  started_at bigint not null, duration_ms integer not null, status integer, error text,
  constraint webhook_attempts_key primary key (event_id, number));
insert into webhook_attempts select * from kept_attempts;
drop table kept_attempts`

async function run(trx: Db, statements: string): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

export const up = (trx: Db): Promise<void> => run(trx, `${tables};${rewrite('')}`)

/** Forgets the events, and the webhooks of organizations. */
export const down = (trx: Db): Promise<void> =>
  run(
    trx,
    `delete from webhook_attempts where event_id in (select id from webhook_events
      where app_id not in (select id from apps));
    delete from webhook_events where app_id not in (select id from apps);
    ${rewrite(' references apps (id)')};
    drop table registry_events; drop table organization_webhooks; drop table version_usage`,
  )
