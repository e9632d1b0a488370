import type { ManagedApp } from '../../oauth/apps/apps.ts'
import { describeFields, type FieldIssues } from '../ui/fields.tsx'
import type { Form } from '../ui/form.ts'

export const level = {
  label: 'Level',
  options: {
    user: 'Each person allows it for their own data.',
    account:
      'An admin allows it for the whole account. Scopes for sub-accounts need the account’s owner.',
  },
}

const ofAll = {
  name: { label: 'Name', required: true, maxLength: 100 },
  visibility: {
    label: 'Visibility',
    options: {
      development:
        'For building the app. Only people in your account can allow it. It receives no events.',
      private: 'For a finished app that only your account uses. It receives no events.',
      public:
        'Anyone can allow it with the production credentials. The development credentials work only in your account. The app receives events.',
    },
  },
}

const fields = describeFields(ofAll)

const generalFields = describeFields({
  ...ofAll,
  level,
  deviceFlow: {
    label: 'Use on devices',
    description: 'People can use a code to connect devices without a browser.',
  },
  publicClient: {
    label: 'Public client',
    description:
      'A mobile, desktop or browser app that cannot keep a secret. It must use PKCE with S256.',
  },
  requireS256: {
    label: 'Require PKCE with S256',
    description: 'Authorization requests without an S256 challenge are refused.',
  },
})

export type Changes = Partial<ReturnType<typeof generalFields.read>>

/** Reads the form. It has fewer fields for apps that are not general. */
export function readChanges(form: Form, { type }: ManagedApp): Changes {
  // A server-to-server app acts only for its own account, whatever its visibility.
  if (type === 'server-to-server') return { name: form.one('name').trim() }
  if (type !== 'general') return fields.read(form)
  const changes = generalFields.read(form)
  // A public client must use S256.
  return { ...changes, requireS256: changes.publicClient || changes.requireS256 }
}

type SettingsProps = { app: ManagedApp; changes: Changes; issues: FieldIssues }

export function Settings({ app, changes, issues }: SettingsProps) {
  const field = generalFields.show({ ...app, ...changes }, issues)
  return (
    <>
      {field('name')}
      {app.type !== 'server-to-server' && field('visibility')}
      {app.type === 'general' && (
        <>
          {field('level')}
          <fieldset class="field">
            <legend>Clients</legend>
            {field('deviceFlow')}
            {field('publicClient')}
            {field('requireS256')}
          </fieldset>
        </>
      )}
    </>
  )
}
