import { initContract } from '@ts-rest/core'
import { approvalsContract } from './approvals.ts'
import { appsContract } from './apps.ts'
import { chatContract } from './chat.ts'
import { contentAccessContract } from './content-access.ts'
import { deliveriesContract } from './deliveries.ts'
import { meetingsContract } from './meetings.ts'
import { usersContract } from './users.ts'

const c = initContract()

/** The meeting platform's resource API. */
export const platformContract = c.router({
  users: usersContract,
  meetings: meetingsContract,
  contentAccess: contentAccessContract,
  chat: chatContract,
  apps: appsContract,
  approvals: approvalsContract,
  deliveries: deliveriesContract,
})
