/** `unknown` while what may have changed it has no answer. */
export type Fate = 'alive' | 'ended' | 'unknown'

/** What a client knows of one grant. */
export interface GrantNotes {
  fate: Fate
  /** What it was made from, used up by it. */
  readonly from: { readonly kind: 'code' | 'device'; readonly secret: string }
  readonly access: string[]
  /** The refresh token that is good; nothing once a refresh has had no answer. */
  latest: string | undefined
  /** Its refresh tokens that were used. */
  readonly used: string[]
  /** A refresh token that was sent and got no answer, or 503: it may have been used. */
  unsure: string | undefined
}

/** What one client knows: an app, and the user whose data it asks for. */
export interface PairNotes {
  /** Place of the app and of the user in the fixture. */
  readonly app: number
  readonly user: number
  grants: GrantNotes[]
  /** Codes that a user's consent gave and nobody has exchanged. */
  codes: Map<string, Fate>
  /** Device codes that the user has allowed and no device has polled. */
  devices: Map<string, Fate>
  /** Tokens of the app that uses its own account. */
  accountTokens: Map<string, Fate>
  /** Whether the app may be removed; not once a snapshot says what it has. */
  isRemovable: boolean
}

export const noNotes = (app: number, user: number): PairNotes => ({
  app,
  user,
  grants: [],
  codes: new Map(),
  devices: new Map(),
  accountTokens: new Map(),
  isRemovable: true,
})

/** Copies notes, and lets their client leave alone from now on what the copy says is there. */
export function setAside(pair: PairNotes): PairNotes {
  const copy = structuredClone(pair)
  const { app, user } = pair
  Object.assign(pair, noNotes(app, user), { isRemovable: false })
  return copy
}

/** Those of the secrets that are alive for all that is known. */
export const aliveOf = (secrets: Map<string, Fate>): string[] =>
  [...secrets].filter(([, fate]) => fate === 'alive').map(([secret]) => secret)
