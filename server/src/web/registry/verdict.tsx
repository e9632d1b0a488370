import { codePointOf } from '@skillpass/contract'
import { viewPath } from '../files/paths.ts'
import { counted, Time } from '../ui/format.tsx'
import { Icon } from '../ui/icons.tsx'
import { rulePath, skillPath } from './paths.ts'
import type { Detail, Skill } from './registry-data.ts'

/** Characters of a line that are shown beside a finding. */
const shownOfLine = 240

const headings = {
  warning: 'This skill may be dangerous',
  notice: 'Read this before you use the skill',
}
const meanings = {
  warning:
    'Automatic checks found instructions that could cause harm. Read these lines before you or your agent use the skill.',
  notice:
    'Automatic checks found something that is often harmless but worth reading before you or your agent use the skill.',
}

/** What the lint found in a skill, with the lines and what they mean; nothing for a clean one. */
export function VerdictBanner({ skill }: { skill: Detail }) {
  const { verdict, warnings, readme } = skill
  if (verdict === 'clean') return null
  const [own, ...files] = byFile(warnings)
  return (
    <section class={`verdict-banner ${verdict}`} aria-labelledby="verdict">
      <h2 id="verdict">
        <Icon name="warn" />
        {headings[verdict]}
      </h2>
      <p>{meanings[verdict]}</p>
      {skill.quarantine && <QuarantineNote quarantine={skill.quarantine} />}
      {own && <Findings findings={own.findings} lines={readme.split('\n')} />}
      {files.map(({ file, findings }) => (
        <div key={file}>
          <h3 class="mono" dir="auto">
            <a href={viewPath(skillPath(skill), file ?? '', skill.version)}>
              {visible(file ?? '')}
            </a>
          </h3>
          <Findings
            findings={findings}
            page={viewPath(skillPath(skill), file ?? '', skill.version)}
          />
        </div>
      ))}
    </section>
  )
}

/** Why resolve leaves the skill out, or did, and what was answered. */
function QuarantineNote({ quarantine }: { quarantine: NonNullable<Detail['quarantine']> }) {
  const { held, rules, releasedBy, answers } = quarantine
  const who = releasedBy === 'operator' ? 'the operator' : 'its publisher or the operator'
  return (
    <>
      {held && (
        <p>
          Resolve leaves this version out because of {rules.join(', ')} until {who} answers.
        </p>
      )}
      {answers.map(({ by, decision, text, createdAt }) => (
        <p key={by} dir="auto">
          {by === 'publisher' ? 'The publisher answered' : `The operator ${words[decision]}`}{' '}
          <Time at={createdAt} />: <q>{text}</q>
        </p>
      ))}
    </>
  )
}

const words = { answered: 'answered', released: 'released it', held: 'held it back' }

type Finding = Detail['warnings'][number]

interface FindingsProps {
  findings: Finding[]
  /** Lines of the readme. */
  lines?: string[]
  /** Page of the file. */
  page?: string
}

/** Findings of one file, or of the readme and the record, whose lines are at hand. */
function Findings({ findings, lines, page }: FindingsProps) {
  if (findings.length === 0) return null
  return (
    <ul>
      {findings.map(({ rule, message, field, line }) => (
        <li key={`${rule} ${field} ${line}`}>
          <a class="mono" href={rulePath(rule)}>
            {rule}
          </a>{' '}
          {line !== null && <a href={page ? `${page}#L${line}` : '#readme'}>line {line}</a>}
          {line === null && lines && field}: {message}
          {line !== null && lines && <code>{visible(lines[line - 1] ?? '')}</code>}
        </li>
      ))}
    </ul>
  )
}

/** Findings by file in the order of the gravest of each, those of the readme and the record first. */
function byFile(findings: readonly Finding[]): { file: string | null; findings: Finding[] }[] {
  const groups = new Map<string | null, Finding[]>([[null, []]])
  for (const finding of findings) {
    const group = groups.get(finding.file)
    if (group) group.push(finding)
    else groups.set(finding.file, [finding])
  }
  return [...groups].map(([file, findings]) => ({ file, findings }))
}

/** A line with what shows nothing spelt out. */
function visible(line: string): string {
  const shown = line.trim().slice(0, shownOfLine).toWellFormed()
  return shown.replace(/[\p{Cf}\p{Cc}\p{Co}]/gu, (char) => `\u27e8${codePointOf(char)}\u27e9`)
}

/** A small mark in lists, with the rules; nothing for a clean skill. */
export function VerdictMark({ skill }: { skill: Skill }) {
  const { verdict, warnings } = skill
  if (verdict === 'clean') return null
  const rules = [...new Set(warnings.map(({ rule }) => rule))].join(', ')
  const word = verdict === 'warning' ? 'warning' : 'notice'
  return (
    <li class={`verdict-mark ${verdict}`} title={rules}>
      <Icon name="warn" />
      {counted(warnings.length, word)}
      <span class="hidden">: {rules}</span>
    </li>
  )
}
