import type { Operator } from '../../runtime/config/config.ts'
import { useSite } from './site.ts'

/** The operator's name with a way to reach them. */
function Contact({ name = 'the operator of this server', contact }: Operator) {
  if (contact === undefined) return <bdi>{name}</bdi>
  if (/^https?:/.test(contact)) {
    return (
      <a href={contact} dir="auto">
        {name}
      </a>
    )
  }
  return (
    <>
      <bdi>{name}</bdi> at <a href={`mailto:${contact}`}>{contact}</a>
    </>
  )
}

/** Says whom to ask, as the beginning of a sentence, or with `verb` as a part of it. */
export const AskOperator = ({ verb = 'Ask' }: { verb?: 'Ask' | 'ask' }) => (
  <>
    {verb} <Contact {...useSite().operator} />
  </>
)

/** Who operates the server; nothing if neither a name nor a contact is set. */
export function OperatedBy() {
  const { operator } = useSite()
  if (!operator.name && !operator.contact) return null
  return (
    <p>
      Operated by <Contact {...operator} />
    </p>
  )
}
