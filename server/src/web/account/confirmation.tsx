import type { Request } from 'express'
import type { ComponentChildren } from 'preact'
import { confirmFirst, PostForm } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import type { Form } from './form.ts'
import { type Answer, show } from './page.ts'

/** Contents of the page that confirms a destructive action. */
export interface Confirmation {
  title: ComponentChildren
  text: ComponentChildren
  /** Label of the confirming button, the same as on the button that led here. */
  button: ComponentChildren
  values: Record<string, string>
  choices?: ComponentChildren
  back: string
}

export const needsConfirmation = (form: Form): boolean => form.one(confirmFirst.name) !== ''

/** Shows a page that asks the user to confirm the form's action. */
export const askToConfirm = (req: Request, question: Confirmation): Answer =>
  show(<ConfirmationPage action={req.path} {...question} />)

function ConfirmationPage(props: Confirmation & { action: string }) {
  const { action, title, text, button, values, choices, back } = props
  return (
    <AccountPage title="Are you sure?" class="sheet narrow">
      <h1>{title}</h1>
      <p>{text}</p>
      <PostForm action={action} values={values} class="stack">
        {choices}
        <div class="decide">
          <a class="button plain" href={back}>
            Cancel
          </a>
          <Submit look="plain danger">{button}</Submit>
        </div>
      </PostForm>
    </AccountPage>
  )
}
