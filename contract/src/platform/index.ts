import { initContract } from '@ts-rest/core'
import { usersContract } from './users.ts'

const c = initContract()

/** The meeting platform's resource API. */
export const platformContract = c.router({ users: usersContract })
