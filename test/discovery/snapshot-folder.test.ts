import { resolve } from 'node:path'
import { loadConfig } from '@skillpass/server/config/config'
import { snapshotFolder } from '@skillpass/server/discovery/snapshot'
import { expect, test } from 'vitest'

const folderOf = (environment: Record<string, string>) => snapshotFolder(loadConfig(environment))

test('the snapshot folder is next to the SQLite file, or in ./data with the name of the Postgres database', () => {
  expect(folderOf({})).toBe(resolve('data/skillpass.db-snapshot'))
  expect(folderOf({ DATABASE_URL: 'file:other.db' })).toBe(resolve('other.db-snapshot'))
  expect(folderOf({ DATABASE_URL: 'file:///var/lib/skills.db' })).toBe(
    '/var/lib/skills.db-snapshot',
  )
  const postgres = 'postgres://someone:secret@db.test/skills%2F..%2Fa?sslmode=disable'
  expect(folderOf({ DATABASE_URL: postgres })).toBe('data/postgres_skills_a-snapshot')
  expect(folderOf({ DATABASE_URL: 'postgres://db.test' })).toBe('data/postgres-snapshot')
})
