import type { AppRoute } from '@ts-rest/core'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import type { KeyHolder } from '../../agents/browsers.ts'
import { fail } from '../../errors/failure.ts'
import type { CallRoute, Sent, SuccessOf } from '../../http/serve.ts'
import { snakeName } from '../../text/case.ts'
import { askToConfirm, hiddenOf, needsConfirmation } from '../account/form.tsx'
import { type Answer, type Handler, type PageExchange, redirect, show } from '../account/page.ts'
import { returningTo } from '../account/return-to.ts'
import { forgetSecrets, keepSecrets, readSecrets } from '../account/shown-once.ts'
import { AccountPage, confirmFirst, Label } from '../ui/account.tsx'
import {
  Done,
  describeFields,
  type FieldIssues,
  type FieldSpecs,
  PostForm,
  Submit,
  trySaving,
  type ValuesOf,
} from '../ui/fields.tsx'
import type { Form } from '../ui/form.ts'
import { agentLinks, NavLinks } from '../ui/frame.tsx'
import { Minute } from '../ui/parts.tsx'

/** A request for a page of an agent. */
export interface AgentExchange extends PageExchange {
  readonly agent: KeyHolder
  /** Does what a route of the API does, after its checks of the agent's key. */
  readonly call: <R extends AppRoute>(route: R, sent?: Sent) => Promise<SuccessOf<R>>
}

interface Labels {
  /** Label of the button. */
  readonly label: string
  readonly isDanger?: boolean
  /** Asks first, on a page that then has the fields. */
  readonly asks?: (form: Form) => { title: ComponentChildren; text: ComponentChildren }
  /** Message afterwards. */
  readonly done: string
}

interface ActParts<F extends FieldSpecs> extends Labels {
  readonly fields?: F
  readonly initial?: Partial<ValuesOf<F>>
  /** May return the path of a page to continue on. */
  readonly send: (exchange: AgentExchange, values: ValuesOf<F>) => Promise<unknown>
}

/** What a button of a page does: mostly what one route of the API does. */
interface Act extends Labels {
  readonly names: readonly string[]
  inputs(form?: Form, issues?: FieldIssues): JSX.Element[]
  send(exchange: AgentExchange): Promise<unknown>
}

type Acts = Readonly<Record<string, Act>>

/** A page of an agent. */
export interface AgentPage {
  readonly acts: Acts
  readonly view: (exchange: AgentExchange) => Promise<JSX.Element>
}

export function act<F extends FieldSpecs = Record<never, never>>(parts: ActParts<F>): Act {
  const { fields, initial = {}, send, ...labels } = parts
  const { read, show } = describeFields(fields ?? ({} as F))
  const names = Object.keys(fields ?? {})
  return {
    ...labels,
    names: names.map(snakeName),
    // A form that was refused keeps what was typed.
    inputs: (form, issues) => names.map((name) => show(form ? read(form) : initial, issues)(name)),
    send: (exchange) => send(exchange, read(exchange.form)),
  }
}

interface Shown {
  readonly path: string
  readonly acts: Acts
  readonly failed?: { readonly form: Form; readonly issues: FieldIssues }
  readonly secrets: { until: number; text: string; label: string } | undefined
}

const ShownPage = createContext<Shown>({ path: '', acts: {}, secrets: undefined })

/** Wraps a handler that needs an agent, who signs in first otherwise. */
export const asAgent =
  (call: CallRoute, handle: (exchange: AgentExchange) => Promise<Answer>): Handler =>
  async (exchange) => {
    const { req, visit } = exchange
    if (visit.agent) {
      return handle({
        ...exchange,
        agent: visit.agent,
        call: (route, sent) => call(route, exchange, sent),
      })
    }
    if (req.method !== 'POST') return redirect(returningTo('/agents/me/sign-in', req.originalUrl))
    return fail(403, 'You have been signed out. Open the page again to sign in.')
  }

const secretsOf = ({ ctx, req, res, agent }: AgentExchange) => ({
  ...{ ctx, req, res, path: req.path, row: `${agent.keyId} ${req.path}` },
})

/** Remembers a secret that the page shows until the person has copied it. */
export const showOnce = (exchange: AgentExchange, label: string, text: string): void =>
  keepSecrets(secretsOf(exchange), { label, text })

const copied = act({
  label: 'I have copied it',
  done: 'It is no longer shown.',
  send: async (exchange) => forgetSecrets(secretsOf(exchange)),
})

/** Returns the handlers of a page and of its forms. */
export function agentRoute(call: CallRoute, { view, ...page }: AgentPage) {
  const acts: Acts = { ...page.acts, copied }
  const answer = async (exchange: AgentExchange, failed?: Shown['failed'], status?: number) => {
    const secrets = readSecrets<NonNullable<Shown['secrets']>>(secretsOf(exchange))
    const shown: Shown = { path: exchange.req.path, acts, secrets, ...(failed && { failed }) }
    const content = await view(exchange)
    return show(<ShownPage.Provider value={shown}>{content}</ShownPage.Provider>, status)
  }
  const post = async (exchange: AgentExchange) => {
    const { req, form } = exchange
    const name = form.one('act')
    const act = (Object.hasOwn(acts, name) && acts[name]) || fail(400, 'This form is unknown.')
    const asked = act.asks?.(form)
    const ask = (issues?: FieldIssues) =>
      asked && {
        ...askToConfirm(req, {
          ...{ ...asked, button: act.label, values: hiddenOf(form), back: req.path },
          choices: act.inputs(issues && form, issues),
          issues,
        }),
        status: issues ? 400 : 200,
      }
    if (needsConfirmation(form)) return ask() ?? fail(400, 'This form asks nothing.')
    const saved = await trySaving(
      () => act.send(exchange),
      ([first = '']) =>
        act.names.includes(snakeName(first)) ? { field: snakeName(first) } : undefined,
    )
    if (saved.issues) {
      return (
        ask(saved.issues) ?? answer(exchange, { form, issues: saved.issues }, saved.refusal.status)
      )
    }
    return redirect(typeof saved.made === 'string' ? saved.made : `${req.path}?done=${name}`)
  }
  return { get: asAgent(call, (exchange) => answer(exchange)), post: asAgent(call, post) }
}

interface ActFormProps {
  name: string
  /** Hidden fields. */
  values?: Readonly<Record<string, string>>
  /** What the act is about, for screen readers. */
  of?: ComponentChildren
  /** Label of the button, if it is another one. */
  children?: ComponentChildren
}

/** The form of an act. Shows why it was refused. */
export function ActForm({ name, values, of, children }: ActFormProps) {
  const { path, acts, failed } = useContext(ShownPage)
  const act = acts[name]
  if (!act) return null
  const hidden = { act: name, ...values }
  const isFailed =
    failed && Object.entries(hidden).every(([key, text]) => failed.form.one(key) === text)
  const { form, issues = {} } = isFailed ? failed : {}
  const isButton = act.asks || act.names.length === 0
  return (
    <PostForm action={path} values={hidden} issues={issues} class={isButton ? '' : 'stack'}>
      {!act.asks && act.inputs(form, issues)}
      <Submit
        look={act.isDanger ? 'plain danger' : isButton ? 'plain' : undefined}
        {...(act.asks && confirmFirst)}
      >
        {of ? <Label of={of}>{children ?? act.label}</Label> : (children ?? act.label)}
      </Submit>
    </PostForm>
  )
}

/** Frame of an agent's pages. */
export function AgentFrame({ title, children }: { title: string; children: ComponentChildren }) {
  const { acts, secrets } = useContext(ShownPage)
  return (
    <AccountPage title={title} class="console stack">
      <header>
        <h1 dir="auto">{title}</h1>
        <div class="tabs">
          <NavLinks label="Agent" links={agentLinks} />
        </div>
      </header>
      <Done
        notes={Object.fromEntries(Object.entries(acts).map(([name, { done }]) => [name, done]))}
      />
      {secrets && (
        <div class="card">
          <p>
            <strong>Copy it now.</strong> This page shows it until you press the button, at the
            latest until <Minute at={secrets.until} />. Nobody can read it afterwards.
          </p>
          <dl class="credentials">
            <dt>{secrets.label}</dt>
            <dd>
              <code class="secret">{secrets.text}</code>
            </dd>
          </dl>
          <ActForm name="copied" />
        </div>
      )}
      {children}
    </AccountPage>
  )
}
