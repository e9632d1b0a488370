import type { FileEntry } from '../../skills/bundles/entry.ts'
import { bytes, counted, number } from '../ui/format.tsx'
import { Page } from '../ui/layout.tsx'
import { longestHighlighted } from './highlight.ts'
import type { ShownText } from './shown.ts'

export interface FilePageData {
  /** Address of the skill, `owner/repo/slug`, and the path of its page. */
  address: string
  at: string
  version: number
  file: Pick<FileEntry, 'path' | 'size' | 'digest' | 'executable'>
  content: ShownText
  /** Where its bytes are. */
  rawPath: string
  findings: readonly { rule: string; message: string; line: number | null }[]
  baseUrl: string
}

/** A file of a version, its text with its parts marked. */
export function filePage(data: FilePageData) {
  const { address, at, version, file, content, rawPath, findings, baseUrl } = data
  return (
    <Page
      title={`${file.path} (${address})`}
      description={`A file of the skill ${address}.`}
      canonical={`${baseUrl}${at}`}
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
            <a href={rawPath}>Download</a>
          </li>
        </ul>
        <p class="digest mono">{file.digest}</p>
      </header>
      {findings.length > 0 && (
        <section class="verdict-banner" aria-labelledby="findings">
          <h2 id="findings">What the checks found here</h2>
          <ul>
            {findings.map(({ rule, message, line }) => (
              <li key={`${rule} ${line}`}>
                <a class="mono" href={`/docs/lint/${rule}`}>
                  {rule}
                </a>{' '}
                {line !== null && <a href={`#L${line}`}>line {line}</a>}
                {line !== null && ': '}
                {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {'text' in content ? (
        <Code {...content} />
      ) : (
        <p class="empty">
          {content.reason === 'binary'
            ? 'This file has no text to show. Download it to open it.'
            : 'This file is too large to be shown here. Download it to read it.'}
        </p>
      )}
    </Page>
  )
}

const unmarked = {
  long: `Shown without highlighting, because the file has more than ${number(longestHighlighted)} characters.`,
  slow: 'Shown without highlighting, because it takes too long for this file.',
} as const

/** Numbered lines. */
function Code({ text, lines, html, plain }: Extract<ShownText, { text: string }>) {
  if (text === '') return <p class="empty">This file is empty.</p>
  return (
    <>
      {plain && <p class="hint">{unmarked[plain]}</p>}
      <section class="source" aria-label={counted(lines, 'line')}>
        <pre class="line-numbers" aria-hidden="true">
          {Array.from({ length: lines }, (_, at) => (
            <span id={`L${at + 1}`} key={at}>
              {at + 1}
            </span>
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
