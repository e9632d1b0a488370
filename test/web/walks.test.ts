import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { startReceiver } from '../support/receiver.ts'
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

/** Ways from the home page to a goal, each by the links and buttons that a stranger sees. */
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

  test('a stranger makes an account and an app, uses it, sees a failed call and deletes it', async () => {
    const page = await visitHome()
    await page.getByRole('link', { name: 'Register an app' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill(javaScriptEnabled ? 'Moving' : 'Still')
    await page.getByLabel('Email').fill(`ada-${javaScriptEnabled}@walk.test`)
    await page.getByLabel('Password').fill('a long walk home')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name: 'A chat bot' }).click()
    await page.getByLabel('Name').fill('Walker')
    await page.getByRole('button', { name: 'Register' }).click()

    // A reload loses nothing.
    const token = page.getByRole('region', { name: 'Webhooks' }).locator('.secret')
    const secret = await token.innerText()
    await page.reload()
    expect(await token.innerText()).toBe(secret)
    const [curl = ''] = await commandsOf(page)
    expect(await paste([curl])).toContain('message_id')
    await page.getByRole('button', { name: 'I have copied them' }).click()
    expect(await page.content()).not.toContain(secret)

    const receiver = await startReceiver()
    receiver.trust('/events', secret)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByLabel('Address').fill(receiver.url('/events'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect.poll(() => receiver.deliveries('/events')).toHaveLength(1)

    await paste([curl.replace(/:scs_\w+/, ':scs_wrong')])
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('link', { name: 'Failed' }).click()
    expect(await page.locator('main tbody').innerText()).toMatch(
      /POST \/oauth\/token\s+401 4702 The client id or the client secret is wrong/,
    )

    await page.getByRole('link', { name: 'Overview' }).click()
    const deletion = page.getByRole('button', { name: 'Delete' })
    await deletion.click()
    expect(await page.locator('main').innerText()).toContain('This is not the name of the app.')
    await page.getByLabel('Name of the app').fill('Walker')
    await deletion.click()
    await page.getByRole('heading', { name: 'Register your first app' }).waitFor()
  })
})
