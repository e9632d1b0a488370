import { join } from 'node:path'
import { z } from 'zod'
import { besideDatabase } from '../db/sqlite-connection.ts'
import type { Config } from '../runtime/config/config.ts'
import type { Job } from '../runtime/run-jobs.ts'
import {
  createSkillIndex,
  type Loaded,
  readSnapshot,
  UnusableSnapshot,
  writeSnapshot,
} from '../search/index.ts'
import { passageKey } from '../store/registry/passage-key.ts'
import { countSkills } from '../store/registry/skills.ts'
import {
  type Catalogue,
  createCatalogue,
  type RegistryContext,
  type SavedSkill,
} from './catalogue.ts'
import { loadCatalogue } from './change-feed.ts'

/*
 * A snapshot stores what takes long to compute at startup: the index, and each skill's passages
 * with the digest of its text. Records always come from the database, and a skill whose text
 * differs is indexed again. An old snapshot, or one of another database, therefore makes startup
 * slower but never wrong.
 */

/** Returns the configured snapshot folder or the default, or undefined if snapshots are off. */
export function snapshotFolder({
  databaseUrl,
  snapshotDir,
}: Pick<Config, 'databaseUrl' | 'snapshotDir'>): string | undefined {
  return snapshotDir === 'off'
    ? undefined
    : (snapshotDir ?? besideDatabase(databaseUrl, 'snapshot'))
}

const snapshotFile = (folder: string) => join(folder, 'catalogue')

// The index never removes words. Rebuild a large one if most of its words are unused.
const minVocabulary = 100_000
const maxUnusedShare = 0.75

/** Time between progress messages, ms. */
const progressInterval = 5000

/**
 * Loads the catalogue from the database. Takes the index of unchanged texts from a snapshot in
 * `folder`. Throws if `signal` aborts.
 */
export async function openCatalogue(
  ctx: Pick<RegistryContext, 'db' | 'clock' | 'log' | 'metrics' | 'readiness' | 'steps'>,
  folder: string | undefined,
  signal?: AbortSignal,
): Promise<{ catalogue: Catalogue; from: 'snapshot' | 'database' }> {
  const { db, clock, log, metrics, readiness } = ctx
  const started = clock.monotonic()
  const key = await passageKey(db.read)
  const restored = folder === undefined ? undefined : await restoreSnapshot(ctx, folder, key)
  const catalogue = restored?.catalogue ?? createCatalogue(ctx.steps, createIndex(ctx), key)
  try {
    const skills = await countSkills(db.read)
    let next = clock.monotonic() + progressInterval
    await loadCatalogue({ db, catalogue }, restored?.skills, (read) => {
      signal?.throwIfAborted()
      readiness.reading = { read, skills }
      if (clock.monotonic() < next) return
      next = clock.monotonic() + progressInterval
      log.info({ read, skills }, 'reading skills from the database')
    })
  } catch (error) {
    catalogue.index.close()
    throw error
  }
  const from = restored ? 'snapshot' : 'database'
  const ms = clock.monotonic() - started
  metrics.start.set({ from }, ms / 1000)
  const { size } = catalogue
  log.info({ skills: size, ms: Math.round(ms) }, `catalogue loaded from the ${from}`)
  return { catalogue, from }
}

const createIndex = ({ log, steps }: Pick<RegistryContext, 'log' | 'steps'>, saved?: Loaded) =>
  createSkillIndex(
    steps,
    (err) => log.warn({ err }, 'index merge failed; it will be retried'),
    saved,
  )

/**
 * Reads a snapshot. Returns a catalogue without records and the skills in its index, or undefined
 * without a usable snapshot.
 */
async function restoreSnapshot(
  ctx: Pick<RegistryContext, 'log' | 'steps'>,
  folder: string,
  passageKey: number,
): Promise<{ catalogue: Catalogue; skills: SavedSkill[] } | undefined> {
  try {
    const loaded = await readSnapshot(snapshotFile(folder))
    if (!loaded) return undefined
    const { meta, parts } = loaded
    const known = Meta.parse(meta)
    if (known.passageKey !== passageKey) throw new Error('it belongs to another database')
    const index = createIndex(ctx, { meta: known.index, parts })
    const skills = readLines(parts.get(skillsPart) ?? new Uint8Array())
    if (!skills.every(({ slot }) => index.has(slot))) throw new Error('the index lacks a skill')
    const { all, unused } = index.words()
    if (all >= minVocabulary && unused > maxUnusedShare * all)
      throw new Error('most words are unused')
    return { catalogue: createCatalogue(ctx.steps, index, passageKey), skills }
  } catch (err) {
    const reason = err instanceof UnusableSnapshot ? err.message : 'its parts do not fit together'
    ctx.log.warn({ err, folder }, `snapshot ignored, because ${reason}`)
    return undefined
  }
}

const skillsPart = 'skills'

const batch = 256

/** Yields lines of JSON, each an array of up to `batch` skills. */
function* writeLines(skills: Iterable<SavedSkill>): Generator<Uint8Array> {
  let line: unknown[] = []
  const flush = () => new TextEncoder().encode(`${JSON.stringify(line)}\n`)
  for (const { id, slot, text, sample } of skills) {
    line.push([id, slot, text, sample.count, ...sample.passages])
    if (line.length < batch) continue
    yield flush()
    line = []
  }
  yield flush()
}

function readLines(bytes: Uint8Array): SavedSkill[] {
  const skills: SavedSkill[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(newline, from)
    const line = JSON.parse(Buffer.from(bytes.subarray(from, to)).toString()) as Line
    for (const [id, slot, text, count, ...passages] of line) {
      skills.push({ id, slot, text, sample: { count, passages } })
    }
    from = to + 1
  }
  return skills
}

const newline = 10

type Line = [id: string, slot: number, text: string, count: number, ...passages: number[]][]

const Meta = z.object({ passageKey: z.number(), index: z.unknown() })

/** Time between snapshots of a changing catalogue, ms. */
const interval = 15 * 60_000

/**
 * Creates a job that writes a snapshot if a text has changed. `isSaved` is true if the folder
 * already has a snapshot of the current state.
 */
export function snapshotJob(
  ctx: Pick<RegistryContext, 'catalogue' | 'clock' | 'log' | 'random' | 'metrics'>,
  folder: string,
  isSaved: boolean,
): Job {
  const { catalogue, clock, log, random, metrics } = ctx
  let savedChanges = isSaved ? catalogue.textChanges : -1
  const save = async (signal: AbortSignal) => {
    const { textChanges } = catalogue
    if (textChanges === savedChanges || catalogue.size === 0) return
    const started = clock.monotonic()
    const { meta, parts } = catalogue.index.save()
    const saved = {
      id: random.uuid(),
      meta: { passageKey: catalogue.passageKey, index: meta },
      parts: [...parts, { name: skillsPart, bytes: writeLines(catalogue.skillsToSave()) }],
    }
    try {
      const bytes = await writeSnapshot(snapshotFile(folder), saved, signal)
      log.info({ bytes, ms: Math.round(clock.monotonic() - started) }, 'snapshot written')
    } catch (error) {
      if (!signal.aborted) metrics.snapshots.inc({ outcome: 'failed' })
      throw error
    }
    savedChanges = textChanges
    metrics.snapshots.inc({ outcome: 'written' })
  }
  return { name: 'writing a snapshot', interval, atStart: !isSaved, run: save, atStop: save }
}
