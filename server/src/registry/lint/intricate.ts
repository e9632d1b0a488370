import { rulesOf } from './report/types.ts'

export const intricateRules = rulesOf('warning', {
  'too-intricate':
    'The text holds so many commands that they could not be checked. No skill needs a thousand; a long row of them can hide one.',
})

/** What the checks of commands begin at; their time grows with how often it stands. */
const beginning =
  /curl|wget|\b(?:nc|ncat|netcat)\s|\beval\b|\bexec\(|\biwr|\birm|invoke-|fetch|requests?\.|urlopen|axios|\.ssh|\.aws|id_rsa|\.env\b|=\s?["'`$(]{1,3}(?:curl|echo)/g

const most = 1500

/** Whether a text has more commands than the checks have time for. */
export function isTooIntricate(text: string): boolean {
  beginning.lastIndex = 0
  for (let count = 0; count < most; count += 1) if (!beginning.test(text)) return false
  return true
}
