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

/** A form that changes something. Its token ties it to this browser, its action and its hidden fields. */
export function PostForm({ action, values = {}, ...rest }: PostFormProps) {
  return (
    <form method="post" action={action} class={rest.class}>
      <input type="hidden" name="csrf" value={useSite().formToken(action, values)} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {rest.children}
    </form>
  )
}

/** The attributes of a button that asks first; a form that comes without them acts at once. */
export const asksFirst = { name: 'ask', value: 'yes' } as const

type ActionProps = Omit<PostFormProps, 'class'> & Pick<SubmitProps, 'look'> & { asks?: boolean }

export const Action = ({ look, asks, children, ...form }: ActionProps) => (
  <PostForm {...form}>
    <Submit look={look} {...(asks && asksFirst)}>
      {children}
    </Submit>
  </PostForm>
)

/** Words of a button or link, and for screen readers what they are about. */
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

interface AppHeaderProps {
  client: { app: AppName; environment: AppEnvironment }
  title: ComponentChildren
}

/** Heading of a page about an app: who made it, and whether it is being developed still. */
export const AppHeader = ({ client: { app, environment }, title }: AppHeaderProps) => (
  <header>
    <h1>{title}</h1>
    <p class="maker">
      Made by <span dir="auto">{app.accountName}</span>
      {environment === 'development' && <span class="badge">In development</span>}
    </p>
  </header>
)

/** What is said of an app in a list: behind its maker, and in lines of its own below. */
export interface AppWords {
  since?: ComponentChildren
  about?: ComponentChildren
}

interface AppRowProps extends AppWords {
  app: AppName
  level: 2 | 3
  actions: ComponentChildren
  children: ComponentChildren
}

/** An app in a list: who made it, what may be done about it, and below that what it may do. */
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

/** As whom the person decides, and how to be somebody else. */
export const DecidingAs = ({ email, switchPath }: { email: string; switchPath: string }) => (
  <p class="deciding">
    <span>
      You are signed in as <strong>{email}</strong>
    </span>
    <a href={switchPath}>Use another account</a>
  </p>
)
