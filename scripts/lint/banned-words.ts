/** Words that the project's texts don't use, as regular expressions without case, with replacements. */
export type BannedWords = Readonly<Record<string, string>>

/** In whole files. */
export const bannedWords: BannedWords = {
  '\\bthe house\\b': 'the service',
  '\\bturned[ -]?away\\b': 'refused',
  '\\bfront[ -]?door\\b': 'the request pipeline',
  '\\b(open|close|shut|opens|closes|shuts|at) the door\\b': 'admit, refuse',
  '\\b(comes? in(?! turn)|came in|coming in)\\b': 'arrive; for a person: sign in',
  '\\bwhoever\\b': 'the caller, the client, the owner: say who',
  '\\bthe law\\b': 'the rule, the invariant',
  '\\bnobody knows\\b': 'unknown',
  '\\bknows? (whom|nobody)\\b': 'import, depend on',
  '\\banew\\b': 'again',
  '\\bin vain\\b': 'without a result',
  '\\bthe crowd\\b': 'the other requests',
  '\\bat the (least|most)\\b': 'at least, at most',
  '\\bput away\\b': 'clear, remove',
}

/** In documents, comments and sentences of programs: names in the code may have them. */
export const bannedInTexts: BannedWords = {
  '\\b(worn|wears?|wearing)\\b': 'artwork is shown, placed or applied',
  '(?<!plant, )\\b(a|the|one|your) hands?\\b': 'the pointer',
  '\\b(without a word|in the same words|leaves? a word)\\b': 'message',
}

/** In what users read: documents, sentences of programs, and comments of published packages. */
export const bannedForUsers: BannedWords = {
  '(?<!-)\\bkept\\b(?!-)': 'cached, saved, stored, retained or unchanged: say which',
  '\\b(the|your|my|this) walls?\\b(?! (around|behind))(?![-/])': 'the gallery, or a proof',
}
