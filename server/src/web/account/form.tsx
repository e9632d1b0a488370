import type { Request } from 'express'
import type { ComponentChildren } from 'preact'
import { fail } from '../../errors/failure.ts'
import type { Config } from '../../runtime/config/config.ts'
import { equalSecrets } from '../../secrets/secrets.ts'
import { AccountPage, confirmFirst } from '../ui/account.tsx'
import { type FieldIssues, PostForm, Submit } from '../ui/fields.tsx'
import { type Form, readChoice } from '../ui/form.ts'
import type { HiddenFields } from '../ui/site.ts'
import { formToken, type Visit } from './session.ts'

export const readDecision = (form: Form): boolean =>
  readChoice(form.one('decision'), 'decision', ['allow', 'deny']) === 'allow'

/** Throws 403 for a form of another site, or with a token for another browser, action or fields. */
export function requireOwnForm(config: Config, req: Request, visit: Visit, form: Form): void {
  const isOwn =
    req.headers['sec-fetch-site'] !== 'cross-site' &&
    isOwnOrigin(config, req) &&
    equalSecrets(form.one('csrf'), formToken(visit, req.path, hiddenOf(form)))
  if (!isOwn) {
    fail(403, 'This form has expired, or another site sent it. Open the page again.')
  }
}

/** The hidden fields of a form, which its token names. */
export function hiddenOf(form: Form): HiddenFields {
  const [, ...names] = form.one('csrf').split('.')
  return Object.fromEntries(names.map((name) => [name, form.one(name)]))
}

/**
 * Accepts `null` too: browsers send it from pages with `Referrer-Policy: no-referrer`, such as
 * ours.
 */
function isOwnOrigin({ authUrl }: Config, { headers: { origin, host } }: Request): boolean {
  if (origin === undefined || origin === 'null' || origin === authUrl) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

/** Contents of the page that confirms a destructive action. */
export interface Confirmation {
  title: ComponentChildren
  text: ComponentChildren
  /** Label of the confirming button, the same as on the button that led here. */
  button: ComponentChildren
  values: HiddenFields
  choices?: ComponentChildren
  issues?: FieldIssues | undefined
  back: string
}

export const needsConfirmation = (form: Form): boolean => form.one(confirmFirst.name) !== ''

/** Returns a page that asks the user to confirm the form's action. */
export const askToConfirm = ({ path }: Request, question: Confirmation) => ({
  page: (
    <AccountPage title="Are you sure?" class="sheet narrow">
      <h1>{question.title}</h1>
      <p>{question.text}</p>
      <PostForm action={path} values={question.values} class="stack" issues={question.issues ?? {}}>
        {question.choices}
        <div class="decide">
          <a class="button plain" href={question.back}>
            Cancel
          </a>
          <Submit look="plain danger">{question.button}</Submit>
        </div>
      </PostForm>
    </AccountPage>
  ),
  status: 200,
})
