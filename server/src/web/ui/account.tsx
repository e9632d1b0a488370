import type { ComponentChildren, JSX } from 'preact'

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
export function PostForm({ action, token, values = {}, ...rest }: PostFormProps): JSX.Element {
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

/** An app: its name and who made it. */
export interface AppName {
  name: string
  accountName: string
}

/** Who made an app, and whether it is being developed still. */
export function Maker({ app, isDevelopment }: { app: AppName; isDevelopment: boolean }) {
  return (
    <p class="maker">
      Made by <span dir="auto">{app.accountName}</span>
      {isDevelopment && <span class="badge">In development</span>}
    </p>
  )
}

/** As whom the person decides, and how to be somebody else. */
export function DecidingAs({ email, switchPath }: { email: string; switchPath: string }) {
  return (
    <p class="deciding">
      <span>
        You are signed in as <strong>{email}</strong>
      </span>
      <a href={switchPath}>Use another account</a>
    </p>
  )
}
