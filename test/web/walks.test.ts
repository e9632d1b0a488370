import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { skillsOnNode20, startProject } from '../support/stock-command.ts'

const server = await startDemoServer()

/** Pastes commands into one shell, in a new folder and for a new person. Returns its output. */
async function paste(commands: readonly string[]) {
  const folder = await temporaryFolder()
  const env = { PATH: process.env.PATH ?? '', HOME: folder }
  const shell = spawn('bash', ['-e'], { cwd: folder, env })
  shell.stdin.end(commands.join('\n'))
  const [printed, warned] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return printed + warned
}

const commandsOf = (page: Page) => page.locator('main .command code').allTextContents()

describe.skipIf(!hasChromium).each([true, false])('with JavaScript %s', (javaScriptEnabled) => {
  const visitHome = async () => (await openPage(server.url, { javaScriptEnabled })).page

  test('two clicks lead from the home page to a command that installs a skill', async () => {
    const page = await visitHome()
    await page.getByRole('link', { name: 'Fill in a PDF form' }).click()
    await page.locator('main ol h3 a').first().click()
    const [command = ''] = await commandsOf(page)
    const [, address = ''] = /^npx skills add (\S+)$/.exec(command) ?? []
    const project = await startProject(skillsOnNode20)
    const { code, output } = await project.run(['add', address, '-y', '-a', 'claude-code'])
    expect(code, output).toBe(0)
    const slug = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await access(join(project.folder, '.claude/skills', slug, 'SKILL.md'))
  })

  test('one click leads from the home page to commands that publish a skill', async () => {
    const page = await visitHome()
    await page.getByRole('link', { name: 'Publish your own' }).click()
    const output = await paste(await page.locator('main .readme .command code').allTextContents())
    const [address = ''] = /http\S+\/read-invoices/.exec(output) ?? []
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: 'read-invoices' }).waitFor()
  })
})
