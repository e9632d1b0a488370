/** What one look at the database came to. */
export interface Looked {
  readonly name: string
  /** `skipped` where there was nothing to look at, or an earlier finding made it pointless. */
  readonly state: 'fine' | 'wrong' | 'skipped'
  /** A sentence without its full stop. */
  readonly says: string
  /** What to do about it. */
  readonly remedy?: string
}

/** What is found by a look. */
export type Outcome = Omit<Looked, 'name'>

export const fine = (says: string): Outcome => ({ state: 'fine', says })
export const skipped = (says: string): Outcome => ({ state: 'skipped', says })
export const wrong = (says: string, remedy: string): Outcome => ({ state: 'wrong', says, remedy })

/** The first few of several, and that there are more. */
export const some = (items: readonly string[], count = items.length): string =>
  `${items.slice(0, shown).join(', ')}${count > shown ? ', …' : ''}`

/** How many of several are told. */
export const shown = 5
