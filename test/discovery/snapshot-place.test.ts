import { resolve } from 'node:path'
import { loadConfig } from '@skillpass/server/config/config'
import { snapshotFolder } from '@skillpass/server/discovery/snapshot-folder'
import { expect, test } from 'vitest'

const placeOf = (environment: Record<string, string>) => snapshotFolder(loadConfig(environment))

test('the snapshot is beside the SQLite file, or in ./data under the name of the database', () => {
  expect(placeOf({})).toBe(resolve('data/skillpass.db-snapshot'))
  expect(placeOf({ DATABASE_URL: 'file:other.db' })).toBe(resolve('other.db-snapshot'))
  expect(placeOf({ DATABASE_URL: 'file:///var/lib/skills.db' })).toBe('/var/lib/skills.db-snapshot')
  const postgres = 'postgres://someone:secret@db.test/skills%2F..%2Fa?sslmode=disable'
  expect(placeOf({ DATABASE_URL: postgres })).toBe('data/postgres_skills_a-snapshot')
  expect(placeOf({ DATABASE_URL: 'postgres://db.test' })).toBe('data/postgres-snapshot')
})

test('SNAPSHOT_DIR names another folder or switches snapshots off', () => {
  expect(placeOf({ SNAPSHOT_DIR: '/var/cache/skillpass' })).toBe('/var/cache/skillpass')
  expect(placeOf({ SNAPSHOT_DIR: 'off' })).toBeUndefined()
})
