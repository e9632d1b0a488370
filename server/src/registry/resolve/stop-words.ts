/** Words that say nothing about a task: never evidence, unless a task holds nothing else. */
export const STOP_WORDS: readonly string[] =
  `a about after again all also am an and any are as at be because been before being both but by can
  cannot could d did do does doing dont down each either few for from further get had has have having
  he her here hers him his how i if in into is it its just ll m may me more most my no nor not now of
  off on once only or other our out over own re s same she should so some such t than that the their
  them then there these they this those through to too under until up us very was we were what when
  where which while who whom why will with would you your`.split(/\s+/)

/**
 * Words that carry a sentence along. They stay evidence on their own; pairs skip them, so that "fill
 * out another form" and "fill the form" meet. A longer list with verbs such as "create" or "check"
 * loses .005 nDCG on dev: what is done to a thing is half of the task.
 */
export const FILLER_WORDS: readonly string[] =
  `already always another enough etc even ever every everything gets getting go goes
  going got im instead ive know lets like many might much must need needs okay ok one ones per
  please really said say see shall skill skills something still sure take tell thank thanks thing
  things use used uses using via want wants way ways well whether within without yes yet`.split(
    /\s+/,
  )
