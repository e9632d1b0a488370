import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { didYouMean, Fault } from '@skillpass/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { z } from 'zod'
import { Failure, fail, invalidBody, isErrorName, neutralCodes } from '../../errors/failure.ts'
import { notesOf } from '../../http/call-log.ts'
import { findRoute } from '../../http/request.ts'
import { keyOf } from '../../http/route-keys.ts'
import { signalOf } from '../../runtime/request-signal.ts'
import type { Names } from './names.ts'
import { findNamedRoute, type NamedRoute } from './routes.ts'

type FaultOptions = z.output<typeof Fault>
type Ids = Pick<Names, 'appId' | 'userId'>
type WaitingFault = ReturnType<typeof readFault>

/** The faults that a test has ordered. Of those that match a request, it meets the oldest. */
export function createFaults(names: Ids) {
  const waiting = new Set<WaitingFault>()
  let cleared = new AbortController()

  function take(req: Request): WaitingFault | undefined {
    const seen = { method: req.method, path: req.originalUrl, route: keyOf(findRoute(req)) }
    const sender = notesOf(req)
    for (const fault of waiting) {
      const { route, appId = sender.appId, userId = sender.userId } = fault
      if (!route.matches(seen) || appId !== sender.appId || userId !== sender.userId) continue
      if (!isDrawn(fault)) continue
      fault.left--
      if (fault.left === 0) waiting.delete(fault)
      return fault
    }
    return undefined
  }

  const intercept: RequestHandler = async (req, res, next) => {
    const fault = take(req)
    if (!fault) return next()
    const { delay, hang, cut, body, failure } = fault
    const signal = AbortSignal.any([signalOf(req), cleared.signal])
    if (delay) await pause(delay, undefined, { signal }).catch(() => {})
    if (hang) return signal.addEventListener('abort', () => res.destroy())
    if (cut === 'before') return reset(res)
    if (cut === 'after') cutAtEnd(res)
    if (body) damageBody(req, res, body)
    if (!failure) return next()
    // The log shows the body also if no handler reads it.
    if (!req.complete) await once(req.resume(), 'end', { signal }).catch(() => {})
    const [setStatus, status] = [res.status, fault.status ?? failure.status]
    res.status = () => setStatus.call(res, status)
    next(failure)
  }

  return {
    intercept,
    /** Orders a fault for the next requests of a route. Throws VALIDATION_ERROR, NOT_FOUND. */
    next(routeName: string, input: z.input<typeof Fault> = {}): void {
      waiting.add(readFault(names, routeName, input))
    },
    /** Takes back all faults, and ends the requests that hang. */
    clear(): void {
      waiting.clear()
      cleared.abort()
      cleared = new AbortController()
    },
  }
}

function readFault(names: Ids, routeName: string, input: z.input<typeof Fault>) {
  const route = findNamedRoute(routeName)
  const { data, error } = Fault.safeParse(input)
  if (error) throw invalidBody(error.issues)
  const contradiction = contradictionIn(data, route)
  if (contradiction) fail('VALIDATION_ERROR', contradiction)
  const { app, user, chance, times = chance === undefined ? 1 : 'always' } = data
  return {
    ...data,
    route,
    failure: failureOf(route, data),
    appId: app && names.appId(app),
    userId: user && names.userId(user),
    /** How many requests still meet it, and how many draws its chance has had. */
    left: times === 'always' ? Number.POSITIVE_INFINITY : times,
    draws: 0,
  }
}

/** Draws whether a request meets a fault. The same seed gives the same series. */
function isDrawn(fault: WaitingFault): boolean {
  const { chance = 1, seed = 1 } = fault
  fault.draws++
  const digest = createHash('sha256').update(`${seed} ${fault.draws}`).digest()
  return digest.readUInt32BE() < chance * 2 ** 32
}

/** Returns why no request can meet a fault, if that is so. */
function contradictionIn(fault: FaultOptions, { name, auth }: NamedRoute): string | undefined {
  const { status, error, retryAfter, hang, cut, body, app, user } = fault
  const answer = status ?? error
  if (status && error) return 'status and error exclude each other.'
  if ([hang, cut, answer ?? body].filter(Boolean).length > 1) {
    return 'hang, cut and an answer exclude each other.'
  }
  if (retryAfter && !answer) return 'retryAfter needs a status or an error.'
  if (user && auth !== 'accessToken') return `${name} is not called for a user.`
  return app && !/client|accessToken/.test(auth) ? `${name} is not called by an app.` : undefined
}

/** Returns the error of the route's service that a fault names, if any. */
function failureOf(
  { name, errors }: NamedRoute,
  { status = 0, error, retryAfter }: FaultOptions,
): Failure | undefined {
  if (status === 0 && error === undefined) return undefined
  const named = Object.keys(errors).filter(isErrorName)
  const code =
    named.find((one) => one === error) ??
    neutralCodes.find((one) => one === status) ??
    named.find((one) => errors[one]?.status === status) ??
    (status < 500 ? 400 : 500)
  if (error !== undefined && error !== code) {
    const near = didYouMean(error, named)
    fail('VALIDATION_ERROR', `${name} has no error "${error}".${near}`)
  }
  const isTemporary = [429, 503].includes(errors[code]?.status ?? status)
  const seconds = retryAfter ?? (isTemporary ? 1 : undefined)
  return new Failure(code, { retryAfter: seconds, isShed: true })
}

const reset = (res: Response) => void res.socket?.resetAndDestroy()

/** Resets the connection instead of sending the response. */
function cutAtEnd(res: Response): void {
  res.write = () => true
  res.end = () => {
    reset(res)
    return res
  }
}

/** Sends half of the response's body and closes the connection, or sends text instead of JSON. */
function damageBody(req: Request, res: Response, damage: 'half' | 'text'): void {
  // Compressed, the body would have another length.
  req.headers['accept-encoding'] = 'identity'
  const { send } = res
  res.send = (body) => {
    // Express converts objects to text and sends that.
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) return send.call(res, body)
    if (damage === 'text') return send.call(res, 'not json')
    const bytes = Buffer.from(body)
    res.setHeader('Content-Length', bytes.length)
    res.write(bytes.subarray(0, bytes.length / 2), () => res.socket?.destroySoon())
    return res
  }
}
