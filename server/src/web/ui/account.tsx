import type { ComponentChildren } from 'preact'
import { Submit, type SubmitProps } from './fields.tsx'

interface PostFormProps {
  action: string
  /** Ties the form to this browser and to what it is for. */
  token: string
  /** Fields that the person does not see. */
  values?: Record<string, string>
  class?: string
  children: ComponentChildren
}

/** A form that changes something. */
export function PostForm({ action, token, values = {}, ...rest }: PostFormProps) {
  return (
    <form method="post" action={action} class={rest.class}>
      <input type="hidden" name="csrf" value={token} />
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

/** A form that is one button; `asks` lets it ask first. */
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

/** An app: its name and who made it. */
export interface AppName {
  name: string
  accountName: string
}

/** Who made an app, and whether it is being developed still. */
export const Maker = ({ app, isDevelopment }: { app: AppName; isDevelopment: boolean }) => (
  <p class="maker">
    Made by <span dir="auto">{app.accountName}</span>
    {isDevelopment && <span class="badge">In development</span>}
  </p>
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
