/**
 * Words that the project's texts don't use, as regular expressions without case, each with what to write
 * instead.
 */
export const bannedWords: Readonly<Record<string, string>> = {
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
  '\\b(scenes?|pictures?|templates?) wears?\\b': 'it is shown in',
}
