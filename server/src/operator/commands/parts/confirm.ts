import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { partOfLine, printError } from './print.ts'

/** `--yes`, which every command takes that cannot be taken back. */
export const yesOption = () => new Option('--yes', 'go on without a question')

/**
 * Asks on the terminal whether to go on, and ends the command where the answer is no. Without a terminal
 * it takes `--yes`: nobody could answer.
 */
export async function confirm(
  command: Command,
  question: string,
  { yes }: { yes?: boolean | undefined },
): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    command.error(`error: ${question} Add --yes to go on.`, { exitCode: 2, code: 'unconfirmed' })
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await prompt.question(`${partOfLine(question)} [y/N] `)
    if (/^y(es)?$/i.test(answer.trim())) return
  } finally {
    prompt.close()
  }
  printError('Nothing was changed.\n')
  process.exit(1)
}
