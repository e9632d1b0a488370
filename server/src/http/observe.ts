import { registryErrors } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import type { Context } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import { parseJson } from '../text/parse-json.ts'
import { notesOf, secretForms } from './call-log.ts'
import { findRoute } from './request.ts'
import { keyOf } from './route-keys.ts'

/** Shows requests to an observer when they end. */
export const observeRequests =
  ({ clock }: Context, observe: NonNullable<Context['observe']>): RequestHandler =>
  (req, res, next) => {
    const sent: Uint8Array[] = []
    let answer = ''
    const [{ push }, { send }] = [req, res]
    req.push = (chunk, encoding) => {
      if (chunk) sent.push(chunk)
      return push.call(req, chunk, encoding)
    }
    res.send = (body) => {
      answer = String(body)
      return send.call(res, body)
    }
    const end = () => {
      res.off('prefinish', end).off('close', end)
      const { appId = null, userId = null, scopes = [], error = null } = notesOf(req)
      observe({
        at: isoTime(clock.now()),
        method: req.method,
        path: withoutSecrets(req.originalUrl),
        route: keyOf(findRoute(req)),
        ...{ app: appId, user: userId, scopes: [...scopes], error },
        status: res.headersSent ? res.statusCode : null,
        body: read(Buffer.concat(sent).toString(), req.headers['content-type']),
        answer: read(answer, res.getHeader('Content-Type')),
      })
    }
    // A client that has read the response finds the request in the log.
    res.on('prefinish', end).on('close', end)
    next()
  }

/** Reads JSON or a form. Returns null for other types. */
function read(text: string, type: unknown): unknown {
  if (/\bjson\b/.test(String(type))) return redact(parseJson(text) ?? text)
  const isForm = /\bx-www-form-urlencoded\b/.test(String(type))
  return isForm ? redact(Object.fromEntries(new URLSearchParams(text))) : null
}

/** Names of fields and parameters that contain secrets. */
const name =
  '(?:\\w*(?:(?<!page_)token|secret|password|passcode|assertion|verifier|api_?key)|pwd|zak|csrf|(?:device_|user_)?code)'

const secretField = new RegExp(`^${name}$`, 'i')
const secretPart = new RegExp(`([?&]${name}=|"${name}"\\s*:\\s*")[^&#\\s"]+`, 'gi')

const withoutSecrets = (text: string): string =>
  text.replace(secretForms, '…').replace(secretPart, '$1…')

/** Replaces the secrets in a JSON value. */
const redact = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (field, one: unknown) => {
      if (typeof one !== 'string') return one
      // The registry's errors have a name as their code.
      return secretField.test(field) && !(one in registryErrors) ? '…' : withoutSecrets(one)
    }),
  )
