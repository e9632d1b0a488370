import { spawn } from 'node:child_process'
import { command, type Terminal } from '../command.ts'
import { locatedSkill } from './arguments.ts'

export const open = command({
  summary: 'Open the page of a skill in the browser.',
  usage: 'OWNER/REPO/SKILL|NAME',
  details:
    'Prints the address of the page, and opens it only from a terminal. BROWSER names the program to open it with.',
  options: {},
  arguments: [1, 1],
  async act({ args: [name = ''], terminal }) {
    const { page } = await locatedSkill(name, terminal)
    terminal.data(`${page}\n`)
    if (terminal.isScreen?.print) openPage(page, terminal)
  },
})

/** Starts the browser, without a shell. */
function openPage(page: string, terminal: Terminal) {
  const { platform } = process
  const own = platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer' : 'xdg-open'
  const [program = own, ...options] = terminal.env.BROWSER?.trim().split(/\s+/) ?? []
  const child = spawn(program, [...options, page], { detached: true, stdio: 'ignore' })
  child.once('error', () =>
    terminal.warn(`Could not start ${program}. Set BROWSER to your browser.\n`),
  )
  child.unref()
}
