import { rulesOf, type TextCheck } from '../report/types.ts'
import { eachMatch } from '../text/each-match.ts'
import { accessRules, findAccess } from './access.ts'
import { findDownloadedFiles } from './downloaded-files.ts'

export const fetchedCodeRules = [
  ...rulesOf('warning', {
    'run-fetched-code':
      'Code that is fetched and evaluated at once can be another one each time, and nobody reads it first.',
    'run-download': 'A downloaded file is run without a look at it or a check of its digest.',
  }),
  ...accessRules,
]

const fetching =
  '(?:requests?\\.get|urlopen|urllib\\.request|httpx\\.get|http\\.client|(?<![\\w.])fetch|axios\\.get|https?\\.get|(?<![\\w.])got)'
const decoding =
  '(?:b64decode|atob|bytes\\.fromhex|codecs\\.decode|marshal\\.loads|zlib\\.decompress|buffer\\.from)\\s{0,4}\\('
const evaluating =
  '(?:(?<=\\.)execsync|(?<![\\w.])(?:exec|eval|compile|execsync|os\\.system|os\\.popen|new\\s{1,4}function|vm\\.runin\\w{1,20}))'

/** What evaluates text as code, and what fetches it, within one statement. */
const evaluated = [
  // exec(requests.get(…).text), eval(await (await fetch(…)).text()), os.system(urlopen(…).read())
  new RegExp(`${evaluating}\\s{0,4}\\(\\s{0,4}(?!\\))[^;\\n]{0,120}?${fetching}\\s{0,4}\\(`, 'g'),
  // exec(base64.b64decode(…)), eval(Buffer.from(…, 'base64').toString())
  new RegExp(`${evaluating}\\s{0,4}\\(\\s{0,4}(?!\\))[^;\\n]{0,60}?${decoding}`, 'g'),
  // subprocess.run(['sh', '-c', requests.get(…).text])
  new RegExp(
    `subprocess\\.\\w{1,16}\\(\\s{0,4}\\[?[^;\\n]{0,60}?(?:${fetching}|b64decode)\\s{0,4}\\(`,
    'g',
  ),
  /(?<![\w.])(?:fetch|axios\.get|https?\.get|got)\s{0,4}\([^;\n]{0,200}?\.then\s{0,4}\([^;\n]{0,80}?(?<![\w.])(?:eval|new\s{1,4}function|execsync|exec)\b/g,
  // perl, ruby, php: eval(get(…)), eval(open("http…").read), eval(file_get_contents("http…"))
  /(?<![\w.])(?:eval|instance_eval)\s{0,4}[ (]\s{0,4}[^;\n]{0,60}?(?:get\s{0,4}\(?\s{0,4}["'`]https?:|open\(\s{0,4}["']https?:|open-uri|net::http|file_get_contents\(\s{0,4}["']https?:|lwp)/g,
  // an interpreter's one-liner that fetches and evaluates, in either order
  /(?<![\w-])(?:python[\d.]{0,5}|node|deno|bun|perl|ruby|php)\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}-(?:c|e|r|-eval)\s{1,4}["'][^\n]{0,200}?(?:urlopen|requests\.get|fetch\s{0,2}\(|https?\.get|file_get_contents|open-uri|lwp|net::http)[^\n]{0,300}?(?<![\w.])(?:exec|eval|execsync|function|system)\b/g,
  // a command's output as code of an interpreter: python -c "$(curl …)"
  /(?<![\w-])(?:python[\d.]{0,5}|node|perl|ruby|php)\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}-(?:c|e|r|-eval)\s{1,4}["']?(?:\$\(|`)\s{0,4}(?:curl|wget)\s/g,
] as const

/** Without one of these no pattern matches. */
const evaluation =
  /\b(?:exec|eval|compile|execsync|instance_eval|system|popen|subprocess|vm\.runin)|new function|-(?:c|e|r|-eval)\s{1,4}["']?(?:\$\(|`)/

/** `deno run -A https://…`, `import('https://…')`: code of an address and of no registry. */
const fromAddress =
  /(?:(?<![\w-])deno\s{1,4}run\s{1,4}(?:-{1,2}[\w=,.-]{1,40}\s{1,4}){0,8}|(?<![\w.])import\s{0,4}\(\s{0,4})["'`]?https?:\/\/(?!(?:[\w-]{1,20}\.)?(?:deno\.land|esm\.sh|jsr\.io|jsdelivr\.net|unpkg\.com|skypack\.dev|cdnjs\.cloudflare\.com|gstatic\.com|esm\.run|raw\.githack\.com)\/)[^\s"'`)]{4}/g

/** A variable that takes a download in; whether it is run is asked of what follows. */
const taken =
  /=\s{0,4}["']?(?:(?:\$\(|`|\()\s{0,4}(?:curl|wget|irm|iwr|base64|invoke-webrequest|invoke-restmethod|(?:echo|printf)\s[^\n|]{0,2000}\|\s{0,4}base64)|(?:irm|iwr|invoke-webrequest|invoke-restmethod))\b/g
/** What a download is read into: `read x < <(curl …)`, `mapfile x < <(…)`, `exec 3< <(…)`. */
const readIn =
  /(?<![\w-])(?:(?:read|mapfile|readarray)\s[^\n<>;&|]{0,60}?\b([a-z_]\w{0,40})|exec\s{1,4}(\d{1,3}|\{\w{1,40}\}))\s{0,4}<{1,3}\s{0,4}["']?(?:<\(|\$\(|`)\s{0,4}(?:curl|wget|base64)\s/g
const takenInCode = new RegExp(
  `(?<![=!<>])=\\s{0,4}(?:\\(?await\\s{1,4}){0,2}[(\\w.]{0,40}?${fetching}\\s{0,4}\\(`,
  'g',
)
const assignedName = /(\$?[a-z_]\w{0,40})\s{0,4}\}?\s{0,4}$/

/** What was fetched is run soon after, if at all, in characters. */
const soon = 800

/** Finds code that is fetched and evaluated, and downloads that are run. */
export const findFetchedCode: TextCheck = ({ text }, report) => {
  findAccess(text, report)
  if (
    !/curl|wget|fetch|request|axios|urlopen|https?\.get|file_get_contents|lwp|open-uri|base64|iwr|irm|net::http|atob|fromhex|import\(|deno run|download|certutil|bits/.test(
      text,
    )
  )
    return
  if (evaluation.test(text)) {
    for (const pattern of evaluated) {
      eachMatch(pattern, text, ({ index }) => {
        report('run-fetched-code', 'evaluates code that it fetches or decodes', index)
      })
    }
    eachMatch(takenInCode, text, ({ index }) => {
      const name = assignedName.exec(text.slice(Math.max(0, index - 45), index))?.[1]
      if (name === undefined || !evaluates(text.slice(index, index + soon), name)) return
      report('run-fetched-code', 'keeps a download in a variable and evaluates it', index)
    })
  }
  eachMatch(fromAddress, text, ({ 0: found, index }) => {
    // What a browser loads stays in its page.
    if (found.startsWith('import')) report('remote-package', 'loads code from an address', index)
    else report('run-fetched-code', 'runs code straight from an address', index)
  })
  eachMatch(taken, text, ({ index }) => {
    const name = assignedName.exec(text.slice(Math.max(0, index - 45), index))?.[1]
    if (name === undefined || !runsVariable(text.slice(index, index + soon), name)) return
    report('run-fetched-code', 'keeps a download in a variable and runs it', index)
  })
  eachMatch(readIn, text, ({ index, 0: whole, 1: name, 2: descriptor = '' }) => {
    const after = text.slice(index + whole.length, index + soon)
    if (name === undefined ? !runsDescriptor(after, descriptor) : !runsVariable(after, name)) return
    report('run-fetched-code', 'reads a download in and runs it', index)
  })
  findDownloadedFiles(text, report)
}

const evaluations = new RegExp(
  `(?:${evaluating}\\s{0,4}\\(\\s{0,4}(?:await\\s{1,4})?(?:compile\\s{0,4}\\(\\s{0,4})?|subprocess\\.\\w{1,16}\\(\\s{0,4}(?:\\[\\s{0,4}["'](?:ba|z)?sh["']\\s{0,4},\\s{0,4}["']-c["']\\s{0,4},\\s{0,4})?)([a-z_]\\w{0,40})`,
  'g',
)
const derived = /(?<![\w.])([a-z_]\w{0,40})\s{0,4}=\s{0,4}(?:\(?await\s{1,4})?([a-z_]\w{0,40})\b/g

/** Whether a variable of a program, or one made of it, is evaluated as code. */
function evaluates(after: string, name: string): boolean {
  const names = new Set([name])
  eachMatch(derived, after, ({ 1: to = '', 2: from = '' }) => {
    if (names.has(from)) names.add(to)
  })
  let found = false
  eachMatch(evaluations, after, ({ 1: used = '' }) => {
    found ||= names.has(used)
  })
  return found
}

/** Whether a variable of a shell is run. */
function runsVariable(after: string, name: string): boolean {
  const bare = name.replace(/^\$/, '')
  const use = `["']?\\(?\\$\\{?${bare}\\b`
  const runs = `(?:eval|iex|invoke-expression|\\[scriptblock\\]::create\\(|(?:ba|z|da|k)?sh\\s+-c|(?:ba|z|da|k)?sh\\s*<<<|python\\d?\\s+-c|node\\s+-e|source\\s+/dev/stdin\\s*<<<)\\s*${use}`
  const piped = `(?:echo|printf|printf\\s+["']?%s["']?)\\s+${use}\\}?["']?\\s*\\|\\s*(?:base64\\s+-\\S+\\s*\\|\\s*)?(?:sudo\\s+)?(?:ba|z|da|k)?(?:sh|python\\d?|node|perl)(?=\\s*(?:$|[\\n;&|"'\`)]|-\\s|-s\\b))`
  const pipedOn = `\\$${bare}[\\w.]*\\s*\\|\\s*(?:iex|invoke-expression)\\b`
  return new RegExp(`(?:${runs}|${piped}|${pipedOn})`).test(after)
}

/** Whether a shell takes its program from an open descriptor: `sh <&3`, `. /dev/fd/3`. */
function runsDescriptor(after: string, descriptor: string): boolean {
  const bare = descriptor.replace(/[{}]/g, '')
  return new RegExp(
    `(?:(?<![\\w-])(?:(?:ba|z|da|k|mk)?sh|source|eval|python\\d?|node|perl)|[\\s;&]\\.)\\s[^\\n;|]{0,40}?(?:<&\\s{0,4}|/dev/fd/)["']?\\$?\\{?${bare}\\b`,
  ).test(after)
}
