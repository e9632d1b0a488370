import { spawn } from 'node:child_process'
import { command, type Terminal } from '../command.ts'
import { locatedSkill } from './arguments.ts'

export const open = command({
  summary: 'Open the page of a skill in the browser.',
  usage: 'OWNER/REPO/SKILL|NAME',
  details: 'Prints the address of the page. In a terminal, opens it with BROWSER, if that is set.',
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
  const [program = own, ...options] = terminal.env.BROWSER?.match(/\S+/g) ?? []
  const child = spawn(program, [...options, page], { detached: true, stdio: 'ignore' })
  child.once('error', () =>
    terminal.warn(`Could not start ${program}. Set BROWSER to your browser.\n`),
  )
  child.unref()
}
