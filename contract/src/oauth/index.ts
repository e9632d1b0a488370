import { c } from '../router.ts'
import { authorizeContract } from './authorize.ts'
import { deviceContract } from './device.ts'
import { introspectContract } from './introspect.ts'
import { metadataContract } from './metadata.ts'
import { registerContract } from './register.ts'
import { revokeContract } from './revoke.ts'
import { tokenContract } from './token.ts'

export const oauthContract = c.router({
  authorize: authorizeContract,
  token: tokenContract,
  device: deviceContract,
  revoke: revokeContract,
  introspect: introspectContract,
  register: registerContract,
  metadata: metadataContract,
})
