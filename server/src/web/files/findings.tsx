import type { LintWarning } from '../../moderation/lint/types.ts'
import { markHidden } from '../readme/hidden.ts'
import { rulePath } from './paths.ts'

const shownOfLine = 240

interface FindingsProps {
  findings: readonly LintWarning[]
  lines?: string[]
  /** Page of the file, empty on that page itself. */
  page?: string
}

/** Findings of one file, or of the readme and the record, whose lines are at hand. */
export function Findings({ findings, lines, page }: FindingsProps) {
  if (findings.length === 0) return null
  return (
    <ul>
      {findings.map(({ rule, message, field, line }) => (
        <li key={`${rule} ${field} ${line}`}>
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

/** A line with what shows nothing spelt out. */
export const visible = (line: string) =>
  markHidden(line.trim().slice(0, shownOfLine).toWellFormed())
