import { skillUrl } from '../catalogue/serialize.ts'
import { archiveNames } from './bundles/archive.ts'
import type { listFiles } from './files.ts'

export function serializeManifest(
  ctx: Parameters<typeof skillUrl>[0],
  { skill, release, archives }: Awaited<ReturnType<typeof listFiles>>,
) {
  const { version, digest } = release
  const url = skillUrl(ctx, skill)
  const files = release.files.map(({ path, digest, size, executable }) => ({
    path,
    digest,
    size,
    executable,
    url: `${url}${filePath(path)}?version=${version}`,
  }))
  return {
    version,
    digest,
    size: files.reduce((sum, { size }) => sum + size, 0),
    files,
    archives: {
      tarGz: { url: `${url}/${archiveNames.tarGz}?version=${version}`, ...archives.tarGz },
      zip: { url: `${url}/${archiveNames.zip}?version=${version}`, ...archives.zip },
    },
  }
}

export const filePath = (path: string): string => `/files/${encodedPath(path)}`

/** Percent-encodes a path but keeps its slashes. */
export const encodedPath = (path: string): string =>
  path.split('/').map(encodeURIComponent).join('/')
