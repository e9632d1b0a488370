import type { LintWarning } from '../../moderation/lint/types.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { rulePath } from './paths.ts'

const shownOfLine = 240

interface FindingsProps {
  findings: readonly LintWarning[]
  lines?: string[]
  /** Path of the file's page; empty on that page itself. */
  page?: string
}

/** Findings of one file, or with `lines` those of the readme and the skill's fields. */
export function Findings({ findings, lines, page }: FindingsProps) {
  if (findings.length === 0) return null
  return (
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
}

/** A line, cut to a displayable length, with hidden characters made visible. */
export const visible = (line: string) =>
  markHidden(line.trim().slice(0, shownOfLine).toWellFormed())
