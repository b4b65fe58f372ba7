/** The library's error messages → a sentence that a person can act on. */
const REASONS: readonly [libraryWords: RegExp, reason: string][] = [
  [/^client is invalid$/, 'the app is not known here any more: remove the connection in the app, and add it anew'],
  [/^client_id metadata document fetch failed$/, 'the address at which the app describes itself does not answer'],
  [
    /^client_id metadata document fetch not allowed$/,
    'too many apps of its site were asked about: try again in a minute',
  ],
  [/^client_id is \d+ bytes long/, 'the address at which the app describes itself is too long'],
  [/^client_id metadata document /, 'what the app says about itself can’t be used'],
  [/^requested scope is not supported$/, 'the app asks for something that there is not here'],
  [/^resource indicator /, 'the app asks for access to another service'],
  [/^redirect_uri did not match/, 'the app wants to be answered at an address that is not its own'],
  [/expired|^interaction session|mismatch$/, 'it took too long, or it was begun in another browser'],
];

/** Text of the error page. @param words message of the library, or of ours */
export const plainReason = (words: string): string =>
  REASONS.find(([libraryWords]) => libraryWords.test(words))?.[1] ?? words;
