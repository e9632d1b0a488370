const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const ENGLISH: readonly string[] = words(`
  a about after again all also am an and any are as at be because been before being both but by can
  cannot could d did do does doing dont down each either few for from further get had has have having
  he her here hers him his how i if in into is it its just ll m may me more most my no nor not now of
  off on once only or other our out over own re s same she should so some such t than that the their
  them then there these they this those through to too under until up us very was we were what when
  where which while who whom why will with would you your`)

/** Simplified and traditional. */
const CHINESE = words(`
  的 地 得 了 着 著 过 過 吗 嗎 呢 吧 啊 呀 嘛 我 你 您 他 她 它 我们 我們 你们 你們 他们 他們 咱们 咱們 大家
  自己 我的 你的 他的 她的 它的 的话 是 是否 在 有 没 沒 没有 沒有 不 不是 不要 不能 别 別 和 与 與 跟 或 或者 及
  以及 并 並 且 而 而且 也 都 就 还 還 还有 還有 又 再 才 很 太 更 最 非常 比较 比較 把 被 给 給 对 對 对于 對於
  关于 關於 从 從 到 向 往 让 讓 使 为 為 为了 為了 因为 因為 所以 但 但是 不过 不過 如果 若 则 則 那么 那麼 然后
  然後 等 等等 这 這 那 这个 這個 那个 那個 这些 這些 那些 这里 這裡 那里 那裡 这样 這樣 那样 那樣 此 其 之 于 於
  由 以 个 個 一 一个 一個 一些 一下 看一下 一点 一點 每 每個 某 各 什么 什麼 怎么 怎麼 怎麼樣 怎样 怎樣 如何
  为什么 為什麼 哪 哪个 哪個 哪些 哪里 哪裡 谁 誰 几 幾 多少 何 能 能否 能够 能夠 可 可以 会 會 要 想 想要 需要
  应该 應該 该 該 请 請 请问 請問 帮 幫 帮忙 幫忙 帮助 幫助 麻烦 麻煩 谢谢 謝謝 上 下 中 里 裡 内 內 后 後 前 时
  時 时候 時候 已 已经 已經 将 將 正在 只 只是 就是 还是 還是 样 樣`)

/** Endings and particles as `Intl.Segmenter` splits them, and all single hiragana letters. */
const JAPANESE = [
  ...Array.from({ length: 0x3094 - 0x3041 }, (_, i) => String.fromCharCode(0x3041 + i)),
  ...words(`
  あっ あと あなた あの あまり あり ありがとう ありま ある あれ いい いいえ いう いか いき いただき いただく
  いただける いつ いま いる いるか うち うる おく おり および かし かつ かな かも から かん きた くだ くらい くる
  くれる けど けれど ここ こちら こと ことに この これ これら ころ さい させる しか しかし しな しない しま
  しまう した したら しよう しょう すか すぎ すぐ すべて する すると ずつ せる せん そう そこ そして その
  そのまま それ それぞれ たい たか たく ただ ため たら たり だけ って つつ つもり てい てく てる では でき できる
  です ですが でも という とか とき とても とも どう どうし どこ どちら どの どれ どんな ない なお なか なく なし
  なぜ など なら なり なる なん なんか なんて において における について によって により による ので のみ ばかり
  ほう ほしい ほど また または まし ます まず まで まま まり みたい みる もう もし もっと もの もらう もらえる
  やすい やる よう よく よね より られる れる わけ わたし 私 僕 俺 教え お願い 方法 何 誰 ろう らい つい`),
]

/** German, Spanish, French, Italian, Dutch and Portuguese. */
const EUROPEAN = words(`
  aber alle allem allen aller alles als am ander andere anderem anderen anderer anderes ansonsten
  auch auf aus ausserdem bei beim bereits bevor bis bist bitte dabei dafuer dafur daher damit
  danach dann daran darauf daraus darin daruber darum das dass davon davor dazu dein deine deinem
  deinen deiner deines dem den denen denn der deren derer deshalb dessen deswegen dich die diese
  diesem diesen dieser dieses doch dort du durch ebenfalls eher eigene eigenen eigener eigentlich
  ein eine einem einen einer eines einige einigen einiger es etwa etwas euch euer eure eurem euren
  fuer fur ganz gegen genau gerade gerne gibt habe haben habt hallo hast hatte hatten hattest hier
  hierbei hierfur hierzu hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer
  indem ins insbesondere irgendwie ist ja jede jedem jeden jeder jedes jedoch jemand jene jenem
  jenen jener jenes jetzt kann kannst kein keine koennen koennte konnen konnt konnte konnten lassen
  manche manchen mancher manchmal mehr mein meine meinem meinen meiner mich mir mit mochte mochten
  moechte moglichst muessen muss mussen musst musste mussten nach nachdem natuerlich naturlich
  neben nicht nichts nie niemand noch nun nur ob obwohl oder oft ohne schon sehr seid sein seine
  seinem seinen seiner seines seit seitdem selber selbst sich sie sind sobald sodass sofern sogar
  solche solchen solcher solches soll sollen sollst sollt sollte sollten solltest somit sondern
  sonst sowie sowohl statt trotz trotzdem ueber um und uns unser unsere unserem unseren unserer
  unseres unter viel viele vielen vieler vielleicht vom von vor waehrend wahrend wann waren warst
  warum weder wegen weil weiter weitere weiteren weiterer welche welchem welchen welcher welches
  wenig weniger wenn wer werde werden werdet wessen wie wieder wieso wieviel willst wir wird wirst
  wo wobei wodurch wofur wohin wollen wollt wollte wollten womit woran worauf worin wuerde wuerden
  wurde wurden wurdest zwar zwischen
  worden zu zum zur el los las una unos unas del para por que como mi mis cuando este esta pero muy
  les des dans une pour avec sont cette ces aux vous nous qui est comment mon mes gli che della dei delle
  nel sono questo het een voor zijn niet dat hoe ik mijn uma nao ao dos meu minha`)

/**
 * Function words of languages in Latin script other than English. They interrupt word lists
 * (prose.ts). Those that can be content in English, such as "op", are no stop words.
 */
export const PARTICLES: ReadonlySet<string> = new Set([
  ...EUROPEAN,
  ...words(`
  la un de al y o en con se son su sus lo mas si le et ou sur ne pas ce une il da do em no na nos nas
  os as com e i di per non van met op te bij och att det som pa med av er til ikke w z nie jest dla
  oraz ve bir ile icin bu yang dan untuk dari dengan pada ke adalah atau tidak par for`),
])

/**
 * Words that count as evidence only if a task has no other words. Includes other languages,
 * because their particles are rare in a mostly English catalogue and would get a high IDF.
 */
export const STOP_WORDS: readonly string[] = [
  ...new Set([...ENGLISH, ...CHINESE, ...JAPANESE, ...EUROPEAN]),
]

/**
 * Words that are evidence, but form no pairs, so that "fill out another form" and "fill the form"
 * share a pair. Adding verbs such as "create" or "check" loses .005 nDCG@10.
 */
export const FILLER_WORDS: readonly string[] = words(`
  already always another enough etc even ever every everything gets getting go goes
  going got instead ive know lets like many might much must need needs okay ok one ones per
  please really said say see shall skill skills something still sure take tell thank thanks thing
  things use used uses using via want wants way ways well whether within without yes yet`)
