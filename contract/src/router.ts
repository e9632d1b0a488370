import { initContract } from '@ts-rest/core'

/** Builds the routes of the contract. */
export const c: ReturnType<typeof initContract> = initContract()
