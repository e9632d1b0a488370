import { Findings } from '../files/pages.tsx'
import { counted, Icon, Time } from '../ui/parts.tsx'
import type { Detail, Skill } from './data.ts'

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

type BannerProps = Parameters<typeof Findings>[0] & Pick<Detail, 'verdict' | 'quarantine'>

/** The lint findings of a version; renders nothing for a clean one. */
export function VerdictBanner({ verdict, quarantine, ...props }: BannerProps) {
  if (verdict === 'clean') return null
  return (
    <section class={`verdict-banner ${verdict}`} aria-labelledby="verdict">
      <h2 id="verdict">
        <Icon name="warn" />
        {headings[verdict]}
      </h2>
      <p>{meanings[verdict]}</p>
      {quarantine && <QuarantineNote {...quarantine} />}
      <Findings {...props} />
    </section>
  )
}

function QuarantineNote({ held, rules, releasedBy, answers }: NonNullable<Detail['quarantine']>) {
  const who = releasedBy === 'operator' ? 'the operator' : 'its publisher or the operator'
  return (
    <>
      {held && (
        <p>
          Resolve excludes this version because of {rules.join(', ')} until {who} answers.
        </p>
      )}
      {answers.map(({ by, decision, text, createdAt }) => (
        <p dir="auto">
          {by === 'publisher' ? 'The publisher answered' : `The operator ${decisions[decision]}`}{' '}
          <Time at={createdAt} />: <q>{text}</q>
        </p>
      ))}
    </>
  )
}

const decisions = { answered: 'answered', released: 'released it', held: 'held it back' }

/** The number of findings, with their rules; renders nothing for a clean skill. */
export function VerdictMark({ skill }: { skill: Skill }) {
  const { verdict, warnings } = skill
  if (verdict === 'clean') return null
  const rules = [...new Set(warnings.map(({ rule }) => rule))].join(', ')
  return (
    <li class={`verdict-mark ${verdict}`} title={rules}>
      <Icon name="warn" />
      {counted(warnings.length, verdict)}
      <span class="hidden">: {rules}</span>
    </li>
  )
}
