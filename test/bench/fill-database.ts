import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { migrateUp } from '@skillpass/server/internal/db/migrations/migrate'
import { lintVersion } from '@skillpass/server/internal/lint/rules'
import type { ImportSkill } from '@skillpass/server/internal/operator/importing/import-item'
import {
  normalizeSkill,
  slugAssigner,
} from '@skillpass/server/internal/operator/importing/normalize'
import { digestOf } from '@skillpass/server/internal/text/digest'
import { openDatabase } from '@skillpass/server/testing'
import Database from 'better-sqlite3'
import type { CorpusSkill } from '../support/corpus.ts'

/** Skills per revision, as in an import. */
const batchSize = 100

/** Normalizes a skill as an import does. Returns undefined if the import would reject it. */
export function asImported(
  skill: CorpusSkill,
  assignSlug = slugAssigner(),
): ImportSkill | undefined {
  const raw = { ...skill, license: null, path: skill.id, origin: null, stars: 0 }
  const normalized = normalizeSkill(raw, { assignSlug })
  return 'rule' in normalized ? undefined : normalized.skill
}

/**
 * Creates a database with these skills, normalized as an import does. Returns their number. It
 * writes to the tables without disk syncs, because an import of a million skills would take longer
 * than the benchmark.
 */
export async function fillDatabase(folder: string, skills: Iterable<CorpusSkill>): Promise<number> {
  const file = join(folder, 'skillpass.db')
  const created = await openDatabase(`file:${file}`)
  await migrateUp(created)
  await created.close()
  const database = new Database(file)
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -1000000']) {
    database.pragma(pragma)
  }
  const insert = createInserter(database)
  const assignSlug = slugAssigner()
  let count = 0
  database.exec('begin')
  for (const skill of skills) {
    const imported = asImported(skill, assignSlug)
    if (!imported) continue
    insert(imported, 1 + Math.floor(count / batchSize))
    count++
  }
  database
    .prepare('update registry_revision set revision = ?')
    .run(1 + Math.floor(count / batchSize))
  database.exec('commit')
  database.close()
  return count
}

/** Returns a function that inserts a skill and its repository as of a revision. */
function createInserter(database: Database.Database) {
  const now = Date.now()
  const agentId = randomUUID()
  database
    .prepare('insert into agents (id, username, created_at) values (?, ?, ?)')
    .run(agentId, 'importer', now)
  const insertRepository = database.prepare(
    `insert into repositories (id, agent_id, owner, name, owner_key, name_key, created_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertSkill = database.prepare(
    `insert into skills (id, repository_id, agent_id, slug, name, description, indexed_description,
       tags, version, digest, created_at, updated_at, revision)
     values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)`,
  )
  const insertVersion = database.prepare(
    `insert into skill_versions (skill_id, version, digest, readme, created_at, verdict, lint_version)
     values (?, 1, ?, ?, ?, 'clean', ${lintVersion})`,
  )
  const repositories = new Map<string, string>()
  const repositoryOf = ({ owner, repo }: ImportSkill): string => {
    const [ownerKey, nameKey] = [owner.toLowerCase(), repo.toLowerCase()]
    const known = repositories.get(`${ownerKey}/${nameKey}`)
    if (known !== undefined) return known
    const id = randomUUID()
    insertRepository.run(id, agentId, owner, repo, ownerKey, nameKey, now)
    repositories.set(`${ownerKey}/${nameKey}`, id)
    return id
  }
  return (skill: ImportSkill, revision: number): void => {
    const { slug, name, description, indexedDescription, tags, readme } = skill
    const [id, repositoryId] = [randomUUID(), repositoryOf(skill)]
    const digest = digestOf(readme)
    const fullDescription = indexedDescription === description ? null : indexedDescription
    insertSkill.run(
      ...[id, repositoryId, agentId, slug, name, description, fullDescription],
      ...[JSON.stringify(tags), digest, now, now, revision],
    )
    insertVersion.run(id, digest, readme, now)
  }
}
