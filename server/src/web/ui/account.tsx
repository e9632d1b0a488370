import type { ComponentChildren, JSX } from 'preact'
import type { Consent } from '../../oauth/authorize.ts'
import {
  type FieldProps,
  PostForm,
  type PostFormProps,
  Submit,
  type SubmitProps,
  TextField,
} from './fields.tsx'
import { Page } from './layout.tsx'

/** Frame of a page of the authorization service; excluded from search engines. */
export const AccountPage = (props: {
  title: string
  class: string
  scripts?: readonly string[] | undefined
  children: ComponentChildren
}) => (
  <Page title={props.title} description={props.title} indexed={false} scripts={props.scripts ?? []}>
    <div class={props.class}>{props.children}</div>
  </Page>
)

type EntryProps = FieldProps & {
  title: string
  action: string
  after?: ComponentChildren
}

/** A page that asks for one thing, such as a code. */
export const EntryPage = ({ title, action, after, ...field }: EntryProps) => (
  <AccountPage title={title} class="sheet narrow">
    <h1>{title}</h1>
    <PostForm action={action} class="entry" submit="Continue">
      <TextField required autofocus {...field} />
    </PostForm>
    {after && <p class="after">{after}</p>}
  </AccountPage>
)

/** Attributes of a button whose form asks for confirmation first. */
export const confirmFirst = { name: 'ask', value: 'yes' } as const

type ActionProps = Omit<PostFormProps, 'class'> & Pick<SubmitProps, 'look'> & { confirms?: boolean }

export const Action = ({ look, confirms, children, ...form }: ActionProps) => (
  <PostForm {...form}>
    <Submit look={look} {...(confirms && confirmFirst)}>
      {children}
    </Submit>
  </PostForm>
)

/** Label of a button or link, with its subject for screen readers. */
export const Label = ({ of, children }: { of: ComponentChildren; children: ComponentChildren }) => (
  <>
    {children}
    <span class="hidden"> {of}</span>
  </>
)

type AppHeaderProps = Pick<Consent, 'client'> & { title: ComponentChildren }

/** Heading of a page about an app, with its maker and a badge for development credentials. */
export const AppHeader = ({ client, title }: AppHeaderProps) => (
  <header>
    <h1>{title}</h1>
    <p class="maker">
      Made by <span dir="auto">{client.app.accountName}</span>
      {client.environment === 'development' && <span class="badge">In development</span>}
    </p>
  </header>
)

interface AppRowProps {
  app: { name: string; accountName: string }
  level: 2 | 3
  /** Follows the app's maker. */
  since?: ComponentChildren
  /** Separate lines below. */
  about?: ComponentChildren
  actions: ComponentChildren
  children: ComponentChildren
}

/** An app in a list, with its maker and actions, and its scopes as children. */
export function AppRow({ app, level, since, about, actions, children }: AppRowProps) {
  const Heading = `h${level}` as const
  return (
    <li>
      <div class="row-head">
        <div>
          <Heading dir="auto">{app.name}</Heading>
          <p class="muted">
            Made by <span dir="auto">{app.accountName}</span>
            {since}
          </p>
          {about}
        </div>
        {actions}
      </div>
      {children}
    </li>
  )
}

/** A list of rows, or a note if there are no rows. */
export const Rows = ({ none, children }: { none: string | undefined; children: JSX.Element[] }) =>
  children.length > 0 ? <ul class="rows">{children}</ul> : <p class="muted">{none}</p>

export const SignedInAs = ({ email, switchPath }: { email: string; switchPath: string }) => (
  <p class="deciding">
    <span>
      You are signed in as <strong>{email}</strong>
    </span>
    <a href={switchPath}>Use another account</a>
  </p>
)
