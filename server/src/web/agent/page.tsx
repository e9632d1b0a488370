import type { AppRoute } from '@ts-rest/core'
import type { JSX } from 'preact'
import { z } from 'zod'
import { fail } from '../../errors/failure.ts'
import type { CallRoute } from '../../http/serve.ts'
import { snakeName } from '../../text/case.ts'
import { askToConfirm, hiddenOf, needsConfirmation } from '../account/form.tsx'
import { type Answer, type Handler, type PageExchange, redirect, show } from '../account/page.ts'
import { returningTo } from '../account/return-to.ts'
import { forgetSecrets, keepSecrets, readSecrets } from '../account/shown-once.ts'
import { Credential } from '../console/secret.tsx'
import { AccountPage, confirmFirst, Label, Rows } from '../ui/account.tsx'
import {
  Done,
  describeFields,
  type FieldIssues,
  PostForm,
  Submit,
  trySaving,
} from '../ui/fields.tsx'
import type { Form } from '../ui/form.ts'
import { agentLinks, NavLinks } from '../ui/frame.tsx'
import { Facts, Minute, Section, Time } from '../ui/parts.tsx'
import { fieldsOf, nameOf, readFields } from './fields.ts'

/** What a route returns of a thing, such as an API key. */
export type Item = Readonly<Record<string, unknown>>

/** A form that sends to a route of the API what the person fills in. */
export interface Act {
  /** Label of the button, unique on its page. */
  readonly label: string
  readonly route: AppRoute
  /** Parameters of the path. */
  readonly of?: (item: Item) => Readonly<Record<string, string>>
  /** Fields of the body that need no input. */
  readonly body?: Item
  /** Asks with this text first, on a page that then has the fields. */
  readonly asks?: string
  readonly isDanger?: boolean
  readonly isFor?: (item: Item) => boolean
  /** Message afterwards. */
  readonly done: string
  /** Field of the response that the page shows until the person has copied it. */
  readonly once?: string
  /** Page to continue on. */
  readonly next?: string
}

/** A part of a page: a list with acts for each item, or else acts for the subject of the page. */
export interface Part {
  readonly title: string
  readonly list?: AppRoute
  readonly query?: (subject: Item) => object
  readonly name?: (item: Item) => string
  readonly link?: (item: Item) => string
  /** Fields to show. */
  readonly facts?: readonly string[]
  readonly acts: readonly Act[]
  readonly isFor?: (subject: Item) => boolean
}

/** A page of an agent. */
export interface AgentPage {
  /** The title, or a field of the subject. */
  readonly title: string
  /** Reads the subject. */
  readonly subject?: AppRoute
  readonly parts: readonly Part[]
}

const One = z.object({ data: z.record(z.string(), z.unknown()) })
const Many = z.object({ data: z.array(One.shape.data) })

interface Refused {
  readonly act: Act
  readonly form: Form
  readonly issues: FieldIssues
}

/** Returns the inputs of a form: empty ones, those of an item to change, or what was refused. */
function inputsOf({ route, body }: Act, item: Item, refused?: Refused) {
  const specs = fieldsOf(route, body)
  const values = Object.entries(specs).map(([name, { options = {}, required }]) => {
    const initial = route.method === 'PATCH' ? item[name] : required && Object.keys(options)[0]
    return [name, String((refused ? refused.form.one(snakeName(name)) : initial) || '')]
  })
  const field = describeFields(specs).show(Object.fromEntries(values), refused?.issues)
  return Object.keys(specs).map((name) => field(name))
}

interface ActFormProps {
  act: Act
  item: Item
  /** Name of the item in a list. */
  of: string
  path: string
  refused: Refused | undefined
}

function ActForm({ act, item, of, path, refused }: ActFormProps) {
  const values = { act: act.label, ...(of && { of }), ...act.of?.(item) }
  const isRefused = Object.entries(values).every(([key, text]) => refused?.form.one(key) === text)
  const mine = isRefused ? refused : undefined
  const inputs = act.asks === undefined ? inputsOf(act, item, mine) : []
  const look = act.isDanger ? 'plain danger' : inputs.length === 0 ? 'plain' : undefined
  return (
    <PostForm
      action={path}
      values={values}
      issues={mine?.issues ?? {}}
      class={inputs.length > 0 ? 'stack' : ''}
    >
      {inputs}
      <Submit look={look} {...(act.asks !== undefined && confirmFirst)}>
        {of ? <Label of={of}>{act.label}</Label> : act.label}
      </Submit>
    </PostForm>
  )
}

/** Shows a value of a response: a time, a text, or the values in it. */
function Value({ of, name = '' }: { of: unknown; name?: string }): JSX.Element {
  if (typeof of === 'object') {
    const parts = Object.entries(of ?? {}).filter(([, value]) => value)
    return (
      <>{parts.map(([name, value], at) => [at > 0 && ' · ', <Value of={value} name={name} />])}</>
    )
  }
  const text = of === true ? nameOf(name) : String(of)
  return /^\d{4}-\d\d-\d\dT/.test(text) ? <Time at={text} /> : <bdi>{text}</bdi>
}

/** Returns the handlers of a page and of its forms. */
export function agentRoute(call: CallRoute, page: AgentPage): Record<'get' | 'post', Handler> {
  const acts = page.parts.flatMap((part) => part.acts)
  const notes = Object.fromEntries(acts.map(({ label, done }) => [label, done]))
  const placeOf = ({ ctx, req, res, visit }: PageExchange) => ({
    ...{ ctx, req, res, path: req.path, row: `${visit.agent?.keyId} ${req.path}` },
  })

  async function view(exchange: PageExchange, refused?: Refused): Promise<JSX.Element> {
    const { path, params } = exchange.req
    const read = (route: AppRoute, query?: object) => call(route, exchange, { params, query })
    const subject = page.subject ? One.parse(await read(page.subject)).data : {}
    const secrets = readSecrets<Record<'label' | 'text', string>>(placeOf(exchange))
    const title = String(subject[page.title] ?? page.title)
    const forms = ({ acts }: Part, item: Item, of: string) =>
      acts
        .filter(({ isFor }) => isFor?.(item) !== false)
        .map((act) => <ActForm {...{ act, item, of, path, refused }} />)
    const shown = page.parts.map(async (part, at) => {
      const { list, query, name = () => '', link, facts = [], isFor } = part
      if (isFor?.(subject) === false) return null
      const items = list && Many.parse(await read(list, query?.(subject))).data
      return (
        <Section id={`part-${at}`} title={part.title}>
          {items ? (
            <Rows none="None.">
              {items.map((item) => (
                <li class="row-head">
                  <div>
                    <h3 dir="auto">{link ? <a href={link(item)}>{name(item)}</a> : name(item)}</h3>
                    <Facts
                      facts={facts.map((fact) => [
                        nameOf(fact),
                        item[fact] != null && <Value of={item[fact]} />,
                      ])}
                    />
                  </div>
                  <div class="choices">{forms(part, item, name(item))}</div>
                </li>
              ))}
            </Rows>
          ) : (
            forms(part, subject, '')
          )}
        </Section>
      )
    })
    return (
      <AccountPage title={title} class="console stack">
        <header>
          <h1 dir="auto">{title}</h1>
          <div class="tabs">
            <NavLinks label="Agent" links={agentLinks} />
          </div>
        </header>
        <Done notes={notes} />
        {secrets && (
          <div class="card">
            <p>
              <strong>Copy it now.</strong> This page shows it until you press the button, at the
              latest until <Minute at={secrets.until} />. Nobody can read it afterwards.
            </p>
            <dl class="credentials">
              <Credential label={secrets.label} value={secrets.text} />
            </dl>
            <PostForm action={path} submit="I have copied it">
              {null}
            </PostForm>
          </div>
        )}
        {await Promise.all(shown)}
      </AccountPage>
    )
  }

  async function submit(exchange: PageExchange): Promise<Answer> {
    const { req, form } = exchange
    const act = acts.find(({ label }) => label === form.one('act'))
    if (!act) {
      forgetSecrets(placeOf(exchange))
      return redirect(req.path)
    }
    const ask = (refused?: Refused) =>
      askToConfirm(req, {
        ...{ title: `${act.label} ${form.one('of')}?`, text: act.asks, button: act.label },
        ...{ values: hiddenOf(form), choices: inputsOf(act, {}, refused), back: req.path },
        issues: refused?.issues,
      })
    if (needsConfirmation(form)) return ask()
    const specs = fieldsOf(act.route, act.body)
    const { body, query } = readFields(act.route, specs, form)
    const sent = {
      params: { ...hiddenOf(form), ...req.params },
      query,
      body: body && { ...act.body, ...body },
    }
    const saved = await trySaving(
      () => call(act.route, exchange, sent),
      ([name = '']) => (name in specs ? { field: snakeName(name) } : undefined),
    )
    if (saved.issues) {
      const refused = { act, form, issues: saved.issues }
      const page = act.asks === undefined ? await view(exchange, refused) : ask(refused).page
      return show(page, saved.refusal.status)
    }
    const { data: { [act.once ?? '']: text } = {} } = One.partial().parse(saved.made ?? {})
    if (typeof text === 'string') keepSecrets(placeOf(exchange), { label: act.label, text })
    return redirect(act.next ?? `${req.path}?${new URLSearchParams({ done: act.label })}`)
  }

  const asAgent =
    (handle: Handler): Handler =>
    async (exchange) => {
      const { req, visit } = exchange
      if (visit.agent) return handle(exchange)
      if (req.method !== 'POST') return redirect(returningTo('/agents/me/sign-in', req.originalUrl))
      return fail(403, 'You have been signed out. Open the page again to sign in.')
    }
  return { get: asAgent(async (exchange) => show(await view(exchange))), post: asAgent(submit) }
}
