import { sql } from 'kysely'
import { migrations } from '../../server/dist/db/migrations/migrate.js'

/** Adds a migration to this process: `NODE_OPTIONS=--import=…/later-migration.js`. */
const steps =
  (...statements) =>
  async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx)
  }

migrations.push({
  name: '0999-later',
  up: steps(
    'create table later_notes (id integer primary key)',
    'insert into later_notes (id) values (1), (2)',
    'alter table agents add column later text',
    "update agents set later = 'x'",
  ),
  down: steps('drop table later_notes', 'alter table agents drop column later'),
})
