import { type ManagedApp, updateApp } from '../../apps/apps.ts'
import type { Developer } from '../../apps/developer.ts'
import { type RotatedSecret, rotateClientSecret } from '../../apps/secrets.ts'
import { type AppEnvironment, environments } from '../../apps/settings.ts'
import { askToConfirm, type Confirmation, needsConfirmation } from '../account/confirmation.tsx'
import { readChoice } from '../account/form.ts'
import { type PageRoutes, redirect, show } from '../account/page.ts'
import { Action, Label, PostForm } from '../ui/account.tsx'
import { type FieldIssues, FormIssue, Refusal, Submit } from '../ui/fields.tsx'
import { capitalize, Minute, Time } from '../ui/format.tsx'
import { Facts, Section } from '../ui/parts.tsx'
import { readEnvironment, trySaving } from './issues.ts'
import { type AppExchange, AppPage, appPath, managed, ShownSecret } from './layout.tsx'
import { endPreviousChoice, RotateForm, readEndPrevious } from './rotation.tsx'
import { type Changes, readChanges, Settings } from './settings.tsx'

const notes = {
  saved: 'Settings saved.',
  disabled: 'The app is disabled.',
  enabled: 'The app is enabled.',
}

const path = '/console/apps/:id'

export const overviewPages: PageRoutes = {
  [path]: {
    get: managed(async (exchange) => show(overview(exchange, {}))),
    post: managed(async (exchange) => {
      const { ctx, developer, app, form } = exchange
      const changes = readChanges(form, app)
      const save = () => updateApp(ctx, developer, app.id, changes)
      const { issues } = await trySaving(save, fieldOfSetting)
      if (issues) return show(overview(exchange, { changes, issues }), 400)
      return redirect(`${appPath(app.id)}?done=saved`)
    }),
  },
  [`${path}/rotate`]: {
    post: managed(async (exchange) => {
      const { ctx, req, developer, app, form } = exchange
      const environment = readEnvironment(form.one('environment'))
      if (needsConfirmation(form)) return askToConfirm(req, rotationOf(app, environment))
      const endPrevious = readEndPrevious(form)
      const rotated = await rotateClientSecret(ctx, developer, app.id, environment, endPrevious)
      return show(overview(exchange, { rotated: { environment, endPrevious, ...rotated } }))
    }),
  },
  [`${path}/availability`]: {
    post: managed(async (exchange) => {
      const { ctx, req, developer, app, form } = exchange
      if (needsConfirmation(form)) return askToConfirm(req, disablingOf(app))
      const disabled = readChoice(form, 'disabled', ['yes', 'no']) === 'yes'
      const save = () => updateApp(ctx, developer, app.id, { disabled })
      const { issues } = await trySaving(save, () => ({ field: 'disabled' }))
      if (issues) return show(overview(exchange, { issues }), 400)
      return redirect(`${appPath(app.id)}?done=${disabled ? 'disabled' : 'enabled'}`)
    }),
  },
}

const rotationOf = (app: ManagedApp, environment: AppEnvironment): Confirmation => ({
  title: `Rotate the ${environment} secret?`,
  text: (
    <>
      <span dir="auto">{app.name}</span> gets a new client secret. Unless you end it now, the
      previous secret works for 24 hours, so that your servers can change over one by one.
    </>
  ),
  button: rotateLabel(environment),
  values: { environment },
  choices: endPreviousChoice,
  back: appPath(app.id),
})

const rotateLabel = (environment: AppEnvironment) => (
  <Label of={`of ${capitalize(environment)}`}>Rotate secret</Label>
)

function disablingOf(app: ManagedApp): Confirmation {
  const name = <span dir="auto">{app.name}</span>
  return {
    title: <>Disable {name}?</>,
    text: 'Until you enable it again, nobody can allow it and all its tokens are refused. People’s permissions are kept.',
    button: 'Disable',
    values: { disabled: 'yes' },
    back: appPath(app.id),
  }
}

interface Shown {
  changes?: Changes
  issues?: FieldIssues
  rotated?: RotatedSecret & { environment: AppEnvironment; endPrevious: boolean }
}

function overview(exchange: AppExchange, { changes = {}, issues = {}, rotated }: Shown) {
  const { app } = exchange
  return (
    <AppPage app={app} tab="Overview" notes={notes}>
      <Section id="credentials" title="Credentials">
        {rotated && (
          <p class="notice" role="status">
            <strong>Copy the new secret now. It is shown only once.</strong>{' '}
            {rotated.endPrevious ? (
              'The previous secret no longer works.'
            ) : (
              <>
                The previous secret works until <Minute at={rotated.previousExpiresAt} />, so that
                your servers can change over one by one.
              </>
            )}
          </p>
        )}
        <div class="cards">
          {environments.map((environment) => (
            <Credentials
              app={app}
              environment={environment}
              secret={rotated?.environment === environment ? rotated.secret : undefined}
            />
          ))}
        </div>
      </Section>
      <Section id="settings" title="Settings">
        {!issues.disabled && <FormIssue issues={issues} />}
        <PostForm action={appPath(app.id)} class="stack">
          <Settings app={app} changes={changes} issues={issues} />
          <p>
            <Submit>Save settings</Submit>
          </p>
        </PostForm>
      </Section>
      <Availability exchange={exchange} issue={issues.disabled} />
      <Section id="facts" title="About this app">
        <Facts
          facts={[
            ['App ID', <span class="mono">{app.id}</span>],
            ['Account ID', <span class="mono">{app.accountId}</span>],
            ['Type', capitalize(app.type)],
            ['Registered', <Time at={app.createdAt} />],
          ]}
        />
      </Section>
    </AppPage>
  )
}

interface CredentialsProps {
  app: ManagedApp
  environment: AppEnvironment
  secret: string | undefined
}

const Credentials = ({ app, environment, secret }: CredentialsProps) => (
  <Section id={environment} title={capitalize(environment)} level={3} class="card">
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
      values={{ environment }}
      label={rotateLabel(environment)}
    />
  </Section>
)

/** Scopes that the app's level does not allow are shown at the level. */
function fieldOfSetting([top]: readonly string[]) {
  if (top === undefined || top === 'name') return { field: 'name' }
  return { field: top === 'development' || top === 'production' ? 'level' : top }
}

/** Says who disabled an app, relative to this developer; undefined if the app is enabled. */
function disablerOf({ disabledAt, disabledBy }: ManagedApp, { managesAllApps, who }: Developer) {
  if (disabledAt === null) return undefined
  if (disabledBy === null) return 'platform'
  if (disabledBy === who.id) return 'self'
  return managesAllApps ? 'member' : 'admin'
}

const remedy = 'Once you enable it, everything works as before.'

const disabled = {
  platform: {
    title: 'The platform has disabled this app',
    remedy: 'Only the platform can enable it again. Contact its support.',
  },
  self: { title: 'You have disabled this app', remedy },
  member: { title: 'Your account has disabled this app', remedy },
  admin: {
    title: 'An admin of your account has disabled this app',
    remedy: 'Ask an admin to enable it again.',
  },
}

function Availability({ exchange, issue }: { exchange: AppExchange; issue: string | undefined }) {
  const { app, developer } = exchange
  const by = disablerOf(app, developer)
  const refused = 'nobody can allow it, and its tokens are refused (error 4717).'
  const change = by ? 'no' : 'yes'
  return (
    <Section id="availability" title={by ? disabled[by].title : 'Disable this app'} class="card">
      {issue && <Refusal>{issue}</Refusal>}
      <p>
        {by
          ? `${capitalize(refused)} ${disabled[by].remedy}`
          : `While it is disabled, ${refused} You can enable it again at any time.`}
      </p>
      {by !== 'platform' && by !== 'admin' && (
        <Action
          action={appPath(app.id, '/availability')}
          values={{ disabled: change }}
          look={by ? undefined : 'plain danger'}
          confirms={!by}
        >
          {by ? 'Enable' : 'Disable'}
        </Action>
      )}
    </Section>
  )
}
