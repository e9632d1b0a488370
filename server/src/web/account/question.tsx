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
  words: ComponentChildren
  /** The words on the button, the same as on the one that asked. */
  button: ComponentChildren
  values: Record<string, string>
  choices?: ComponentChildren
  back: string
}

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
