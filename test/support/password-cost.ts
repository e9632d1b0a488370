import { cost } from '@skillpass/server/platform/passwords'

const shipped = { ...cost }

/** A hundredth of the work for the passwords of the tests' users; a hash says what it was made with. */
export function lowerPasswordCost(N = 2 ** 10): void {
  Object.assign(cost, { N, p: 1 })
}

/** Passwords cost what they cost in production, until the file ends or somebody lowers it. */
export function raisePasswordCost(): void {
  Object.assign(cost, shipped)
}
