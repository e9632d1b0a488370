import { findRemoteInstructions, remoteInstructionRules } from './remote-instructions.ts'
import { rulesOf, type TextCheck } from './report/types.ts'
import { codeIn } from './text/code-in.ts'
import { eachMatch } from './text/each-match.ts'
import {
  aroundQuotation,
  asksToFollow,
  type IsQuoted,
  isReported,
  mostQuotations,
} from './text/quoted.ts'

export const injectionRules = [
  ...rulesOf('warning', {
    'prompt-injection':
      'The text tells an agent to set aside its instructions or to take on others: what an attacker writes and an honest skill has no need of.',
  }),
  ...rulesOf('notice', {
    'quoted-injection':
      'A prompt injection stands here as an example of one. An agent may take it for an instruction all the same.',
    'conceal-from-user': 'The text tells an agent to keep what it does from its user.',
  }),
  ...remoteInstructionRules,
]

/** Words between the parts of a phrase. */
const few = (most: number) =>
  `(?:[\\s*"'’]{1,4}[^\\s*"'’.,;:!?|()_/]{1,24}(?:['’][a-z]{1,2})?){0,${most}}[\\s*"'’]{1,4}`

const phrases = [
  // English
  `(?:ignore|disregard|forget|override|overlook|discard|set aside|do not follow|don['’]t follow|stop following)${few(2)}(?:previous|prior|preceding|earlier|above|foregoing|former|(?:your|the|its)${few(1)}(?:original|initial|existing|system|developer|safety))${few(1)}(?:instructions?|prompts?|rules?|guidelines?|directives?|directions?|commands?|messages?|guardrails?)\\b`,
  `(?:ignore|disregard|forget|override|set aside)${few(1)}(?:your|everything|anything|whatever|what|all)${few(2)}(?:instructions?|system prompts?|directives?|guardrails?|programming|training|you(?: (?:were|have been|are)|['’]ve been) (?:told|given|instructed)|(?:said|written) (?:above|before)|came before)\\b`,
  `(?:instructions?|prompts?|rules?) (?:above|before this|given (?:before|earlier|above))${few(2)}(?:are|is) (?:now )?(?:void|obsolete|cancelled|canceled|revoked|superseded|no longer)`,
  `you are no longer (?:bound|restricted|limited|an? (?:ai|assistant))|your (?:new|real|true|actual) (?:system )?(?:instructions?|prompt|task|goal|directive)s? (?:is|are)\\b|(?:enter|enable|activate|switch to) (?:god|jailbreak|dan|unrestricted) mode|act as (?:dan|an unrestricted)\\b`,
  `(?<!\\b(?:never|not|n['’]t|cannot) (?:\\w{1,12} )?)(?:ignore|disregard|override) (?:all |any |the |your )?(?:of )?(?:the |your )?(?:users?['’]?s?['’]?|humans?['’]?s?) (?:own |direct |explicit |stated )?(?:instructions?|orders|wishes)\\b`,
  `\\b(?:overrides?|supersedes?|replaces?) (?:your|the) (?:system prompt|(?:original |previous |system )instructions)\\b`,
  // Markers of a chat's turns
  `<\\|(?:im_start|system|start_header_id)\\|>|<<sys>>|\\[system (?:message|override|prompt)\\]|###? ?system (?:override|message) ?:`,
  // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian
  `(?:ignoriere|ignorier|vergiss|missachte|beachte nicht)${few(3)}(?:vorherigen?|bisherigen?|vorigen?|obigen?|früheren?|vorangegangenen?)${few(1)}(?:anweisung|instruktion|befehl|regel|vorgabe)`,
  `(?:ignore[zr]?|oublie[zr]?|ne ten(?:ez|ir) pas compte)${few(3)}(?:instructions?|consignes?|directives?|règles?)${few(2)}(?:précédente|antérieure|ci-dessus|initiale)`,
  `(?:ignor[ae]n?|olvid[ae]|descart[ae]|desconsider[ae]|esqueç[ae])${few(3)}(?:instru(?:cciones|ções|coes)|órdenes|ordens|reglas|regras|indicaciones)${few(2)}(?:anterior|previa|prévia|acima)`,
  `(?:ignora|dimentica|trascura)${few(3)}(?:istruzioni|indicazioni|regole)${few(2)}(?:precedenti|anteriori|sopra)`,
  `(?:negeer|vergeet)${few(3)}(?:vorige|eerdere|bovenstaande)${few(1)}(?:instructies|opdrachten|regels)|(?:zignoruj|zapomnij)${few(3)}(?:poprzednie|wcześniejsze)${few(1)}(?:instrukcje|polecenia)`,
  `(?:игнорируй|проигнорируй|забудь|не учитывай)(?:те)?${few(3)}(?:предыдущ|прежн|прошл|вышеизложенн)`,
  // Chinese, Japanese, Korean, Turkish, Arabic, Hindi
  '(?:忽略|无视|無視|忽视|忘记|忘掉|不要理会)[^。\\n]{0,8}(?:之前|先前|以前|上面|以上|前面|此前|所有|系统)[^。\\n]{0,6}(?:指令|指示|提示|规则|規則|命令|要求)',
  '(?:以前|前|上記|これまで|すべて)の[^。\\n]{0,6}(?:指示|命令|プロンプト|ルール)[^。\\n]{0,4}(?:を無視|を忘れ|に従わ)',
  '(?:이전|위|앞|모든)[^.\\n]{0,8}(?:지시|명령|프롬프트|지침)[^.\\n]{0,6}(?:무시|잊)',
  '(?:önceki|yukarıdaki)[^.\\n]{0,12}(?:talimat|komut|yönerge)[^.\\n]{0,12}(?:yok say|unut|görmezden)|تجاهل[^.\\n]{0,12}(?:التعليمات|الأوامر)[^.\\n]{0,10}(?:السابق|أعلاه)|पिछले[^।\\n]{0,8}निर्देश[^।\\n]{0,10}(?:अनदेखा|भूल)',
]

const conceals = [
  `(?:do not|don['’]t|never|must not|mustn['’]t|without)${few(1)}(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|warn(?:ing)?|mention(?:ing)?)${few(3)}(?:the |your |this to (?:the )?)?(?:user|human|operator|owner|developer)s?${few(0)}(?:about|that|of|what|this|anything|any of|before)\\b`,
  `(?:do not|don['’]t|never)${few(2)}(?:mention|reveal|disclose|report|show) (?:this|these|that|it|any of this|the (?:above|following|upload|request|command|step)s?)${few(2)}to (?:the |your )?(?:user|human|operator|owner)s?\\b`,
  `(?:without (?:the |your )?(?:user|human|operator|owner)s?['’]?s?(?: ever)? (?:knowing|knowledge|noticing|awareness))\\b|(?:hide|conceal|keep) (?:this|these|it|that|the (?:upload|request|command)s?)(?: \\w{1,12}){0,2} (?:secret |hidden )?from (?:the |your )?(?:user|human|operator|owner)s?\\b`,
  `the (?:user|human|operator|owner) (?:must|should|need) (?:not|never)(?: \\w{1,12}){0,2} (?:know|notice|find out|learn|see|be told|be informed)(?: (?:that|about|of) (?:you|this|it|these|the (?:upload|request|command|transfer))| this| it)\\b`,
]

const injections = new RegExp(phrases.join('|'), 'gu')
const concealments = new RegExp(`\\b(?:${conceals.join('|')})`, 'g')
/** Without one of these no phrase is there; asked first, for it is all that most texts cost. */
const injectionWord =
  /(?:ignor|disregard|forget|overr|overlook|discard|set aside|follow|supersede|replace)\w{0,6}[\s*"'’]|(?:instructions?|prompts?|rules?) (?:above|before|given)|no longer|your (?:new|real|true|actual) |(?:developer|god|jailbreak|dan|unrestricted)\b|<\||\[\/?inst|<<sys|\[system|## ?system|ignoriere|vergiss|missachte|beachte nicht|oublie|ne ten|olvid|descart|desconsider|esque|dimentica|trascura|negeer|vergeet|zignoruj|zapomnij|игнорируй|забудь|не учит|[忽无無忘不][略视視记掉要]|指示|命令|プロンプト|ルール|지시|명령|프롬프트|지침|talimat|komut|yönerge|تجاهل|पिछले/

/** What a text about injections says beside one. */
const about =
  /injection|inject|jailbreak|attack|adversar|malicious|hostile|untrusted|attempt|detect|exploit|red.?team|payload|phish|sanitiz|suspicious|refuse|reject|never (?:obey|follow|comply)|do not (?:obey|follow|comply)|treat (?:as|it)|注入|攻击|攻擊|インジェクション/

/** Whether this text is an injection: what an unseen passage is asked. */
export function holdsInjection(text: string): boolean {
  injections.lastIndex = 0
  concealments.lastIndex = 0
  return injections.test(text) || concealments.test(text)
}

/** Finds "ignore previous instructions" and its kin, and orders to keep things from the user. */
export const findInjection: TextCheck = ({ text, isCode }, report) => {
  findRemoteInstructions(text, report)
  if (injectionWord.test(text)) {
    const isExample = exampleIn(text, isCode)
    eachMatch(injections, text, ({ index, 0: phrase }) => {
      const rule = isExample(index, index + phrase.length) ? 'quoted-injection' : 'prompt-injection'
      report(rule, `reads like a prompt injection: ${JSON.stringify(phrase.slice(0, 80))}`, index)
    })
  }
  eachMatch(concealments, text, ({ index, 0: phrase }) => {
    report(
      'conceal-from-user',
      `keeps something from the user: ${JSON.stringify(phrase.slice(0, 80))}`,
      index,
    )
  })
}

/** What asks whether a phrase is quoted or reported in a text about injections that does not order it. */
function exampleIn(text: string, isCode: boolean): IsQuoted {
  let inCode: ((at: number) => boolean) | undefined = isCode ? () => true : undefined
  let asked = 0
  return (start, end) => {
    asked += 1
    if (asked > mostQuotations) return false
    const before = text.slice(Math.max(0, start - 240), start)
    const after = text.slice(end, end + 160)
    if (!about.test(before + text.slice(start, end) + after)) return false
    inCode ??= codeIn(text)
    const around =
      aroundQuotation(text, start, end, inCode(start)) ??
      (isReported(before) ? { before, after } : undefined)
    return around !== undefined && !asksToFollow(around.before) && !asksToFollow(around.after)
  }
}
