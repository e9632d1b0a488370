import type { ComponentChildren } from 'preact'
import { asksFirst, PostForm } from '../ui/account.tsx'
import { Submit } from '../ui/fields.tsx'
import { AccountPage } from '../ui/layout.tsx'
import type { SignedInExchange, WithForm } from './handlers.ts'
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

/**
 * Asks once, on a page of its own, where a form was sent by a button that asks first. Where `question`
 * gives none there is nothing to ask about.
 */
export const askFirst =
  <E extends WithForm<SignedInExchange>>(
    question: (exchange: E) => Question | undefined | Promise<Question | undefined>,
    act: (exchange: E) => Promise<Answer>,
  ) =>
  async (exchange: E): Promise<Answer> => {
    const asked = exchange.form.one(asksFirst.name) !== '' && (await question(exchange))
    if (!asked) return act(exchange)
    const { req, form } = exchange
    return show(questionPage(asked, { action: req.path, token: form.one('csrf') }))
  }

function questionPage(
  { title, words, button, values, choices, back }: Question,
  { action, token }: { action: string; token: string },
) {
  return (
    <AccountPage title="Are you sure?" class="sheet narrow">
      <h1>{title}</h1>
      <p>{words}</p>
      <PostForm action={action} token={token} values={values} class="stack">
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
