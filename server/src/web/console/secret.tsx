import type { ComponentChildren } from 'preact'
import { rotateClientSecret, rotateSecretToken } from '../../oauth/apps/secrets.ts'
import { askToConfirm, needsConfirmation } from '../account/form.tsx'
import { redirect, type SignedIn, show } from '../account/page.ts'
import { forgetSecrets, keepSecrets, readSecrets } from '../account/shown-once.ts'
import { confirmFirst } from '../ui/account.tsx'
import { describeFields, Notice, PostForm, type PostFormProps, Submit } from '../ui/fields.tsx'
import { capitalize, Minute, Section } from '../ui/parts.tsx'
import { type AppExchange, appPath, ConsolePage, managed, NoScopes } from './app.tsx'
import { QuickStart } from './quick-start.tsx'

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

const secretsPath = (appId: string) => appPath(appId, '/secrets')

/** The secrets are bound to the session and the app. */
const placeOf = ({ ctx, req, res, session }: SignedIn, appId: string) => ({
  ...{ ctx, req, res, path: secretsPath(appId), row: `${session.key} ${appId}` },
})

/** Remembers secrets, beside those that were not copied yet, and goes to the page that shows them. */
export function showSecrets(exchange: SignedIn, appId: string, secrets: Secrets) {
  const place = placeOf(exchange, appId)
  keepSecrets(place, { ...readSecrets(place), ...secrets })
  return redirect(place.path)
}

export const secretsPages = {
  '/console/apps/:id/secrets': {
    get: managed(async (exchange) => {
      const shown = readSecrets<Secrets>(placeOf(exchange, exchange.app.id))
      return shown ? show(secretsPage(exchange, shown)) : redirect(appPath(exchange.app.id))
    }),
    post: managed(async (exchange) => {
      forgetSecrets(placeOf(exchange, exchange.app.id))
      return redirect(`${appPath(exchange.app.id)}?done=copied`)
    }),
  },
}

/** The only page that shows an app's secrets. */
function secretsPage(exchange: AppExchange, shown: Secrets & { until: number }) {
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
