import { archiveNames } from '../../skills/bundles/archive.ts'
import type { FileEntry } from '../../skills/bundles/entries.ts'
import { bytes, counted, Section } from '../ui/parts.tsx'
import { sizeOf, viewPath } from './paths.ts'

interface FileTreeProps {
  /** Path of the skill's page. */
  at: string
  files: readonly FileEntry[]
  version: number
  /** Path of the file that the page shows. */
  current?: string
}

/** The files of a version as a tree, with links to its archives. */
export function FileTree(props: FileTreeProps) {
  const { at, files, version } = props
  const archive = (kind: keyof typeof archiveNames) =>
    `${at}/${archiveNames[kind]}?version=${version}`
  return (
    <Section id="files" title="Files" class="files">
      <p class="muted">
        {counted(files.length, 'file')}, {bytes(sizeOf(files))}. Download all as{' '}
        <a href={archive('tarGz')}>tar.gz</a> or <a href={archive('zip')}>zip</a>.
      </p>
      <Level {...props} depth={0} />
    </Section>
  )
}

/** Files with the first `depth` folders of their path in common. */
function Level({ files, depth, ...rest }: FileTreeProps & { depth: number }) {
  const folders = new Map<string, FileEntry[]>()
  for (const file of files) {
    const [name = '', ...below] = file.path.split('/').slice(depth)
    if (below.length > 0) folders.set(name, [...(folders.get(name) ?? []), file])
  }
  return (
    <ul class="tree">
      {files
        .filter(({ path }) => path.split('/').length === depth + 1)
        .map(({ path, executable, size }) => (
          <li class="file">
            <a
              href={viewPath(rest.at, path, rest.version)}
              dir="auto"
              aria-current={path === rest.current ? 'page' : undefined}
            >
              {path.split('/').at(-1)}
            </a>
            <span class="muted">
              {executable && 'executable, '}
              {bytes(size)}
            </span>
          </li>
        ))}
      {[...folders].map(([name, inner]) => (
        <li>
          <details open>
            <summary dir="auto">{name}/</summary>
            <Level files={inner} depth={depth + 1} {...rest} />
          </details>
        </li>
      ))}
    </ul>
  )
}
