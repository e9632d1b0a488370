import { deleteManagedApp, type ManagedApp, updateApp } from '../../oauth/apps/apps.ts'
import { type AppEnvironment, environments } from '../../oauth/apps/settings.ts'
import { askToConfirm, type Confirmation, needsConfirmation } from '../account/form.tsx'
import { redirect, show } from '../account/page.ts'
import { Action, Label } from '../ui/account.tsx'
import {
  describeFields,
  type FieldIssues,
  FormIssue,
  PostForm,
  Refusal,
  Submit,
  trySaving,
} from '../ui/fields.tsx'
import { readChoice } from '../ui/form.ts'
import { capitalize, Facts, Section, Time } from '../ui/parts.tsx'
import { type AppExchange, AppPage, appPath, managed, NoScopes, readEnvironment } from './app.tsx'
import { QuickStart } from './quick-start.tsx'
import { Credential, RotateForm, rotate } from './secret.tsx'
import { type Changes, readChanges, Settings } from './settings.tsx'

const notes = {
  saved: 'Settings saved.',
  copied: 'The secrets are no longer shown.',
  disabled: 'The app is disabled.',
  enabled: 'The app is enabled.',
}

const path = '/console/apps/:id'

export const overviewPages = {
  [path]: {
    get: managed(async (exchange) => show(overview(exchange, {}))),
    post: managed(async (exchange) => {
      const { ctx, manager, app, form } = exchange
      const changes = readChanges(form, app)
      const save = () => updateApp(ctx, manager, app.id, changes)
      const { issues } = await trySaving(save, fieldOfSetting)
      if (issues) return show(overview(exchange, { changes, issues }), 400)
      return redirect(`${appPath(app.id)}?done=saved`)
    }),
  },
  [`${path}/rotate`]: {
    post: managed(async (exchange) => {
      return rotate(exchange, readEnvironment(exchange.form.one('environment')))
    }),
  },
  [`${path}/delete`]: {
    post: managed(async (exchange) => {
      const { ctx, manager, app, form } = exchange
      const typed = deletion.read(form)
      if (spaced(typed.confirmation) !== spaced(app.name)) {
        const issues = { confirmation: 'This is not the name of the app.' }
        return show(overview(exchange, { issues }), 400)
      }
      const { issues } = await trySaving(
        () => deleteManagedApp(ctx, manager, app.id),
        () => ({ field: 'confirmation' }),
      )
      return issues ? show(overview(exchange, { issues }), 400) : redirect('/console?done=deleted')
    }),
  },
  [`${path}/availability`]: {
    post: managed(async (exchange) => {
      const { ctx, req, manager, app, form } = exchange
      if (needsConfirmation(form)) return askToConfirm(req, disablingOf(app))
      const disabled = readChoice(form.one('disabled'), 'disabled', ['yes', 'no']) === 'yes'
      const save = () => updateApp(ctx, manager, app.id, { disabled })
      const { issues } = await trySaving(save, () => ({ field: 'disabled' }))
      if (issues) return show(overview(exchange, { issues }), 400)
      return redirect(`${appPath(app.id)}?done=${disabled ? 'disabled' : 'enabled'}`)
    }),
  },
}

/** Browsers show every run of white space as one space. */
const spaced = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ')

const deletion = describeFields({ confirmation: { label: 'Name of the app' } })

const disablingOf = (app: ManagedApp): Confirmation => ({
  title: ['Disable ', <span dir="auto">{app.name}</span>, '?'],
  text: 'Until you enable it again, nobody can allow it and all its tokens are refused. People’s permissions are kept.',
  button: 'Disable',
  values: { disabled: 'yes' },
  back: appPath(app.id),
})

interface Shown {
  changes?: Changes
  issues?: FieldIssues
}

function overview(exchange: AppExchange, { changes = {}, issues = {} }: Shown) {
  const { app } = exchange
  return (
    <AppPage app={app} tab="Overview" notes={notes}>
      <NoScopes app={app} />
      <QuickStart exchange={exchange} />
      <Section id="credentials" title="Credentials">
        <div class="cards">
          {environments.map((environment) => (
            <Credentials app={app} environment={environment} />
          ))}
        </div>
      </Section>
      <Section id="settings" title="Settings">
        {!issues.disabled && !issues.confirmation && <FormIssue issues={issues} />}
        <PostForm action={appPath(app.id)} class="stack" submit="Save settings">
          <Settings app={app} changes={changes} issues={issues} />
        </PostForm>
      </Section>
      <Availability exchange={exchange} issue={issues.disabled} />
      <Section id="delete" title="Delete this app" class="card">
        <p>
          {app.type === 'general' &&
            'Everyone loses access, and its endpoint gets an event for each person. '}
          Its tokens and credentials end at once. This cannot be undone.
        </p>
        <PostForm action={appPath(app.id, '/delete')} class="stack">
          {deletion.show({ confirmation: '' }, issues)('confirmation', {
            hint: `To confirm, type ${app.name}`,
          })}
          <Submit look="plain danger">Delete</Submit>
        </PostForm>
      </Section>
      <Section id="facts" title="About this app">
        <Facts
          facts={[
            ['App ID', <span class="mono">{app.id}</span>],
            ['Registered', <Time at={app.createdAt} />],
          ]}
        />
      </Section>
    </AppPage>
  )
}

const Credentials = ({ app, environment }: { app: ManagedApp; environment: AppEnvironment }) => (
  <Section id={environment} title={capitalize(environment)} level={3} class="card">
    <dl class="credentials">
      <Credential label="Client ID" value={app[environment].clientId} />
      <div>
        <dt>Client secret</dt>
        <dd>
          <span aria-hidden="true">••••••••••••</span> <span class="hint">not shown again</span>
        </dd>
      </div>
    </dl>
    <RotateForm
      action={appPath(app.id, '/rotate')}
      values={{ environment }}
      label={<Label of={`of ${capitalize(environment)}`}>Rotate secret</Label>}
    />
  </Section>
)

/** Scopes that the app's level does not allow are shown at the level. */
function fieldOfSetting([top]: readonly string[]) {
  if (top === undefined || top === 'name') return { field: 'name' }
  return { field: top === 'development' || top === 'production' ? 'level' : top }
}

/** Who disabled an app, relative to this manager, and what to do if they cannot enable it. */
function disablerOf({ app: { disabledBy }, manager }: AppExchange): [who: string, remedy?: string] {
  if (disabledBy === null) {
    return ['The platform has', 'Only the platform can enable it again. Contact its support.']
  }
  if (disabledBy === manager.who.id) return ['You have']
  if (manager.managesAllApps) return ['Your account has']
  return ['An admin of your account has', 'Ask an admin to enable it again.']
}

function Availability({ exchange, issue }: { exchange: AppExchange; issue: string | undefined }) {
  const { app } = exchange
  const [who, remedy] = disablerOf(exchange)
  const isOn = app.disabledAt === null
  const refused = 'nobody can allow it, and its tokens are refused (error 4717).'
  return (
    <Section
      id="availability"
      title={isOn ? 'Disable this app' : `${who} disabled this app`}
      class="card"
    >
      {issue && <Refusal>{issue}</Refusal>}
      <p>
        {isOn
          ? `While it is disabled, ${refused} You can enable it again at any time.`
          : `${capitalize(refused)} ${remedy ?? 'Once you enable it, everything works as before.'}`}
      </p>
      {(isOn || !remedy) && (
        <Action
          action={appPath(app.id, '/availability')}
          values={{ disabled: isOn ? 'yes' : 'no' }}
          look={isOn ? 'plain danger' : undefined}
          confirms={isOn}
        >
          {isOn ? 'Disable' : 'Enable'}
        </Action>
      )}
    </Section>
  )
}
