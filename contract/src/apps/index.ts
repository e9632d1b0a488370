import { initContract } from '@ts-rest/core'
import { approvalsContract } from './approvals.ts'
import { appsContract } from './apps.ts'
import { deliveriesContract } from './deliveries.ts'

const c = initContract()

/** The part of the resource API for those who develop apps, and for the admins who approve them. */
export const marketplaceContract = c.router({
  apps: appsContract,
  approvals: approvalsContract,
  deliveries: deliveriesContract,
})
