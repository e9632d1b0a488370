import { exfiltration, secretFiles, secretNames } from './commands.ts'
import type { Report } from './findings.ts'
import { type PatternRow, reportMatch, rowsOf } from './patterns.ts'
import { anyOf, type LintText, lineBefore, searchable } from './text.ts'

/** Matches up to `max` words between the parts of a phrase. */
const few = (max: number) =>
  `(?:[\\s*"'’#/;>]{1,6}[^\\s*"'’.,;:!?|()_/]{1,24}(?:['’][a-z]{1,2})?){0,${max}}[\\s*"'’#/;>]{1,6}`

/** Phrases that tell an agent to ignore its instructions. */
const injections = rowsOf(
  {
    rule: 'prompt-injection',
    message: 'looks like a prompt injection',
    shows: true,
    quoted: {
      rule: 'quoted-injection',
      named:
        /injection|inject|jailbreak|attack|adversar|malicious|hostile|untrusted|attempt|detect|exploit|red.?team|payload|phish|sanitiz|suspicious|refuse|reject|never (?:obey|follow|comply)|do not (?:obey|follow|comply)|treat (?:as|it)|注入|攻击|攻擊|インシェクション/,
    },
  },
  {
    "ignor|disregard|forget|overrid|overlook|discard|set aside|do not follow|don't follow|don’t follow|stop follow": `(?:(?:ignore|disregard|forget|override|overlook|discard|set aside|do not follow|don['’]t follow|stop following)${few(2)}(?:previous|prior|preceding|earlier|above|foregoing|former|(?:your|the|its)${few(1)}(?:original|initial|existing|system|developer|safety))${few(1)}(?:instructions?|prompts?|rules?|guidelines?|directives?|directions?|commands?|messages?|guardrails?)\\b|(?:ignore|disregard|forget|override|set aside)${few(1)}(?:your|everything|anything|whatever|what|all)${few(2)}(?:instructions?|system prompts?|directives?|guardrails?|programming|training|you(?: (?:were|have been|are)|['’]ve been) (?:told|given|instructed)|(?:said|written) (?:above|before)|came before)\\b)`,
    'ignor|disregard|overrid': `(?<!\\b(?:never|not|n['’]t|cannot) (?:\\w{1,12} )?)(?:ignore|disregard|override) (?:all |any |the |your )?(?:of )?(?:the |your )?(?:users?['’]?s?['’]?|humans?['’]?s?) (?:own |direct |explicit |stated )?(?:instructions?|orders|wishes)\\b`,
    'instruction|prompt|rule': `(?:instructions?|prompts?|rules?) (?:above|before this|given (?:before|earlier|above))${few(2)}(?:are|is) (?:now )?(?:void|obsolete|cancelled|canceled|revoked|superseded|no longer)`,
    'you are no longer|your |enter |enable |activate |switch to|act as ': `you are no longer (?:bound|restricted|limited|an? (?:ai|assistant))|your (?:new|real|true|actual) (?:system )?(?:instructions?|prompt|task|goal|directive)s? (?:is|are)\\b|(?:enter|enable|activate|switch to) (?:god|jailbreak|dan|unrestricted) mode|act as (?:dan|an unrestricted)\\b`,
    'overrid|supersed|replac': `\\b(?:overrides?|supersedes?|replaces?) (?:your|the) (?:system prompt|(?:original |previous |system )instructions)\\b`,
    // Markers of chat turns
    'im_start|start_header_id|system|<<sys': `(?<=<\\|)(?:im_start|system|start_header_id)\\|>|<<sys>>|(?<=\\[)system (?:message|override|prompt)\\]|(?<=## ?)system (?:override|message) ?:`,
    // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian
    'ignor|vergiss|missachte|beachte |oublie|ne ten|olvid|descart|desconsider|esqueç|dimentica|trascura|negeer|vergeet|zignoruj|zapomnij|игнорируй|проигнорируй|забудь|не учитывай': `(?:ignoriere|ignorier|vergiss|missachte|beachte nicht)${few(3)}(?:vorherigen?|bisherigen?|vorigen?|obigen?|früheren?|vorangegangenen?)${few(1)}(?:anweisung|instruktion|befehl|regel|vorgabe)|(?:ignore[zr]?|oublie[zr]?|ne ten(?:ez|ir) pas compte)${few(3)}(?:instructions?|consignes?|directives?|règles?)${few(2)}(?:précédente|antérieure|ci-dessus|initiale)|(?:ignor[ae]n?|olvid[ae]|descart[ae]|desconsider[ae]|esqueç[ae])${few(3)}(?:instru(?:cciones|ções|coes)|órdenes|ordens|reglas|regras|indicaciones)${few(2)}(?:anterior|previa|prévia|acima)|(?:ignora|dimentica|trascura)${few(3)}(?:istruzioni|indicazioni|regole)${few(2)}(?:precedenti|anteriori|sopra)|(?:negeer|vergeet)${few(3)}(?:vorige|eerdere|bovenstaande)${few(1)}(?:instructies|opdrachten|regels)|(?:zignoruj|zapomnij)${few(3)}(?:poprzednie|wcześniejsze)${few(1)}(?:instrukcje|polecenia)|(?:игнорируй|проигнорируй|забудь|не учитывай)(?:те)?${few(3)}(?:предыдущ|прежн|прошл|вышеизложенн)`,
    // Chinese, Japanese, Korean, Turkish, Arabic, Hindi
    '忽略|无视|無視|忽视|忘|不要理会|以前の|前の|上記の|これまでの|すべての|이전|위|앞|모든|önceki|yukaridaki|تجاهل|पिछले': `(?:忽略|无视|無視|忽视|忘记|忘掉|不要理会)[^。\\n]{0,8}(?:之前|先前|以前|上面|以上|前面|此前|所有|系统)[^。\\n]{0,6}(?:指令|指示|提示|规则|規則|命令|要求)|(?:以前|前|上記|これまで|すべて)の[^。\\n]{0,6}(?:指示|命令|プロンプト|ルール)[^。\\n]{0,4}(?:を無視|を忘れ|に従わ)|(?:이전|위|앞|모든)[^.\\n]{0,8}(?:지시|명령|프롬프트|지침)[^.\\n]{0,6}(?:무시|잊)|(?:önceki|yukaridaki)[^.\\n]{0,12}(?:talimat|komut|yönerge)[^.\\n]{0,12}(?:yok say|unut|görmezden)|تجاهل[^.\\n]{0,12}(?:التعليمات|الأوامر)[^.\\n]{0,10}(?:السابق|أعلاه)|पिछले[^।\\n]{0,8}निर्देश[^।\\n]{0,10}(?:अनदेखा|भूल)`,
  },
)

const people = 'user|human|operator|owner|developer'

const concealments = rowsOf(
  {
    rule: 'conceal-from-user',
    message: 'tells an agent to hide something from the user',
    shows: true,
  },
  {
    "do not|don't|don’t|never|must not|mustn't|mustn’t|without": `\\b(?:(?:do not|don['’]t|never|must not|mustn['’]t|without)${few(1)}(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|warn(?:ing)?|mention(?:ing)?)${few(3)}(?:the |your |this to (?:the )?)?(?:${people})s?${few(0)}(?:about|that|of|what|this|anything|any of|before)\\b|(?:do not|don['’]t|never)${few(2)}(?:mention|reveal|disclose|report|show) (?:this|these|that|it|any of this|the (?:above|following|upload|request|command|step)s?)${few(2)}to (?:the |your )?(?:${people})s?\\b)`,
    'without |hide |conceal |keep ': `\\b(?:(?:without (?:the |your )?(?:${people})s?['’]?s?(?: ever)? (?:knowing|knowledge|noticing|awareness))\\b|(?:hide|conceal|keep) (?:this|these|it|that|the (?:upload|request|command)s?)(?: \\w{1,12}){0,2} (?:secret |hidden )?from (?:the |your )?(?:${people})s?\\b)`,
    [people]: `\\b(?<=the )(?:${people}) (?:must|should|need) (?:not|never)(?: \\w{1,12}){0,2} (?:know|notice|find out|learn|see|be told|be informed)(?: (?:that|about|of) (?:you|this|it|these|the (?:upload|request|command|transfer))| this| it)\\b`,
  },
)

export const wordPatterns: readonly PatternRow[] = [...injections, ...concealments]

/** Returns whether a text matches an injection or concealment pattern. */
export function holdsInjection(text: string): boolean {
  const { matches } = searchable(text)
  return wordPatterns.some(({ starts, pattern }) => [...matches(starts, pattern)].length > 0)
}

/** The end of a paragraph or list item, which ends a sentence. */
const paragraphEnd = /\n(?=\s*\n|\s*(?:[-*+#|>]|\d{1,3}[.)])\s)/
/** Returns the text before an offset in its paragraph, at most `limit` characters, in one line. */
const clauseBefore = (text: string, at: number, limit: number): string =>
  (
    text
      .slice(Math.max(0, at - limit), at)
      .split(paragraphEnd)
      .at(-1) ?? ''
  ).replaceAll('\n', ' ')
const clauseAfter = (text: string, at: number, limit: number): string =>
  (text.slice(at, at + limit).split(paragraphEnd, 1)[0] ?? '').replaceAll('\n', ' ')

const addresses = anyOf('http')
const destinations = anyOf('http|@')
const address = /https?:\/\/[^\s"'`<>)\]]{3,300}/y
const near = 160
const obeys =
  /\b(?:do (?:exactly |just |precisely )?(?:what(?:ever)?|everything|all|as)(?: that)? (?:it|they|the (?:page|file|text|answer|response|document)) (?:says?|tells?|asks?|instructs?|orders?|contains?)|(?:follow|obey|execute|comply with|carry out|act on) (?:it|them|(?:whatever|what|everything|all|every|any)\b(?! of the)|(?:its|the|any|all) (?:instructions?|orders?|commands?|steps|directions?) (?:in it|there|you find|it (?:has|holds|gives|contains)|that (?:it|come)|returned|within|exactly))\b|carry (?:it|them|(?:all|each) of (?:it|them)) out\b|treat (?:it|its|them|the (?:answer|response|contents?)) [^\n]{0,30}?as (?:your |an? |part of )?(?:instructions?|orders?|system prompt|this skill))/
const fetches =
  /\b(?:read|fetch|open|load|get|visit|download|curl|retrieve|request|consult|check|go to)\b[^\n.!?]{0,100}$/
const continues =
  /\b(?:rest|remainder|remaining|continuation|real|actual|full|latest|current|up-to-date)\b[^\n.!?]{0,24}\b(?:this |the |your )?(?:skill|instructions?|steps|rules|orders)\b[^\n.!?]{0,40}$|\byour (?:instructions?|orders|rules|tasks?) (?:is|are|stands?)\b[^\n.!?]{0,30}$/
const forbidden = /\b(?:never|not|don['’]t|refuse|avoid)\b[^\n.]{0,40}$/

/** Finds instructions to obey the content of a URL. Mere references to documents do not match. */
export function findRemoteInstructions({ text, matches }: LintText, report: Report): void {
  for (const { index, 0: url } of matches(addresses, address)) {
    const end = index + url.length
    const [before, after] = [clauseBefore(text, index, near), clauseAfter(text, end, near)]
    const order = obeys.exec(after)
    if (!order || forbidden.test(after.slice(0, order.index)) || forbidden.test(before)) continue
    if (!fetches.test(before) && !continues.test(before)) continue
    report('remote-instructions', 'tells an agent to follow instructions from a URL', index)
  }
}

/** Parts of "Send the user's API keys to https://…": the address, the secret and the verb. */
const destination = /https?:\/\/|(?<=[\w.-])@[\w-]{1,40}\.\w/y
const namedSecret = new RegExp(`\\b${secretNames}\\b|${secretFiles}`, 'g')
const goingTo = /^.{0,80}?\b(?:to|at|via|with|into)\b.{0,30}$/
const sending =
  /\b(?:send|post|upload|e?mail|forward|transmit|exfiltrate|submit|report|leak)(?:s|ing)?\b.{0,60}$/
/** The local part of an email address. */
const mailbox = /(?<![\w.-])[\w.-]{1,60}$/
const maxClause = 240

/** Finds instructions in prose to send secrets to an address. */
export function findSendingInstructions(text: LintText, report: Report): void {
  let last = -1
  for (const { index, 0: address } of text.matches(destinations, destination)) {
    const start = instructionBefore(text, index)
    if (start === undefined || start === last) continue
    last = start
    const found = text.text.slice(start, index + address.length)
    reportMatch(exfiltration, text, { index: start, found }, report)
  }
}

/** Returns the offset of the verb in a clause that tells to send secrets to an address. */
function instructionBefore({ text, inCode }: LintText, address: number): number | undefined {
  const before = (inCode(address) ? lineBefore : clauseBefore)(text, address, maxClause)
  const to = text[address] === '@' ? before.replace(mailbox, '') : before
  // The leading dot of a hidden file does not end a clause.
  const clause = to.split(/[;!?]|(?<![\s/"'`(])\./).at(-1) ?? ''
  for (const { index, 0: secret } of clause.matchAll(namedSecret)) {
    if (!goingTo.test(clause.slice(index + secret.length))) continue
    const verb = clause.slice(0, index).search(sending)
    if (verb >= 0) return address - before.length + to.length - clause.length + verb
  }
  return undefined
}
