import type { SkillManifest } from '@skillpass/contract'
import type { z } from 'zod'
import { bytes, counted } from '../ui/parts.tsx'
import { viewPath } from './file-page.tsx'

type Manifest = z.infer<typeof SkillManifest>
type File = Manifest['files'][number]

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: File[]
}

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
      <Level folder={treeOf(files)} hrefOf={(path) => viewPath(at, path, version)} />
    </section>
  )
}

const Level = ({ folder, hrefOf }: { folder: Folder; hrefOf: (path: string) => string }) => (
  <ul class="tree">
    {[...folder.folders].map(([name, inner]) => (
      <li>
        <details open>
          <summary dir="auto">{name}/</summary>
          <Level folder={inner} hrefOf={hrefOf} />
        </details>
      </li>
    ))}
    {folder.files.map((file) => (
      <li class="file">
        <a href={hrefOf(file.path)} dir="auto">
          {file.path.split('/').at(-1)}
        </a>
        <span class="muted">
          {file.executable && 'executable, '}
          {bytes(file.size)}
        </span>
      </li>
    ))}
  </ul>
)

function treeOf(files: readonly File[]): Folder {
  const root: Folder = { folders: new Map(), files: [] }
  for (const file of files) {
    let folder = root
    for (const name of file.path.split('/').slice(0, -1)) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), files: [] }
      folder.folders.set(name, inner)
      folder = inner
    }
    folder.files.push(file)
  }
  return root
}
