import type { Config } from '../config/config.ts'
import type { DatabaseToRead } from '../db/read-only.ts'
import { snapshotFolder } from '../registry/snapshots/place.ts'
import { countLiveSkills, findSnapshotMark } from '../registry/store/snapshot-marks.ts'
import { readParts } from '../snapshot/folder.ts'
import { type Manifest, readManifest, snapshotFormat } from '../snapshot/manifest.ts'
import { UnusableSnapshot } from '../snapshot/unusable.ts'
import { fine, type Outcome, skipped, wrong } from './finding.ts'

/** A running server may replace the snapshot while it is read. */
const attempts = 3

/** Whether the snapshot can be read and is of this database, and how far behind it is. */
export async function checkSnapshot(
  db: DatabaseToRead,
  config: Pick<Config, 'databaseUrl' | 'snapshots'>,
): Promise<Outcome> {
  const folder = snapshotFolder(config)
  if (folder === undefined) return skipped('snapshots are off')
  for (let attempt = 1; ; attempt += 1) {
    let manifest: Manifest | undefined
    try {
      manifest = await readManifest(folder)
      if (manifest === undefined) return fine('none yet; a start reads the rows')
      return await judge(db, folder, manifest)
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error
      const current = await readManifest(folder).catch(() => undefined)
      if (attempt < attempts && current && current.id !== manifest?.id) continue
      return wrong(
        `${folder} cannot be used, because ${error.message}`,
        'Delete the folder; the next start reads the rows and makes another',
      )
    }
  }
}

async function judge({ read }: DatabaseToRead, folder: string, manifest: Manifest) {
  const { id, format, revision } = manifest
  if (format !== snapshotFormat) {
    return fine(`of another version (${format}); the next start makes another`)
  }
  const mark = await findSnapshotMark(read, id)
  const now = await countLiveSkills(read)
  if (mark?.revision !== revision || now.revision < revision) {
    throw new UnusableSnapshot('this database has no mark of it')
  }
  await readParts(folder, manifest)
  const behind = now.revision - revision
  return fine(behind === 0 ? 'readable and up to date' : `readable, ${behind} changes behind`)
}
