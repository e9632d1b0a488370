import { oauthContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { ok } from '../../http/answers.ts'
import { clientAddress } from '../../limits/client-address.ts'
import type { OAuthContext } from '../context.ts'
import { requestDeviceCode } from '../device.ts'
import { clientOf } from './client-auth.ts'

/** `POST /oauth/devicecode`: codes for a device. */
export const deviceRoute = (ctx: OAuthContext) =>
  initServer().route(oauthContract.device, async ({ body, req, res }) =>
    ok(await requestDeviceCode(ctx, clientOf(res), body.scope, clientAddress(req))),
  )
