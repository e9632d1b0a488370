import { findSecrets } from '@skillpass/contract'
import { type LintField, type Report, rulesOf } from './report/types.ts'

export const secretRules = rulesOf('notice', {
  secret: 'Everyone can read a published skill: revoke the secret and name a variable instead.',
})

/** Reports what looks like a live secret. A message shows its first four characters and no more. */
export function checkSecrets(text: string, field: LintField, report: Report): void {
  for (const { index, kind, secret } of findSecrets(text)) {
    const message = () => `looks like ${kind}: ${masked(secret)}`
    report('secret', field, message, field === 'readme' ? index : undefined)
  }
}

function masked(secret: string): string {
  return `${secret.slice(0, 4)}${'*'.repeat(8)}`
}
