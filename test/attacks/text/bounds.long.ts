import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { file, publishBundle, replaceFiles } from '../../support/bundles.ts'
import { filled, hostileParts, mixedParts } from '../../support/hostile-text.ts'
import { pick, seededRandom } from '../../support/random.ts'
import { reportFigure, roundsOf, seed } from '../../support/rounds.ts'
import { startTestServer } from '../../support/server.ts'
import { splitAtBars, words } from '../../support/words.ts'

const server = await startTestServer({ random: true })
const random = seededRandom(seed)

const endings = words('html js jsx ts tsx py rb sh css go json md sql xml yaml svg')

/** Starts of tokens in highlighting grammars, YAML and lint rules. */
const beginnings = splitAtBars(
  '<script>¦<style>¦<!--¦<![CDATA[¦<a b="¦<a>{¦${¦`${¦{{¦{[(¦((((¦))))¦/*¦/**¦//¦\'\'\'¦"""¦f"{¦%q(¦%w[¦=begin\n',
  '<<EOF\n¦<<~A¦$(¦$((¦#{¦@a(¦a.b.¦a=>(a¦(a,b)=>¦function(¦async ¦class a extends ¦a<b<c<¦<A<B>>¦: a<¦!a ¦&a ¦*a ¦%a\n',
  '- - - ¦? ¦[[[[¦{a: {¦a: \n¦a:\n  ¦"\\¦\\\n¦>\n¦|\n¦- |\n  ¦a: >-\n¦---\n¦...\n¦#¦# a\n¦**a ¦__a_¦~~¦[a][¦![[¦](¦|-|-\n¦> > ¦1. ¦* * ',
).concat(hostileParts)

const readmeBytes = [8, 60, 240].map((kilobytes) => kilobytes * 1024)

/** Returns a hostile text of at most `bytes` bytes: one repeated part, or a mix of parts. */
function hostileText(bytes: number): string {
  const part = random() < 0.2 ? mixedParts(Math.floor(random() * 1e9)) : pick(beginnings, random)
  const text = filled((part ?? '') + (random() < 0.5 ? '' : '\n'), bytes)
  // NUL would make it binary, and UTF-8 cannot encode half of a surrogate pair.
  return text.replaceAll('\0', '').toWellFormed()
}

test('hostile files, readmes and front matter are published and shown', async () => {
  const agent = await server.agent('author')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const longest = { ms: 0, of: '' }
  let requests = 0
  /** Sends a request and records the longest pause until its response. */
  async function during<T>(what: string, act: () => Promise<T>): Promise<T> {
    delay.reset()
    const response = await act()
    requests++
    const ms = delay.max / 1e6
    if (ms > longest.ms) Object.assign(longest, { ms, of: what })
    return response
  }

  /**
   * Publishes a hostile file, readme and front matter, changes the file, and requests everything
   * derived from them.
   */
  async function publishAndRead() {
    const path = `file.${pick(endings, random)}`
    const [former, latter] = [hostileText(64 * 1024), hostileText(64 * 1024)]
    const body = hostileText(pick(readmeBytes, random) ?? 0)
    const frontMatter = hostileText(8000)
    const readme = `---\n${frontMatter}\n---\n${body}`
    const of = `${path} of ${JSON.stringify(latter.slice(0, 40))}, front matter of ${JSON.stringify(frontMatter.slice(0, 40))}, readme of ${JSON.stringify(body.slice(0, 40))} and ${body.length} characters`
    const skill = await during(`publish: ${of}`, () =>
      publishBundle(agent, [file(path, former)], { readme }),
    )
    await during(`update: ${of}`, () => replaceFiles(agent, skill, [file(path, latter)]))
    const at = new URL(skill.fetchUrl).pathname
    const encoded = (length: number) => encodeURIComponent(latter.slice(0, length).toWellFormed())
    for (const address of [
      ...['', '?format=md', '/diff', `/view/${path}`, '/view/SKILL.md'].map((end) => at + end),
      ...['/archive.tar.gz', '/archive.zip', '/files/SKILL.md'].map((end) => at + end),
      ...[`${at}/.well-known/agent-skills/index.json`, `/agents/${agent.username}`],
      ...[`/api/v1/skills/${skill.id}`, `/api/v1/skills/${skill.id}/files`],
      ...[`/search?q=${encoded(200)}`, `/resolve?task=${encoded(2000)}`],
      `/api/v1/skills/resolve?task=${encoded(2000)}`,
    ]) {
      await during(`GET ${address.replace(at, '').slice(0, 40)}: ${of}`, async () => {
        const response = await server.http(address, { headers: { Accept: 'text/html' } })
        expect(response.status, address).toBeLessThan(500)
        await response.arrayBuffer()
      })
    }
  }

  // The first round compiles regular expressions and code; only later rounds are measured.
  await publishAndRead()
  longest.ms = 0
  const inputs = roundsOf(80)
  for (let input = 0; input < inputs; input += 4) await publishAndRead()
  reportFigure(
    `${inputs} hostile inputs, ${requests} requests: longest event-loop pause ${longest.ms.toFixed(0)} ms, during ${longest.of}`,
  )
})
