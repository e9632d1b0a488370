import type { RegistryContext } from './discovery/context.ts'
import type { OAuthContext } from './oauth/context.ts'

/** Dependencies of all services. One per process; tests create their own. */
export interface AppContext extends RegistryContext, OAuthContext {}
