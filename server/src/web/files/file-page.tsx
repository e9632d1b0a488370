import type { RegistryContext } from '../../discovery/context.ts'
import { skillUrl } from '../../discovery/serialize/skills.ts'
import type { LintWarning } from '../../moderation/lint/types.ts'
import { addressOf } from '../../moderation/notices.ts'
import { fileOf, findingsOf } from '../../skills/files.ts'
import { encodedPath, filePath } from '../../skills/serialize/files.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { Page } from '../ui/layout.tsx'
import { bytes, counted, number } from '../ui/parts.tsx'
import { type FoundRelease, type ShownText, showText } from './contents.ts'
import { longestHighlighted } from './highlight.ts'

export async function filePage(
  ctx: RegistryContext,
  { skill, release }: FoundRelease,
  path: string,
) {
  const { version } = release
  const file = fileOf(release, path)
  const content = await showText(file)
  const findings = await findingsOf(ctx, { skillId: skill.id, version, path })
  const [address, canonical] = [addressOf(skill), skillUrl(ctx, skill)]
  const at = new URL(canonical).pathname
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

const plainReasons = {
  long: `Shown without highlighting, because the file has more than ${number(longestHighlighted)} characters.`,
  slow: 'Shown without highlighting, because highlighting this file takes too long.',
} as const

function Code({ text, lines, html, plain }: Extract<ShownText, { text: string }>) {
  if (text === '') return <p class="empty">This file is empty.</p>
  return (
    <>
      {plain && <p class="hint">{plainReasons[plain]}</p>}
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

export const rulePath = (rule: string): string => `/docs/lint/${rule}`

const shownOfLine = 240

interface FindingsProps {
  findings: readonly LintWarning[]
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
