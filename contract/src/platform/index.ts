import { initContract } from '@ts-rest/core'
import { chatContract } from './chat.ts'
import { contentAccessContract } from './content-access.ts'
import { meetingsContract } from './meetings.ts'
import { usersContract } from './users.ts'

const c = initContract()

/** People and meetings: the resource API without its apps. */
export const peopleContract = c.router({
  users: usersContract,
  meetings: meetingsContract,
  contentAccess: contentAccessContract,
  chat: chatContract,
})
