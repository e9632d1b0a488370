import type { ComponentChildren } from 'preact'
import { rotateClientSecret, rotateSecretToken } from '../../oauth/apps/secrets.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import { askToConfirm, needsConfirmation } from '../account/form.tsx'
import { redirect, type SignedIn, show } from '../account/page.ts'
import { type Cookie, readCookie, setCookie } from '../account/session.ts'
import { confirmFirst } from '../ui/account.tsx'
import { describeFields, Notice, PostForm, type PostFormProps, Submit } from '../ui/fields.tsx'
import { capitalize, Minute, Section } from '../ui/parts.tsx'
import { type AppExchange, appPath, ConsolePage, managed, NoScopes } from './app.tsx'
import { QuickStart } from './quick-start.tsx'

/** Holds new secrets until the person has copied them, so that the server stores none. */
const cookie: Cookie = {
  plain: 'skillpass_secrets',
  prefixed: '__Secure-skillpass-secrets',
  form: /^v1\.[\w.-]{1,4000}$/,
  /** How long new secrets can be seen again, ms. */
  lifetime: 3_600_000,
}

const labels = {
  development: 'Development client secret',
  production: 'Production client secret',
  token: 'Secret token of webhooks',
}

/** `previousEnd` is when the rotated secret expires, ms; null if it has expired. */
type Secrets = Partial<Record<keyof typeof labels, string>> & {
  isNew?: boolean
  previousEnd?: number | null
}

type Shown = Secrets & { until: number }

const secretsPath = (appId: string) => appPath(appId, '/secrets')

/** The secrets are bound to the session and the app. */
const rowOf = ({ session }: SignedIn, appId: string) => `${session.key} ${appId}`

/** Remembers secrets, beside those that were not copied yet, and goes to the page that shows them. */
export function showSecrets(exchange: SignedIn, appId: string, secrets: Secrets) {
  const { ctx, res } = exchange
  const until = ctx.clock.now() + cookie.lifetime
  const shown = { ...readSecrets(exchange, appId), ...secrets, until }
  const sealed = ctx.encryption.seal('shown-secrets', rowOf(exchange, appId), JSON.stringify(shown))
  setCookie(ctx, res, cookie, sealed, secretsPath(appId))
  return redirect(secretsPath(appId))
}

/** Returns undefined if there are no secrets, or an hour has passed. */
function readSecrets(exchange: SignedIn, appId: string) {
  const { ctx, req } = exchange
  try {
    const sealed = readCookie(ctx, req, cookie) as Sealed
    const text = ctx.encryption.open('shown-secrets', rowOf(exchange, appId), sealed)
    const shown: Shown = JSON.parse(text)
    return shown.until > ctx.clock.now() ? shown : undefined
  } catch {
    return undefined
  }
}

export const secretsPages = {
  '/console/apps/:id/secrets': {
    get: managed(async (exchange) => {
      const shown = readSecrets(exchange, exchange.app.id)
      return shown ? show(secretsPage(exchange, shown)) : redirect(appPath(exchange.app.id))
    }),
    post: managed(async ({ ctx, res, app }) => {
      setCookie(ctx, res, cookie, '', secretsPath(app.id))
      return redirect(`${appPath(app.id)}?done=copied`)
    }),
  },
}

/** The only page that shows an app's secrets. */
function secretsPage(exchange: AppExchange, shown: Shown) {
  const { app } = exchange
  const environment = shown.development || !shown.production ? 'development' : 'production'
  const name = <span dir="auto">{app.name}</span>
  return (
    <ConsolePage
      title={shown.isNew ? 'App registered' : 'New secret'}
      heading={<h1>{shown.isNew ? [name, ' is registered'] : ['New secret for ', name]}</h1>}
    >
      <Notice>
        <strong>Copy the secrets below.</strong> This page shows them until you press “I have copied
        them”, at the latest until <Minute at={shown.until} />. Nobody can read them afterwards; if
        you lose one, rotate it.
      </Notice>
      <NoScopes app={app} />
      {(shown.development || shown.production) && (
        <QuickStart exchange={exchange} environment={environment} secret={shown[environment]} />
      )}
      <Section id="secrets" title="Secrets" class="card">
        <dl class="credentials">
          {(['development', 'production', 'token'] as const).map((one) => {
            const secret = shown[one]
            if (!secret || (one === 'token' && app.type === 'server-to-server')) return null
            return (
              <>
                {one !== 'token' && (
                  <Credential label={`${capitalize(one)} client ID`} value={app[one].clientId} />
                )}
                <Credential label={labels[one]} value={secret} />
              </>
            )
          })}
        </dl>
        {shown.previousEnd !== undefined && (
          <p class="hint">
            The previous secret{' '}
            {shown.previousEnd
              ? ['works until ', <Minute at={shown.previousEnd} />]
              : 'no longer works'}
            .
          </p>
        )}
      </Section>
      <PostForm action={secretsPath(app.id)} submit="I have copied them">
        {null}
      </PostForm>
    </ConsolePage>
  )
}

/** A credential; a click selects it. */
export const Credential = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <code class="secret">{value}</code>
    </dd>
  </div>
)

type RotateFormProps = Pick<PostFormProps, 'action' | 'values'> & { label: ComponentChildren }

export const RotateForm = ({ label, ...form }: RotateFormProps) => (
  <PostForm {...form} class="rotate">
    <p class="hint">
      After a rotation, the previous secret works for 24 hours, or until you rotate again.
    </p>
    <Submit look="plain" {...confirmFirst}>
      {label}
    </Submit>
  </PostForm>
)

const rotation = describeFields({
  endPrevious: {
    label: 'End the previous secret now',
    description:
      'Choose this if the secret has leaked. Servers that still use it are refused immediately.',
  },
})

/** Handles a form that rotates a secret: asks to confirm, then shows the new secret. */
export async function rotate(exchange: AppExchange, one: keyof typeof labels) {
  const { ctx, req, manager, app, form } = exchange
  const isToken = one === 'token'
  if (needsConfirmation(form)) {
    return askToConfirm(req, {
      title: isToken ? 'Rotate the secret token?' : `Rotate the ${one} secret?`,
      text: [
        <span dir="auto">{app.name}</span>,
        ` gets a new ${isToken ? 'secret token' : 'client secret'}. Unless you end it now, the previous one works for 24 hours`,
        isToken
          ? '. During that time, events carry a signature by each token.'
          : ', so that your servers can change over one by one.',
      ],
      button: isToken ? 'Rotate secret token' : 'Rotate secret',
      values: isToken ? {} : { environment: one },
      choices: rotation.show({ endPrevious: false })('endPrevious'),
      back: appPath(app.id, isToken ? '/webhooks' : ''),
    })
  }
  const { endPrevious } = rotation.read(form)
  const { secret, previousExpiresAt } = isToken
    ? await rotateSecretToken(ctx, manager, app.id, endPrevious)
    : await rotateClientSecret(ctx, manager, app.id, one, endPrevious)
  const previousEnd = endPrevious ? null : previousExpiresAt
  return showSecrets(exchange, app.id, { [one]: secret, previousEnd })
}
