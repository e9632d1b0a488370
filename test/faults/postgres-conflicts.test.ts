import { expect, test } from 'vitest'
import { createTestDatabase, engines } from '../support/databases.ts'
import { runOn } from '../support/postgres.ts'
import { startProcess } from '../support/processes.ts'
import { reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'

/** Acknowledged writes that are waited for. */
const writes = 40 * roundsOf(1)

/**
 * Fails one changed row in twenty as a serialization failure does, and one commit in twenty that made a
 * skill or a grant. A sequence counts: what is rolled back leaves it as it is.
 */
const conflicts = `
  create sequence injected_conflicts;
  create function inject_conflict() returns trigger language plpgsql as $$
  begin
    if random() < 0.05 then
      perform nextval('injected_conflicts');
      raise exception 'could not serialize access' using errcode = '40001';
    end if;
    return coalesce(new, old);
  end $$;
  do $$
  declare name text;
  begin
    for name in select tablename from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migrations' loop
      execute format('create trigger conflict before insert or update or delete on %I
        for each row execute function inject_conflict()', name);
    end loop;
    foreach name in array array['skills', 'grants'] loop
      execute format('create constraint trigger conflict_at_commit after insert on %I
        deferrable initially deferred for each row execute function inject_conflict()', name);
    end loop;
  end $$`

test.skipIf(!engines.includes('postgres'))(
  'serialization failures at statements and at commits are retried: no caller sees one and no acknowledged write is lost',
  async () => {
    const database = await createTestDatabase('postgres')
    const server = await startProcess({ databaseUrl: database.url })
    try {
      const fixture = await prepareFixture(database.url, server.url)
      await runOn(database.url, conflicts)
      const load = await startMixedLoad({ url: server.url, fixture, seed, agents: 6 })
      await load.untilMore(writes)
      await load.stop()
      const { checked, lost } = await load.notes.verify(database.url)
      const [{ last_value: injected } = {}] = await runOn(
        database.url,
        'select last_value from injected_conflicts',
      )
      reportFigure(
        `${injected} serialization failures: ${load.acknowledged()} acknowledged, ${checked} facts checked, ${lost.length} lost, answers ${JSON.stringify(load.answers)}`,
      )
      expect(server.isAlive()).toBe(true)
      expect(lost).toEqual([])
      expect(await load.notes.verifyAnswers(server.url)).toEqual([])
      expect(Number(injected)).toBeGreaterThan(0)
      const others = Object.keys(load.answers).filter((status) => !/^(2..|303|409)$/.test(status))
      expect(others).toEqual([])
    } finally {
      await server.end('SIGTERM')
      await database.remove()
    }
  },
)
