import type { RegistryContext } from '../../discovery/context.ts'
import { skillUrl } from '../../discovery/serialize/skills.ts'
import { addressOf } from '../../moderation/notices.ts'
import { compareFiles, type FileChange } from '../../skills/bundles/entries.ts'
import { releaseOf } from '../../skills/bundles/release.ts'
import { Page } from '../ui/layout.tsx'
import { bytes, counted } from '../ui/parts.tsx'
import { type FoundRelease, type ShownChange, showChanges } from './contents.ts'
import { viewPath } from './file-page.tsx'

export const diffPath = (at: string, from: number, to: number): string =>
  `${at}/diff?from=${from}&to=${to}`

export async function diffPage(
  ctx: RegistryContext,
  { skill, release: after }: FoundRelease,
  since: number | undefined,
) {
  const before = await releaseOf(ctx, skill, since ?? Math.max(1, after.version - 1))
  const changes = await showChanges(compareFiles(before.files, after.files))
  const [address, canonical] = [addressOf(skill), skillUrl(ctx, skill)]
  const at = new URL(canonical).pathname
  const [from, to] = [before.version, after.version]
  return (
    <Page
      title={`Versions ${from} and ${to} (${address})`}
      description={`What changed in the skill ${address}.`}
      canonical={canonical}
    >
      <header class="masthead">
        <p class="crumbs mono">
          <a href={at}>{address}</a>
        </p>
        <h1>
          Version {from} to {to}
        </h1>
        <ul class="glance">
          <li>{changes.length === 0 ? 'No changes' : counted(changes.length, 'changed file')}</li>
          {from !== to && (
            <li>
              <a href={diffPath(at, to, from)}>Reverse</a>
            </li>
          )}
        </ul>
      </header>
      {changes.length === 0 && <p class="empty">Both versions have the same files.</p>}
      {changes.map((change) => (
        <section class="change">
          <h2 class="mono" dir="auto">
            {change.after ? <a href={viewPath(at, change.path, to)}>{change.path}</a> : change.path}
          </h2>
          <p class="muted">{summaryOf(change)}</p>
          <ChangedLines {...change} />
        </section>
      ))}
    </Page>
  )
}

function summaryOf({ before, after }: FileChange): string {
  if (!before) return `Added, ${bytes(after?.size ?? 0)}.`
  if (!after) return `Removed, ${bytes(before.size)}.`
  const mode = after.executable ? 'Executable now.' : 'No longer executable.'
  const modeChange = before.executable === after.executable ? '' : mode
  if (before.digest === after.digest) return modeChange
  return `${bytes(before.size)} before, ${bytes(after.size)} now. ${modeChange}`.trim()
}

const omissionReasons = {
  'no room': 'Not shown, to keep this page short.',
  binary: 'Not shown: the file is not text.',
  large: 'Not shown: the file is too large to compare here.',
  'too much': 'Not shown: the file has too many changes to compare here.',
} as const

function ChangedLines({ path, changed }: ShownChange) {
  // An added or removed file without lines is empty.
  if (changed === 'nothing' || changed.length === 0) return null
  if (typeof changed === 'string') return <p class="hint">{omissionReasons[changed]}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, so the keyboard must reach them
    <section class="scroll" tabIndex={0} aria-label={`Changed lines of ${path}`}>
      {changed.map(({ place, lines }) => (
        <pre class="hunk">
          <span class="place">{`${place}\n`}</span>
          {lines.map((line) => (
            <span class={kinds[line[0] ?? ' ']}>{`${line}\n`}</span>
          ))}
        </pre>
      ))}
    </section>
  )
}

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' }
