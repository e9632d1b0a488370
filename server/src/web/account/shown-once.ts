import type { Request, Response } from 'express'
import type { Context } from '../../runtime/context.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import { type Cookie, readCookie, setCookie } from './session.ts'

/** Holds new secrets until the person has copied them, so that the server stores none. */
const cookie: Cookie = {
  plain: 'skillpass_secrets',
  prefixed: '__Secure-skillpass-secrets',
  form: /^v1\.[\w.-]{1,4000}$/,
  /** How long new secrets can be seen again, ms. */
  lifetime: 3_600_000,
}

interface Place {
  readonly ctx: Context
  readonly req: Request
  readonly res: Response
  /** Path of the only page that shows the secrets. */
  readonly path: string
  /** Whose they are. */
  readonly row: string
}

/** Remembers secrets for a page, and returns when it no longer shows them, ms. */
export function keepSecrets({ ctx, res, path, row }: Place, secrets: object): void {
  const until = ctx.clock.now() + cookie.lifetime
  const text = JSON.stringify({ ...secrets, until })
  setCookie(ctx, res, cookie, ctx.encryption.seal('shown-secrets', row, text), path)
}

/** Returns the secrets to show and until when, ms, or undefined after that time. */
export function readSecrets<T extends object>({ ctx, req, row }: Place) {
  try {
    const sealed = readCookie(ctx, req, cookie) as Sealed
    const text = ctx.encryption.open('shown-secrets', row, sealed)
    const shown: T & { until: number } = JSON.parse(text)
    return shown.until > ctx.clock.now() ? shown : undefined
  } catch {
    return undefined
  }
}

export const forgetSecrets = ({ ctx, res, path }: Place): void =>
  setCookie(ctx, res, cookie, '', path)
