import type { SkillManifest } from '@skillpass/contract'
import type { z } from 'zod'
import { bytes, counted } from '../ui/parts.tsx'
import { viewPath } from './pages.tsx'

type Manifest = z.infer<typeof SkillManifest>
type File = Manifest['files'][number]

/** The files of a version as a tree, with links to its archives. */
export function FileTree({ at, manifest }: { at: string; manifest: Manifest }) {
  const { files, size, archives, version } = manifest
  return (
    <section class="files" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <p class="muted">
        {counted(files.length, 'file')}, {bytes(size)}. Download all as{' '}
        <a href={new URL(archives.tarGz.url).pathname}>tar.gz</a> or{' '}
        <a href={new URL(archives.zip.url).pathname}>zip</a>.
      </p>
      <Level files={files} depth={0} hrefOf={(path) => viewPath(at, path, version)} />
    </section>
  )
}

type LevelProps = { files: readonly File[]; depth: number; hrefOf: (path: string) => string }

/** Files with the first `depth` folders of their path in common. */
function Level({ files, depth, hrefOf }: LevelProps) {
  const folders = new Map<string, File[]>()
  for (const file of files) {
    const [name = '', ...below] = file.path.split('/').slice(depth)
    if (below.length > 0) folders.set(name, [...(folders.get(name) ?? []), file])
  }
  return (
    <ul class="tree">
      {[...folders].map(([name, inner]) => (
        <li>
          <details open>
            <summary dir="auto">{name}/</summary>
            <Level files={inner} depth={depth + 1} hrefOf={hrefOf} />
          </details>
        </li>
      ))}
      {files
        .filter(({ path }) => path.split('/').length === depth + 1)
        .map(({ path, executable, size }) => (
          <li class="file">
            <a href={hrefOf(path)} dir="auto">
              {path.split('/').at(-1)}
            </a>
            <span class="muted">
              {executable && 'executable, '}
              {bytes(size)}
            </span>
          </li>
        ))}
    </ul>
  )
}
