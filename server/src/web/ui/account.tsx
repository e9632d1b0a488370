import type { ComponentChildren } from 'preact'
import type { AppEnvironment } from '../../apps/settings.ts'
import { Submit, type SubmitProps } from './fields.tsx'
import { type HiddenFields, useSite } from './site.ts'

interface PostFormProps {
  action: string
  values?: HiddenFields
  class?: string
  children: ComponentChildren
}

/** A POST form. Its CSRF token is bound to the browser, the action and the hidden fields. */
export const PostForm = ({ action, values = {}, ...rest }: PostFormProps) => (
  <form method="post" action={action} class={rest.class}>
    <input type="hidden" name="csrf" value={useSite().formToken(action, values)} />
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {rest.children}
  </form>
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

interface AppName {
  name: string
  accountName: string
}

/** Heading of a page about an app, with its maker and a badge for development credentials. */
export const AppHeader = (props: {
  client: { app: AppName; environment: AppEnvironment }
  title: ComponentChildren
}) => (
  <header>
    <h1>{props.title}</h1>
    <p class="maker">
      Made by <span dir="auto">{props.client.app.accountName}</span>
      {props.client.environment === 'development' && <span class="badge">In development</span>}
    </p>
  </header>
)

export interface AppDetails {
  /** Follows the app's maker. */
  since?: ComponentChildren
  /** Separate lines below. */
  about?: ComponentChildren
}

interface AppRowProps extends AppDetails {
  app: AppName
  level: 2 | 3
  actions: ComponentChildren
  children: ComponentChildren
}

/** An app in a list, with its maker and actions, and its scopes as children. */
export function AppRow({ app, level, since, about, actions, children }: AppRowProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
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

export const SignedInAs = ({ email, switchPath }: { email: string; switchPath: string }) => (
  <p class="deciding">
    <span>
      You are signed in as <strong>{email}</strong>
    </span>
    <a href={switchPath}>Use another account</a>
  </p>
)
