import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { addressOf, skillUrl } from '../../catalogue/serialize.ts'
import type { Finding } from '../../lint/findings.ts'
import { compareFiles, type FileChange } from '../../skills/bundles/entries.ts'
import { openVersion } from '../../skills/bundles/open-version.ts'
import { fileOf, findingsIn } from '../../skills/files.ts'
import { encodedPath, filePath } from '../../skills/serialize.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { Page } from '../ui/layout.tsx'
import { bytes, counted } from '../ui/parts.tsx'
import { type FoundVersion, type ShownText, showChanges, showText } from './contents.ts'

/** The address of a skill, and the URL and the path of its page. */
function placeOf(ctx: RegistryContext, skill: FoundVersion['skill']) {
  const canonical = skillUrl(ctx, skill)
  return { address: addressOf(skill), canonical, at: new URL(canonical).pathname }
}

export async function filePage(ctx: RegistryContext, found: FoundVersion, path: string) {
  const { skill, version: opened } = found
  const { version } = opened
  const file = fileOf(opened, path)
  const content = await showText(file)
  const findings = findingsIn(opened, path)
  const { address, canonical, at } = placeOf(ctx, skill)
  return (
    <Page
      title={`${file.path} (${address})`}
      description={`A file of the skill ${address}.`}
      canonical={canonical}
    >
      <header class="masthead">
        <nav class="crumbs mono" aria-label="Address">
          <ol>
            <li>
              <a href={at}>{address}</a>
            </li>
            <li aria-current="page" dir="auto">
              {file.path}
            </li>
          </ol>
        </nav>
        <h1 dir="auto">{file.path.split('/').at(-1)}</h1>
        <ul class="glance">
          <li>Version {version}</li>
          <li>{bytes(file.size)}</li>
          {file.executable && <li>Executable</li>}
          <li>
            <a href={`${at}${filePath(path)}?version=${version}`}>Download</a>
          </li>
        </ul>
        <p class="digest mono">{file.digest}</p>
      </header>
      {findings.length > 0 && (
        <section class="verdict-banner" aria-labelledby="findings">
          <h2 id="findings">Findings of the automatic checks</h2>
          <Findings findings={findings} page="" />
        </section>
      )}
      {'text' in content ? (
        <Code {...content} />
      ) : (
        <p class="empty">
          {content.reason === 'binary'
            ? 'This file has no text to show. Download it to open it.'
            : 'This file is too large to show here. Download it to read it.'}
        </p>
      )}
    </Page>
  )
}

function Code({ text, lines, html, plain }: Extract<ShownText, { text: string }>) {
  if (text === '') return <p class="empty">This file is empty.</p>
  return (
    <>
      {plain && <p class="hint">{plain}</p>}
      <section class="source" aria-label={counted(lines, 'line')}>
        <pre class="line-numbers" aria-hidden="true">
          {Array.from({ length: lines }, (_, at) => (
            <span id={`L${at + 1}`}>{at + 1}</span>
          ))}
        </pre>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, so the keyboard must reach them */}
        <pre class="code" tabIndex={0}>
          {html === null ? text : <code dangerouslySetInnerHTML={{ __html: html }} />}
        </pre>
      </section>
    </>
  )
}

/** Path of the page of a file; `at` is the path of the skill's page. */
export const viewPath = (at: string, path: string, version: number): string =>
  `${at}/view/${encodedPath(path)}?version=${version}`

export const diffPath = (at: string, from: number, to: number): string =>
  `${at}/diff?from=${from}&to=${to}`

export const rulePath = (rule: string): string => `/docs/lint/${rule}`

const shownOfLine = 240

interface FindingsProps {
  findings: readonly Finding[]
  lines?: string[]
  /** Path of the file's page; empty on that page itself. */
  page?: string
}

/** Findings of one file, or with `lines` those of the readme and the skill's fields. */
export const Findings = ({ findings, lines, page }: FindingsProps) =>
  findings.length > 0 && (
    <ul>
      {findings.map(({ rule, message, field, line }) => (
        <li>
          <a class="mono" href={rulePath(rule)}>
            {rule}
          </a>{' '}
          {line !== null && <a href={lines ? '#readme' : `${page}#L${line}`}>line {line}</a>}
          {line === null && lines && field}
          {(line !== null || lines) && ': '}
          {message}
          {line !== null && lines && <code>{visible(lines[line - 1] ?? '')}</code>}
        </li>
      ))}
    </ul>
  )

/** A line, cut to a displayable length, with hidden characters made visible. */
export const visible = (line: string) =>
  markHidden(line.trim().slice(0, shownOfLine).toWellFormed())

export async function diffPage(ctx: RegistryContext, found: FoundVersion, since?: number) {
  const { skill, version: after } = found
  const before = await openVersion(ctx, skill, since ?? Math.max(1, after.version - 1))
  const changes = await showChanges(compareFiles(before.files, after.files))
  const { address, canonical, at } = placeOf(ctx, skill)
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

function ChangedLines({ path, changed }: Awaited<ReturnType<typeof showChanges>>[number]) {
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
