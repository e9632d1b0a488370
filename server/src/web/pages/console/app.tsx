import type { RotatedSecret } from '../../../apps/apps.ts'
import { type AppEnvironment, type AppSettings, environments } from '../../../apps/settings.ts'
import type { ManagedApp } from '../../../marketplace/managed-apps.ts'
import {
  AppPage,
  appPath,
  environmentNames,
  levels,
  RotateForm,
  ShownSecret,
  typeNames,
} from '../../console/layout.tsx'
import { PostForm, type Viewer } from '../../ui/account.tsx'
import {
  ChoiceField,
  type FieldIssues,
  FormIssue,
  Refusal,
  Submit,
  TextField,
  Tick,
} from '../../ui/fields.tsx'
import { Minute, Time } from '../../ui/format.tsx'
import { renderPage } from '../../ui/layout.tsx'

const visibilities = [
  {
    value: 'development',
    label: 'Development',
    words: 'Being built: only people of your account can allow it. It receives no events.',
  },
  {
    value: 'private',
    label: 'Private',
    words: 'Finished, for your account alone. It receives no events.',
  },
  {
    value: 'public',
    label: 'Public',
    words:
      'Anyone can allow it with the production credentials; development stays with your account. It receives events.',
  },
]

/** What may be set on the overview of an app. */
export type AppValues = Pick<
  AppSettings,
  'name' | 'visibility' | 'level' | 'deviceFlow' | 'publicClient' | 'requireS256'
>

export interface AppPageData {
  app: ManagedApp
  /** What the form shows: what was typed, or what is. */
  values: AppValues
  issues: FieldIssues
  tokens: { settings: string; availability: string } & Record<AppEnvironment, string>
  /** A secret that was just made. */
  rotated?: (RotatedSecret & { environment: AppEnvironment }) | undefined
  note?: string | undefined
  viewer: Viewer
}

/** The overview of an app: credentials, settings, and whether it works at all. */
export function renderAppPage(data: AppPageData): string {
  const { app, values, issues, tokens, rotated, note, viewer } = data
  return renderPage(
    <AppPage app={app} tab="overview" title="Overview" viewer={viewer} note={note}>
      <section aria-labelledby="credentials">
        <h2 id="credentials">Credentials</h2>
        {rotated && (
          <p class="notice" role="status">
            <strong>Copy the new secret now: this page shows it once.</strong> The one that your
            servers had stays good until <Minute at={rotated.previousExpiresAt} />, so that your
            servers can change over one by one.
          </p>
        )}
        <div class="cards">
          {environments.map((environment) => (
            <Credentials
              key={environment}
              app={app}
              environment={environment}
              token={tokens[environment]}
              secret={rotated?.environment === environment ? rotated.secret : undefined}
            />
          ))}
        </div>
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        {!issues.disabled && <FormIssue issues={issues} />}
        <PostForm action={appPath(app.id)} token={tokens.settings} class="stack">
          <Settings app={app} values={values} issues={issues} />
          <p>
            <Submit>Save settings</Submit>
          </p>
        </PostForm>
      </section>
      <Availability app={app} token={tokens.availability} issue={issues.disabled} />
      <section aria-labelledby="facts">
        <h2 id="facts">About this app</h2>
        <dl class="facts">
          <dt>App ID</dt>
          <dd class="mono">{app.id}</dd>
          <dt>Account ID</dt>
          <dd class="mono">{app.accountId}</dd>
          <dt>Type</dt>
          <dd>{typeNames[app.type]}</dd>
          <dt>Registered</dt>
          <dd>
            <Time at={app.createdAt} />
          </dd>
        </dl>
      </section>
    </AppPage>,
  )
}

interface CredentialsProps {
  app: ManagedApp
  environment: AppEnvironment
  token: string
  /** Where it was just made. */
  secret: string | undefined
}

function Credentials(props: CredentialsProps) {
  const { app, environment, token, secret } = props
  const name = environmentNames[environment]
  return (
    <section class="card" aria-labelledby={environment}>
      <h3 id={environment}>{name}</h3>
      <dl class="credentials">
        <ShownSecret label="Client ID" value={app[environment].clientId} />
        {secret === undefined ? (
          <div>
            <dt>Client secret</dt>
            <dd>
              <span aria-hidden="true">••••••••••••</span> <span class="hint">not shown again</span>
            </dd>
          </div>
        ) : (
          <ShownSecret label="New client secret" value={secret} />
        )}
      </dl>
      <RotateForm
        action={appPath(app.id, '/rotate')}
        token={token}
        values={{ environment }}
        label={
          <>
            Rotate secret<span class="hidden"> of {name}</span>
          </>
        }
      />
    </section>
  )
}

function Settings({ app, values, issues }: Pick<AppPageData, 'app' | 'values' | 'issues'>) {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        value={values.name}
        issue={issues.name}
        required
        maxLength={100}
      />
      <ChoiceField
        name="visibility"
        label="Visibility"
        value={values.visibility}
        issue={issues.visibility}
        options={visibilities}
      />
      {app.type === 'general' && (
        <>
          <ChoiceField
            name="level"
            label="Level"
            value={values.level}
            issue={issues.level}
            options={levels}
          />
          <fieldset class="field">
            <legend>Clients</legend>
            <Tick
              type="checkbox"
              name="device_flow"
              value="on"
              label="Use on devices"
              words="People can connect devices without a browser by a code."
              checked={values.deviceFlow}
            />
            <Tick
              type="checkbox"
              name="public_client"
              value="on"
              label="Public client"
              words="A mobile, desktop or browser app that can keep no secret. It must use PKCE with S256."
              checked={values.publicClient}
            />
            <Tick
              type="checkbox"
              name="require_s256"
              value="on"
              label="Require PKCE with S256"
              words="Authorization requests without an S256 challenge are refused."
              checked={values.requireS256}
            />
          </fieldset>
        </>
      )}
    </>
  )
}

interface AvailabilityProps {
  app: ManagedApp
  token: string
  issue: string | undefined
}

function Availability({ app, token, issue }: AvailabilityProps) {
  const isOff = app.disabledAt !== null
  const isHeld = isOff && app.disabledBy === null
  return (
    <section class="card" aria-labelledby="availability">
      <h2 id="availability">{isOff ? 'This app is disabled' : 'Disable this app'}</h2>
      {issue && <Refusal>{issue}</Refusal>}
      <p>
        {isOff ? 'Nobody' : 'While it is disabled nobody'} can allow it, and its tokens are refused
        (error 4717).{' '}
        {isHeld
          ? 'The operator has disabled it, and alone can enable it.'
          : isOff
            ? 'Once it is enabled, all goes on as before.'
            : 'You can enable it again.'}
      </p>
      {!isHeld && (
        <PostForm
          action={appPath(app.id, '/availability')}
          token={token}
          values={{ disabled: isOff ? 'no' : 'yes' }}
        >
          <button class={isOff ? 'button' : 'button plain danger'} type="submit">
            {isOff ? 'Enable' : 'Disable'}
          </button>
        </PostForm>
      )}
    </section>
  )
}
