import type { Request } from 'express'
import type { ComponentChildren } from 'preact'
import { asksFirst, PostForm } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import type { Form } from './form.ts'
import { type Answer, show } from './page.ts'

/** What a form asks before it does what cannot be taken back. */
export interface Question {
  title: ComponentChildren
  /** What happens then. */
  words: ComponentChildren
  /** The words on the button, the same as on the one that asked. */
  button: ComponentChildren
  /** The form's own fields. */
  values: Record<string, string>
  /** What may be chosen in addition. */
  choices?: ComponentChildren
  /** Where Cancel leads. */
  back: string
}

/** Whether a form was sent by a button that asks first. */
export const isAsking = (form: Form): boolean => form.one(asksFirst.name) !== ''

/** Asks once, on a page of its own, whether a form shall do what it does. */
export const ask = (req: Request, question: Question): Answer =>
  show(<QuestionPage action={req.path} {...question} />)

function QuestionPage(props: Question & { action: string }) {
  const { action, title, words, button, values, choices, back } = props
  return (
    <AccountPage title="Are you sure?" class="sheet narrow">
      <h1>{title}</h1>
      <p>{words}</p>
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
