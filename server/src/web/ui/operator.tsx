import { useSite } from './site.ts'

/** The operator's name with a way to reach them. */
function Contact() {
  const { name = 'the operator of this server', contact = '' } = useSite().operator
  const shown = <bdi>{name}</bdi>
  if (/^https?:/.test(contact)) return <a href={contact}>{shown}</a>
  return contact ? [shown, ' at ', <a href={`mailto:${contact}`}>{contact}</a>] : shown
}

/** Says whom to ask, as the beginning of a sentence, or with `verb` as a part of it. */
export const AskOperator = ({ verb = 'Ask' }) => [verb, ' ', <Contact />]

/** Who operates the server; nothing if neither a name nor a contact is set. */
export function OperatedBy() {
  const { name, contact } = useSite().operator
  return (name || contact) && <p>Operated by {<Contact />}</p>
}
