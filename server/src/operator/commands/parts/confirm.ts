import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { escapeLine, printError } from './print.ts'

export const yesOption = () => new Option('--yes', 'do not ask for confirmation')

/**
 * Asks for confirmation on the terminal and exits with 1 if the answer is no. Without a terminal,
 * fails unless `option` is set (`yes`).
 */
export async function confirm(
  command: Command,
  question: string,
  { yes }: { yes?: boolean | undefined },
  option = '--yes',
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    command.error(`error: ${question} Add ${option} to confirm.`, {
      exitCode: 2,
      code: 'unconfirmed',
    })
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await prompt.question(`${escapeLine(question)} [y/N] `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    prompt.close()
  }
  printError('Nothing was changed.\n')
  process.exit(1)
}
