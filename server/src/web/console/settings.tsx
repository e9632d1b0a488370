import type { ManagedApp } from '../../oauth/apps/apps.ts'
import type { AppSettings } from '../../oauth/apps/settings.ts'
import { type Form, readChoice } from '../account/form.tsx'
import { ChoiceField, type FieldIssues, fieldsOf, TextField, Tick } from '../ui/fields.tsx'
import { levels } from './app.tsx'

const visibilities = {
  development:
    'For building the app. Only people in your account can allow it. It receives no events.',
  private: 'For a finished app that only your account uses. It receives no events.',
  public:
    'Anyone can allow it with the production credentials. The development credentials work only in your account. The app receives events.',
}

const clientSettings = [
  {
    name: 'device_flow',
    setting: 'deviceFlow',
    label: 'Use on devices',
    description: 'People can use a code to connect devices without a browser.',
  },
  {
    name: 'public_client',
    setting: 'publicClient',
    label: 'Public client',
    description:
      'A mobile, desktop or browser app that cannot keep a secret. It must use PKCE with S256.',
  },
  {
    name: 'require_s256',
    setting: 'requireS256',
    label: 'Require PKCE with S256',
    description: 'Authorization requests without an S256 challenge are refused.',
  },
] as const

export type Changes = Partial<
  Pick<AppSettings, 'name' | 'visibility' | 'level' | (typeof clientSettings)[number]['setting']>
>

/** Reads the form. It has fewer fields for apps that are not general. */
export function readChanges({ one }: Form, { type }: ManagedApp): Changes {
  const isTicked = (name: string) => one(name) === 'on'
  const changes = {
    name: one('name').trim(),
    visibility: readChoice(one('visibility'), 'visibility', ['development', 'private', 'public']),
  }
  if (type !== 'general') return changes
  const publicClient = isTicked('public_client')
  return {
    ...changes,
    level: readChoice(one('level'), 'level', ['user', 'account']),
    deviceFlow: isTicked('device_flow'),
    publicClient,
    // A public client must use S256.
    requireS256: publicClient || isTicked('require_s256'),
  }
}

type SettingsProps = { app: ManagedApp; changes: Changes; issues: FieldIssues }

export function Settings({ app, changes, issues }: SettingsProps) {
  const values = { ...app, ...changes }
  const { name, visibility, level } = values
  const field = fieldsOf({ name, visibility, level }, issues)
  return (
    <>
      <TextField {...field('name')} label="Name" required maxLength={100} />
      <ChoiceField {...field('visibility')} label="Visibility" options={visibilities} />
      {app.type === 'general' && (
        <>
          <ChoiceField {...field('level')} label="Level" options={levels} />
          <fieldset class="field">
            <legend>Clients</legend>
            {clientSettings.map(({ setting, ...texts }) => (
              <Tick type="checkbox" {...texts} value="on" checked={values[setting]} />
            ))}
          </fieldset>
        </>
      )}
    </>
  )
}
