import { type AppManager, managerOf } from '../../oauth/apps/app-manager.ts'
import {
  findNamesake,
  type ManagedApp,
  type NewSettings,
  registerApp,
} from '../../oauth/apps/apps.ts'
import { readQuery, show, signedIn } from '../account/page.ts'
import { describeFields, type FieldIssues, PostForm, trySaving } from '../ui/fields.tsx'
import { readChoice } from '../ui/form.ts'
import { Section } from '../ui/parts.tsx'
import { appPath, ConsolePage, readLines } from './app.tsx'
import { fieldOfScope, readScopeChoices, ScopePicker, scopeRows } from './scope-picker.tsx'
import { showSecrets } from './secret.tsx'
import { level } from './settings.tsx'

const path = '/console/new'

export const registerPages = {
  [path]: {
    get: signedIn(async ({ req, session }) => {
      const manager = managerOf(session.user)
      const type = readQuery(req, 'type')
      if (type === '') return show(choicePage(manager))
      return show(newAppPage(readChoice(type, 'type', appTypes)))
    }),
    post: signedIn(async (exchange) => {
      const { ctx, session, form } = exchange
      const manager = managerOf(session.user)
      const type = readChoice(form.one('type'), 'type', appTypes)
      const typed = type === 'general' ? fields.read(form) : { ...empty, name: form.one('name') }
      const { name, level } = typed
      const { addresses, prefixOf } = readLines(typed.redirectUris)
      const scopes = readScopeChoices(scopeRows({ type, level }, none), form)
      const client = { ...scopes, redirectUris: type === 'general' ? addresses : [] }
      const registration: NewSettings = {
        name: name.trim(),
        type,
        level,
        visibility: 'development',
        ...(type === 'chatbot' ? {} : { development: client, production: client }),
      }
      const register = () => registerApp(ctx, manager, registration)
      const saved = await trySaving(register, ([top, ...below]) => {
        const [key, index] = below
        if (top === 'name' || top === undefined) return { field: 'name' }
        if (key === 'redirectUris') return { field: 'redirect_uris', prefix: prefixOf(index) }
        return index === undefined ? undefined : fieldOfScope(scopes, below)
      })
      if (!saved.issues) {
        const { app, development, production, secretToken } = saved.made
        return showSecrets(exchange, app.id, {
          isNew: true,
          development: development.clientSecret,
          production: production.clientSecret,
          token: secretToken,
        })
      }
      const kind = { type, level: 'account' } as const
      const rows = scopeRows(kind, readScopeChoices(scopeRows(kind, none), form))
      const namesake = await findNamesake(ctx, manager, registration.name)
      return show(newAppPage(type, typed, rows, saved.issues, namesake), 400)
    }),
  },
}

const none = { scopes: [], optionalScopes: [] }

const appTypes = ['server-to-server', 'general', 'chatbot'] as const

type AppType = (typeof appTypes)[number]

/** What one builds with each type of app, and the scopes to begin with. */
const kinds: Readonly<
  Record<AppType, { title: string; about: string; proposed: Parameters<typeof scopeRows>[1] }>
> = {
  'server-to-server': {
    title: 'A script or service that uses your own account',
    about: 'It runs without a person, for example every night. It asks nobody for access.',
    proposed: {
      scopes: ['user:read:user:admin', 'meeting:read:list_meetings:admin'],
      optionalScopes: [],
    },
  },
  general: {
    title: 'An app that people sign in to',
    about: 'Each person allows it in a browser or on a device, and it then acts for that person.',
    proposed: { scopes: ['user:read:user'], optionalScopes: ['meeting:read:list_meetings'] },
  },
  chatbot: {
    title: 'A chat bot',
    about: 'It sends messages to team chat as itself, and reads nothing else.',
    proposed: none,
  },
}

/** The first step: what one builds. Only admins can register server-to-server apps. */
const choicePage = ({ managesAllApps }: AppManager) => (
  <ConsolePage
    title="Register an app"
    heading={<h1>What do you want to build?</h1>}
    lede="This decides how the app gets access, and cannot be changed later."
  >
    <ul class="rows kinds">
      {appTypes.map((type) => {
        const isOpen = managesAllApps || type !== 'server-to-server'
        const { title, about } = kinds[type]
        return (
          <li>
            <h2>{isOpen ? <a href={`${path}?type=${type}`}>{title}</a> : title}</h2>
            <p>{about}</p>
            <p class="muted">
              {isOpen
                ? `Type: ${type}`
                : 'Only admins of your account can register server-to-server apps. Ask one of them.'}
            </p>
          </li>
        )
      })}
    </ul>
  </ConsolePage>
)

const fields = describeFields({
  name: { label: 'Name', required: true, maxLength: 100 },
  level,
  redirectUris: {
    label: 'Redirect addresses',
    rows: 3,
    placeholder: 'https://app.example/callback',
    hint: 'Where people return to after they allow or deny the app, one per line: https, or http on your own machine, such as http://127.0.0.1:8090/callback. You can add them later.',
  },
})

const empty: ReturnType<typeof fields.read> = { name: '', level: 'user', redirectUris: '' }

/** The second step: a form with the settings of this type of app. */
function newAppPage(
  type: AppType,
  values = empty,
  rows = scopeRows({ type, level: 'account' }, kinds[type].proposed),
  issues: FieldIssues = {},
  namesake?: ManagedApp,
) {
  const { title } = kinds[type]
  const field = fields.show(values, issues)
  const [isGeneral, isService] = [type === 'general', type === 'server-to-server']
  return (
    <ConsolePage
      title="Register an app"
      heading={<h1>Register an app</h1>}
      lede={`${title}.${isService ? '' : ' Only people in your account can use it until you change that.'}`}
    >
      <p>
        <a href={path}>Build something else</a>
      </p>
      {namesake && (
        <p class="notice">
          You already have an app named <span dir="auto">{namesake.name}</span>.{' '}
          <a href={appPath(namesake.id)}>Open it</a>, or choose another name.
        </p>
      )}
      <PostForm
        action={path}
        values={{ type }}
        class="register stack"
        issues={issues}
        submit="Register"
      >
        {field('name', {
          hint: isGeneral
            ? 'People see this name when they are asked to allow the app.'
            : 'It is shown in this console and in the audit log.',
        })}
        {isGeneral && field('level')}
        {isGeneral && field('redirectUris')}
        {type === 'chatbot' ? (
          <p class="hint">
            A chat bot has the scope <code>imchat:bot</code>.
          </p>
        ) : (
          <Section id="scopes" title="Scopes" class="field">
            <p class="hint">
              What the app may do. We chose some to begin with; keep only what the app needs. You
              can change them at any time.
              {isGeneral && ' People must allow required scopes and can decline optional ones.'}
            </p>
            <ScopePicker rows={rows} issues={issues} />
          </Section>
        )}
      </PostForm>
    </ConsolePage>
  )
}
