/** Words that say nothing about a task: never evidence, unless a task holds nothing else. */
export const STOP_WORDS: readonly string[] =
  `a about after again all also am an and any are as at be because been before being both but by can
  cannot could d did do does doing dont down each either few for from further get had has have having
  he her here hers him his how i if in into is it its just ll m may me more most my no nor not now of
  off on once only or other our out over own re s same she should so some such t than that the their
  them then there these they this those through to too under until up us very was we were what when
  where which while who whom why will with would you your`.split(/\s+/)

/**
 * Words so common in tasks and readmes that a pair holding one of them tells nothing. They stay
 * evidence on their own; only pairs skip them, so that "create a PDF" and "PDF creation" meet.
 */
export const FILLER_WORDS: readonly string[] =
  `able add added adding additional allow allows already always another around ask asked asking
  available back based best better bit call called case cases check common complete contain contains
  correct create created creates creating current currently default different directly done e
  easily easy end ensure etc even every everything example examples existing explain find first
  fix follow following full g general give given gives go going good got great handle help helps i
  im include includes including input instead ive keep kind know last let lets like likely list
  look looking lot made main make makes making many may maybe mean might much multiple must my need
  needed needs never new next note number ok okay one ones open output part per please possible
  provide provided provides put quick quickly ran real really related require required requires
  right run running said say see set several show simple since single skill skills something
  specific start step steps still sure take tell thanks thing things think three time total try
  trying turn two type use used useful user users uses using via want wants way ways well whether
  within without work working works write yes yet`.split(/\s+/)
