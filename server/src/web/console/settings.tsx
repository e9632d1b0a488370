import type { AppSettings } from '../../apps/settings.ts'
import { type Form, readChoice } from '../account/form.ts'
import { ChoiceField, type FieldIssues, TextField, Tick } from '../ui/fields.tsx'
import { levels } from './layout.tsx'

const visibilities = [
  {
    value: 'development',
    label: 'Development',
    description:
      'For building the app. Only people in your account can allow it. It receives no events.',
  },
  {
    value: 'private',
    label: 'Private',
    description: 'For a finished app that only your account uses. It receives no events.',
  },
  {
    value: 'public',
    label: 'Public',
    description:
      'Anyone can allow it with the production credentials. The development credentials work only in your account. The app receives events.',
  },
]

export type AppValues = Pick<
  AppSettings,
  'name' | 'visibility' | 'level' | 'deviceFlow' | 'publicClient' | 'requireS256'
>

/** Reads the form. Values without a field for this type of app are taken from the app. */
export function readValues(form: Form, app: AppValues & { type: string }): AppValues {
  const isTicked = (name: string) => form.one(name) === 'on'
  const name = form.one('name')
  const visibility = readChoice(form, 'visibility', ['development', 'private', 'public'])
  if (app.type !== 'general') return { ...app, name, visibility }
  const publicClient = isTicked('public_client')
  return {
    name,
    visibility,
    level: readChoice(form, 'level', ['user', 'account']),
    deviceFlow: isTicked('device_flow'),
    publicClient,
    // A public client must use S256.
    requireS256: publicClient || isTicked('require_s256'),
  }
}

interface SettingsProps {
  app: Pick<AppSettings, 'type'>
  values: AppValues
  issues: FieldIssues
}

export function Settings({ app, values, issues }: SettingsProps) {
  const field = <N extends 'name' | 'visibility' | 'level'>(name: N) => ({
    name,
    value: values[name],
    issue: issues[name],
  })
  return (
    <>
      <TextField {...field('name')} label="Name" required maxLength={100} />
      <ChoiceField {...field('visibility')} label="Visibility" options={visibilities} />
      {app.type === 'general' && (
        <>
          <ChoiceField {...field('level')} label="Level" options={levels} />
          <fieldset class="field">
            <legend>Clients</legend>
            <Tick
              type="checkbox"
              name="device_flow"
              value="on"
              label="Use on devices"
              description="People can use a code to connect devices without a browser."
              checked={values.deviceFlow}
            />
            <Tick
              type="checkbox"
              name="public_client"
              value="on"
              label="Public client"
              description="A mobile, desktop or browser app that cannot keep a secret. It must use PKCE with S256."
              checked={values.publicClient}
            />
            <Tick
              type="checkbox"
              name="require_s256"
              value="on"
              label="Require PKCE with S256"
              description="Authorization requests without an S256 challenge are refused."
              checked={values.requireS256}
            />
          </fieldset>
        </>
      )}
    </>
  )
}
