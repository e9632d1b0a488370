import { parseScopes } from '@skillpass/contract'
import { type AskedAccess, allOf } from '../../apps/approvals.ts'
import type { Form } from './form.ts'

/** For what the forms about an app's approval are good, and the form of the setting. */
export const approvalPurpose = (appId: string): string => `approval ${appId}`
export const purposeOf = (form: Form) => approvalPurpose(form.one('app'))
export const settingPurpose = 'require approval'

/** The fields of a form that approves an app: what the admin sees of it. */
export const seenFields = (asked: AskedAccess) => {
  const { name, scopes } = allOf(asked)
  return { name, scopes: scopes.join(' ') }
}

/** What the admin saw, as such a form sends it; nothing from one that approves no app. */
export const readSeen = (form: Form) =>
  form.one('name') === '' ? {} : { name: form.one('name'), scopes: parseScopes(form.one('scopes')) }
