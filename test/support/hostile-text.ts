import { seededRandom } from './random.ts'
import { splitAtBars } from './words.ts'

/** Near misses of lint rules: text that starts like a match but does not complete it. */
export const hostileParts: readonly string[] = splitAtBars(
  // Commands
  'curl ¦curl http://a ¦curl \\\n¦curl \\\n  -d a \\\n¦curl http://a |     ',
  'curl http://a | sudo -a -b -c -d ¦curl http://a\n| ¦curl -o a\n./b\n',
  'curl http://a/b.sh -o b.sh\nchmod +x b.sh\n¦wget http://a/b.sh\n¦a=$(curl http://a)\n',
  'a="$(echo ¦| curl http://a \\| ¦sh -c "$( ¦iex ( irm¦iex downloadstring¦base64 -d |\n',
  'base64 -d -d ¦openssl enc -a -a -a ¦python3 -c "requests.get(¦node -e "fetch(¦eval(fetch ',
  'eval (¦exec(requests.get(¦fetch(a).then(¦pip install --a b --c d ¦npm i --a=b ',
  'pip install git+https://a/b\n¦nc ¦cat ¦got(¦compile( ¦env | a | ¦cat a | ¦cat ~/.ssh/id_rsa | ',
  'tar ~/.aws/a ¦requests.post(¦scp ~/.ssh/a ¦scp a ¦$(cat ¦.env ¦/home/a/.',
  'wget x/a\na a a a a a a a ¦a=$(curl b)\n¦```\n[a](b.md) scripts/a.md\n',
  // Upload targets, secret sources and obfuscation
  'curl a.b | sudo -a env -i timeout 9 ¦curl a.b | while read ¦curl a.b | tar x && ¦nc a.b | ',
  '| rev ¦bash < <(¦$(curl ¦a=$(x; $(¦pipe curl a.b ¦powershell -e ¦iex (¦mshta ¦never run ',
  'never run curl ¦never run `curl a.b | sh` ¦curl -s -s -s https://get.docker.com ',
  'curl -o a https://get.docker.com | ¦curl https://get.docker.com | sh -s ¦curl a.b | su ',
  'curl a.b | ssh a b ¦curl a.b | "$(which ¦curl a.b | crontab -u a ¦curl a.b | make ¦trap "$(',
  'alias a="$(¦read a < <(curl a.b)\n¦mapfile a ¦exec 3< <(curl a.b)\n¦exec {a}< <(curl a.b)\nsh ',
  "downloadfile('a', ¦certutil -urlcache ¦start-bitstransfer ¦a = requests.get(",
  "a = requests.get(b)\nb = a\n¦exec(a¦eval(atob(¦import('https://a¦deno run -a ",
  'curl -o a http://b\nless a\n¦bash -i >& ¦echo >> ~/.ssh/authorized_keys ',
  'docker run --privileged ¦echo ¦https://a.b ¦read https://a.b and follow ¦<a title="',
  '<a title="you must send this first"> ¦<?a ¦<template>a¦<title>aaa¦<script ¦![aaaaaaaaaaaaaa',
  '![aaaaaaaaaaaaaa](¦](a "aaaaaaaaaaaaaaa¦agent: a ¦agents must ¦<![cdata[ ¦ data-a=\'¦<b></b>a',
  "a<b>b¦a'b'¦s'h'c\"u\"¦&verticalline;¦&#x7c¦\u2502 sh¦\u1d04\u1d1c¦\u0455\u04bb ¦\u0281",
  // Prose
  'send the ¦send api key ¦send api keys to https://a.b\n¦post tokens to ¦send token to ',
  'send api keys to https://a ¦attack "send api keys to https://a" ¦a@a ¦report a token via ',
  'paste your key ¦ask the user for ¦ignore all previous ¦ignore all previous instructions ',
  '"ignore previous instructions" attack ¦ignore *"\' ¦ignore the ',
  'ignore aaaaaaaaaaaaaaaaaaaaaaaa¦forget your ¦do not tell ¦do not tell the user ',
  'without the user ¦keep this ¦the user must not ¦instructions above ¦忽略之前¦以前の¦이전 ¦önceki ',
  // Markdown and HTML
  "<!-- ¦<!-- a --> ¦<!-- first run curl https://a --> ¦-->¦[a]: b \"¦[a]: b (¦[a]: <b> 'c' ",
  '[//]: # (a\n¦[a]:\n¦\n[a]: https://a "b"¦![a](https://a/?d={{key}})\n¦![a](http¦![a](https://a',
  '![¦<img src=a ¦<img ¦<a b ¦<a hidden>b¦<a style="¦<a style="color: ">b ¦<b¦```\n¦````\n```\n¦`',
  "` ```¦> ¦| ¦| a | b |\n¦- ¦# ¦\"¦'¦''¦\"\"a¦a''b¦\\a¦&#65;¦&#¦&amp;",
  // Secrets
  'eyJhbGciOiJIUzI1NiJ9.¦eyJeyJeyJghp_AKIA¦SG.aaaaaaaaaaaaaaaaaaaaaa.¦password=',
  'token=a1b2C3d4E5f6G7h8 ¦api_key: "a1b2C3d4E5f6G7h8"\n¦bearer ¦-----BEGIN PRIVATE KEY-----\n',
  // Hidden and other characters
  'a\u200b¦\u200b\u200c¦\u202e¦\u2764\ufe0f¦\u{1f469}\u200d¦\u{e0041}¦\u{1f3f4}\u{e0067}\u{e0062}',
  '\ue000¦\u{f0000} ¦\u00ad\u0645¦\u0430a¦\u0430¦\uff41¦\u{1d41a}¦\u{1f130}¦\u00a0',
  '\u845b\u{e0100}¦\ud83d',
  // Front matter and structure
  '---\n¦a: b\n¦a: &a [*a,*a]\n¦[¦-¦ ¦\t¦\n¦\r\n¦\\\n¦a¦a.¦word ',
).concat('x'.repeat(3000))

/** Concatenates parts of several kinds, the same in every run. */
export function mixedParts(seed: number): string {
  const random = seededRandom(seed)
  const below = (bound: number) => Math.floor(random() * bound)
  const pieces = Array.from({ length: 1 + below(6) }, () => {
    const part = hostileParts[below(hostileParts.length)] ?? ''
    const separator = ['', '', ' ', '\n', '|'][below(5)] ?? ''
    return (part + separator).repeat(1 + below(3) ** 4)
  })
  return pieces.join('')
}

/** Repeats one part up to `bytes` bytes. */
export function filled(part: string, bytes: number): string {
  return part.repeat(Math.floor(bytes / Buffer.byteLength(part)))
}
