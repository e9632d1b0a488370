import type { RegistryContext } from './discovery/context.ts'
import type { OAuthContext } from './oauth/context.ts'

/** What all services together work with. One per process; tests make their own. */
export interface AppContext extends RegistryContext, OAuthContext {}
