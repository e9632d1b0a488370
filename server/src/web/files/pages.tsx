import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { addressOf, skillUrl } from '../../catalogue/serialize.ts'
import type { Finding } from '../../lint/findings.ts'
import { rules } from '../../lint/rules.ts'
import { compareFiles, type FileChange } from '../../skills/bundles/entries.ts'
import { openVersion } from '../../skills/bundles/open-version.ts'
import { fileOf, placeFindings } from '../../skills/files.ts'
import { filePath } from '../../skills/serialize.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { Submit } from '../ui/fields.tsx'
import { Page } from '../ui/layout.tsx'
import { bytes, CountItem, capitalize, counted, sentence } from '../ui/parts.tsx'
import { type FoundVersion, type ShownText, showChanges, showText } from './contents.ts'
import { FileTree } from './file-tree.tsx'
import { diffPath, rulePath, versionPath, viewPath } from './paths.ts'

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
  const findings = placeFindings(opened).filter((finding) => finding.file === path)
  const { address, canonical, at } = placeOf(ctx, skill)
  const { files } = opened
  const index = files.indexOf(file)
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
          <li>
            <a href={versionPath(at, version)}>Version {version}</a>
            {version < skill.version && ` of ${skill.version}`}
          </li>
          <li>{bytes(file.size)}</li>
          {file.executable && <li>Executable</li>}
          <li>
            <a href={`${at}${filePath(path)}?version=${version}`}>Download</a>
          </li>
        </ul>
        <p class="digest mono">{file.digest}</p>
      </header>
      {findings.length > 0 && (
        <section class={`verdict-banner ${findings[0]?.level}`} aria-labelledby="findings">
          <h2 id="findings">Read these lines first</h2>
          <Findings findings={findings} at={at} version={version} />
        </section>
      )}
      <div class="columns file">
        <div>
          {'text' in content ? (
            <Code {...content} />
          ) : (
            <p class="empty">
              {content.reason === 'binary'
                ? 'This file has no text to show. Download it to open it.'
                : 'This file is too large to show here. Download it to read it.'}
            </p>
          )}
          <nav class="pager" aria-label="Neighboring files">
            {([-1, 1] as const).map((step) => {
              const other = files[index + step]
              return (
                <span>
                  {other && (
                    <a href={viewPath(at, other.path, version)}>
                      {step < 0 ? 'Previous' : 'Next'}: <bdi>{other.path}</bdi>
                    </a>
                  )}
                </span>
              )
            })}
          </nav>
        </div>
        <aside>
          <FileTree at={at} files={files} version={version} current={path} />
        </aside>
      </div>
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

const shownOfLine = 240

const explanations = new Map(rules.map(({ id, explanation }) => [id, explanation]))

/** A finding as sentences for readers, without the advice that some messages give the author. */
function describeFinding({ rule, message, file }: Finding): string {
  const what = message.replace(/; (have readers|verify)[^(]*/, ' ').trim()
  const subject = file === null || file === 'SKILL.md' ? 'This skill' : 'This file'
  const found = /^[a-z]+s /.test(what) ? `${subject} ${what}` : what
  return `${sentence(found)} ${explanations.get(rule) ?? ''}`
}

interface FindingsProps {
  /** As `placeFindings` returns them. */
  findings: readonly Finding[]
  /** Path of the skill's page. */
  at: string
  version: number
  /** Lines of SKILL.md to quote. */
  lines?: string[]
}

/** Findings, each with a link to its line. */
export const Findings = ({ findings, at, version, lines }: FindingsProps) => (
  <ul>
    {findings.map((finding) => {
      const { rule, file, line, field } = finding
      const quoted = file === 'SKILL.md' && line !== null ? lines?.[line - 1] : undefined
      return (
        <li>
          {file === null ? (
            <strong>{capitalize(field)}</strong>
          ) : (
            <a
              class="mono"
              dir="auto"
              href={`${viewPath(at, file, version)}${line === null ? '' : `#L${line}`}`}
            >
              {line === null ? visible(file) : `${visible(file)}, line ${line}`}
            </a>
          )}
          : {describeFinding(finding)} <a href={rulePath(rule)}>More about {rule}</a>
          {quoted !== undefined && <code>{visible(quoted)}</code>}
        </li>
      )
    })}
  </ul>
)

/** A line, cut to a displayable length, with hidden characters made visible. */
export const visible = (line: string) =>
  markHidden(line.trim().slice(0, shownOfLine).toWellFormed())

export async function diffPage(ctx: RegistryContext, found: FoundVersion, since?: number) {
  const { skill, version: after } = found
  const before = await openVersion(ctx, skill, { version: since ?? Math.max(1, after.version - 1) })
  const changes = await showChanges(compareFiles(before.files, after.files))
  const { address, canonical, at } = placeOf(ctx, skill)
  const [from, to] = [before.version, after.version]
  const hunks = changes.flatMap(({ changed }) => (typeof changed === 'string' ? [] : changed))
  const lines = (sign: string) =>
    hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith(sign)).length
  const isCut = changes.some(({ changed }) => typeof changed === 'string' && changed !== 'nothing')
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
          <CountItem value={lines('+')} one="line added" many="lines added" />
          <CountItem value={lines('-')} one="line removed" many="lines removed" />
          {isCut && <li>without the files that are not shown</li>}
          {from !== to && (
            <li>
              <a href={diffPath(at, to, from)}>Reverse</a>
            </li>
          )}
        </ul>
        <CompareForm at={at} latest={skill.version} from={from} to={to} />
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

/** Versions that the form offers, the latest first. */
const offered = 200

type CompareProps = { at: string } & Record<'latest' | 'from' | 'to', number>

/** Compares any two versions. */
export function CompareForm({ at, latest, ...chosen }: CompareProps) {
  const recent = Array.from({ length: Math.min(latest, offered) }, (_, back) => latest - back)
  const versions = [...new Set([...recent, chosen.from, chosen.to])]
  return (
    <form class="compare-form" action={`${at}/diff`} method="get">
      {(['from', 'to'] as const).map((side) => (
        <label>
          {side === 'from' ? 'Compare' : 'with'}{' '}
          <select name={side}>
            {versions.map((version) => (
              <option value={version} selected={version === chosen[side]}>
                Version {version}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Submit look="plain">Compare</Submit>
    </form>
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
